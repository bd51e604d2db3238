"""A user's own code: an object found by ``module:attribute``, and where in it an error was raised."""

from __future__ import annotations

import os
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from mbrl.arrays import array_written, arrays_of
from theory import BanditError
from theory.errors import shown

_OURS = tuple(str(Path(__file__).parents[1] / package) for package in ("theory", "mbrl", "proofs_checks"))
_STANDARD = sysconfig.get_path("stdlib")
_INSTALLED = ("site-packages", "dist-packages")


def import_attribute(where: str, what: str) -> Any:
    """Return the object called ``module:attribute``; modules of the current folder are found too.

    Parameters
    ----------
    where
        Such as ``my_learners:Greedy``.
    what
        What it is to be, for the message.

    Raises
    ------
    BanditError
        If there is none, or its module fails; one line, with the place in the user's code.

    Examples
    --------
    >>> import_attribute("math:pi", "number")
    3.141592653589793
    >>> import_attribute("math:pie", "number")
    Traceback (most recent call last):
    ...
    theory.errors.BanditError: number 'math:pie' cannot be imported: module 'math' has no attribute 'pie'
    """
    module, _, attribute = where.partition(":")
    if not (module and attribute):
        raise BanditError(f"{what} {where!r}: write module:attribute, such as mypackage.mymodule:{what}")
    if module.endswith(".py") and Path(module).is_file():
        raise BanditError(f"{what} {where!r}: write the module's name, {Path(module).stem}:{attribute}, in its folder")
    if "/" in module or module.startswith("."):
        raise BanditError(f"{what} {where!r}: write the module's name alone, and start the command in its folder")
    if "" not in sys.path and "." not in sys.path:
        sys.path.append(".")  # a console script does not look there by itself
    try:
        with undisturbed():
            found = import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
    except (Exception, SystemExit) as error:  # whatever the user's module raises
        plain = isinstance(error, (ImportError, AttributeError)) and not _places(error)
        raise BanditError(f"{what} {where!r} cannot be imported: {error if plain else described(error)}") from None
    return found


def name_of(agent: Callable[..., Any]) -> str:
    """Return the name by which a learner's class or function is found, in other processes too.

    Raises
    ------
    BanditError
        If its module has no such object under its name, as of a lambda.
    """
    name = f"{getattr(agent, '__module__', '')}:{getattr(agent, '__qualname__', '')}"
    try:
        if import_attribute(name, "agent") is agent:
            return name
    except BanditError:
        pass  # said below
    raise BanditError(
        f"agents: {shown(agent)} is not what {name} is; give a class or function that a module, or the notebook, has "
        "under its name, and options as text, such as 'mb-psrl/dirichlet=0.5' or 'mymodule:Mine/rate=0.1'"
    )


def check_takes(function: Callable[..., Any], arguments: Sequence[str], who: str, *, named: bool = False) -> None:
    """Refuse a user's function that cannot be called with so many arguments, or not by these names.

    Parameters
    ----------
    function, arguments
    who
        What it is, for the message.
    named
        Whether arguments are passed by their names.

    Raises
    ------
    BanditError
        Naming `who` and the arguments.

    Examples
    --------
    >>> check_takes(lambda state, arm: 0, ["state"], "the policy")
    Traceback (most recent call last):
    ...
    theory.errors.BanditError: the policy is called with (state): missing a required argument: 'arm'
    """
    try:
        if named:
            signature(function).bind(**dict.fromkeys(arguments))
        else:
            signature(function).bind(*arguments)
    except TypeError as error:
        how = ", by these names" if named else ""
        raise BanditError(f"{who} is called with ({', '.join(arguments)}){how}: {error}") from None
    except ValueError:  # compiled functions do not tell
        return


def described(error: BaseException) -> str:
    """Return an error of a user's code in one line: its type, its text, and the place where that code raised it.

    Examples
    --------
    >>> described(ValueError("no such prior"))
    'ValueError: no such prior'
    """
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"{type(error).__name__}: {error.msg} ({error.filename}, line {error.lineno})"
    text = " ".join(str(error).split())
    places = _places(error)
    place = f" ({places[-1].filename}, line {places[-1].lineno}, in {places[-1].name})" if places else ""
    return type(error).__name__ + (f": {text}" if text else "") + place


@contextmanager
def undisturbed() -> Iterator[None]:
    """Undo what a user's code sets for the whole process: the folder, and NumPy's ways with floating-point errors."""
    here = os.open(os.curdir, os.O_RDONLY)
    try:
        with np.errstate():
            yield
    finally:
        os.fchdir(here)
        os.close(here)


@contextmanager
def blaming(who: str, *, theirs: bool = False, handed: Mapping[str, Any] | None = None) -> Iterator[None]:
    """Turn an error of a user's code, and an exit, into one line that names `who` and the place; it runs `undisturbed`.

    Parameters
    ----------
    who
        For the message.
    theirs
        Whether nothing runs but the user's code: an error that has no place in it, of a compiled function, is its own.
    handed
        Objects with read-only arrays that code is given, by name; if not None, an error says which array it writes.

    Raises
    ------
    BanditError
        As `described`; our own errors, with `who` in front where they do not say it.
    """
    try:
        with undisturbed():
            yield
    except BanditError as error:
        if str(error).startswith(who):
            raise
        raise BanditError(f"{who}: {error}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an exit, or a task that is cancelled, is the user's too
        written = None if handed is None else array_written(error, dict(arrays_of(handed)))
        if written is not None:
            raise BanditError(f"{who}: {written}; copy it to change it: {described(error)}") from None
        if not theirs and not _is_users(error):
            raise
        raise BanditError(f"{who} raised {described(error)}") from None


def _is_users(error: BaseException) -> bool:
    """Return whether an error was raised in a user's code, or in what that called."""
    return not all(_is_installed(step.filename) for step in _places(error))


def _places(error: BaseException) -> list[traceback.FrameSummary]:
    """Return the steps of the traceback that are in the user's files; not in libraries that these call."""
    outside = [
        step
        for step in traceback.extract_tb(error.__traceback__)
        if not step.filename.startswith((*_OURS, "<frozen")) and not _is_standard(step.filename) and _is_there(step)
    ]
    if not outside or _is_installed(outside[0].filename):
        return outside
    theirs = [step for step in outside if not _is_installed(step.filename)]
    return [step for step in theirs if not step.filename.startswith("<")] or theirs  # a dataclass runs generated lines


def _is_there(step: traceback.FrameSummary) -> bool:
    """Whether there is a file to open (compiled libraries name theirs), or a line that was typed in."""
    return step.filename.startswith("<") or Path(step.filename).exists()


def _is_standard(filename: str) -> bool:
    return filename.startswith(_STANDARD) and not _is_installed(filename)


def _is_installed(filename: str) -> bool:
    return any(part in _INSTALLED for part in Path(filename).parts)
