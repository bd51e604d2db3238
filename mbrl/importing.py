"""A user's own code: objects found by ``module:attribute``, and the place in the code that raised an error."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from dis import get_instructions
from hashlib import sha256
from inspect import getsource, signature
from multiprocessing import parent_process
from numbers import Number
from pathlib import Path
from pkgutil import resolve_name
from types import CodeType, FunctionType
from typing import Any, NoReturn

import numpy as np

from mbrl.arrays import is_of_writing, text_of
from theory import BanditError
from theory.errors import shown

_EXIT = os._exit
_OURS = tuple(str(Path(__file__).parents[1] / package) for package in ("theory", "mbrl", "proofs_checks"))
_STANDARD = sysconfig.get_path("stdlib")
_INSTALLED = ("site-packages", "dist-packages")
_USERS, _TYPED, _LIBRARY, _OTHER = range(4)


def import_attribute(where: str, what: str) -> Any:
    """Return the object called ``module:attribute``, also from modules in the current folder.

    Parameters
    ----------
    where
        Module and attribute, such as ``my_learners:Greedy``.
    what
        Kind of object that is wanted, for the error.

    Raises
    ------
    BanditError
        If there is no such object, or its module fails; the error is one line with the place in the user's code.

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
    if not re.fullmatch(r"\w[\w.]*:\w[\w.]*", where) or module.endswith(".py"):
        wanted = f"{Path(module).name.removesuffix('.py') or 'mymodule'}:{attribute or what}"
        raise BanditError(f"{what} {where!r}: write module:attribute, such as {wanted}, in the module's folder")
    if "" not in sys.path:
        sys.path.append("")  # the current folder, wherever it is then: a console script does not search it by itself
    try:
        with undisturbed():
            return resolve_name(where)
    except (Exception, SystemExit) as error:  # the user's module may raise anything
        plain = isinstance(error, (ImportError, AttributeError)) and not _places(error)
        raise BanditError(f"{what} {where!r} cannot be imported: {error if plain else described(error)}") from None


def name_of(agent: Callable[..., Any]) -> str:
    """Return the name by which other processes can find a learner's class or function.

    Raises
    ------
    BanditError
        If the module has no such object under this name, as for a lambda.
    """
    name = f"{getattr(agent, '__module__', '')}:{getattr(agent, '__qualname__', '')}"
    try:
        if import_attribute(name, "agent") is agent:
            return name
    except BanditError:
        pass  # the error follows
    raise BanditError(
        f"agents: {shown(agent)} is not the object called {name}; give a class or function under its own name in "
        "a module or the notebook, and options as text, such as 'mb-psrl/dirichlet=0.5' or 'mymodule:Mine/rate=0.1'"
    )


def code_digest(name: str) -> str:
    """Return a digest of the files that a learner's name names; of the objects themselves in the main module.

    >>> code_digest("mb-ucbvi/bonus=json:dumps") == code_digest("json:loads") != code_digest("re:sub")
    True
    """
    digest = sha256()
    for where in re.findall(r"[\w.]+:[\w.]+", name):
        found, module = import_attribute(where, "agent"), where.partition(":")[0]
        try:
            source = "" if module == "__main__" else getsource(sys.modules[module])
        except (OSError, TypeError):  # compiled, or made by a program
            source = ""
        for part in [source] if source else _content(found, vars(sys.modules[module]), set()):
            digest.update(part.encode())
    return digest.hexdigest()[:16]


def _content(thing: Any, names: Mapping[str, Any], seen: set[int]) -> Iterator[str]:
    """Yield what an object does: its bytecode and numbers, and those of what it names in its module of these `names`.

    Its source is not asked for: a class in a notebook has none, and one typed in after a script that of the script.
    """
    thing = getattr(thing, "py_func", getattr(thing, "__wrapped__", thing))
    parts: Iterable[Any] = ()
    if isinstance(thing, CodeType):
        yield f"{thing.co_code!r} {thing.co_names}"
        globals_ = {step.argval for step in get_instructions(thing) if step.opname == "LOAD_GLOBAL"}
        parts = (*thing.co_consts, *(names[name] for name in sorted(globals_ & names.keys())))
    elif isinstance(thing, (type, FunctionType)):
        yield f"{thing.__module__}:{thing.__qualname__}"
        if thing.__module__ != names["__name__"] or id(thing) in seen:
            return
        seen.add(id(thing))
        if isinstance(thing, type):
            own = sorted(vars(thing).items())
            parts = (*thing.__bases__, *(each for each in own if each[0][:2] != "__" or callable(each[1])))
        else:
            held = [cell.cell_contents for cell in thing.__closure__ or ()]
            parts = (thing.__code__, thing.__defaults__, thing.__kwdefaults__, held)
    elif isinstance(thing, property):
        parts = (thing.fget, thing.fset)
    elif isinstance(thing, np.ndarray):
        yield repr(thing.tolist())
    elif isinstance(thing, (list, tuple)):
        parts = thing
    elif isinstance(thing, (dict, set, frozenset)):
        parts = sorted(thing.items() if isinstance(thing, dict) else thing, key=repr)
    elif isinstance(thing, (str, bytes, Number)):
        yield repr(thing)
    elif type(thing).__module__ == names["__name__"] and id(thing) not in seen:
        seen.add(id(thing))
        parts = (type(thing), getattr(thing, "__dict__", {}))
    else:  # its text may have its address
        yield type(thing).__name__
    yield "("
    for part in parts:
        yield from _content(part, names, seen)
    yield ")"


def check_takes(function: Callable[..., Any], arguments: Sequence[str], who: str, *, named: bool = False) -> None:
    """Raise `BanditError` if a user's function cannot be called with these arguments.

    Parameters
    ----------
    function, arguments
    who
        Name of the function in the error.
    named
        Whether the arguments are passed by name.

    Raises
    ------
    BanditError
        The error names `who` and the arguments.

    Examples
    --------
    >>> check_takes(lambda state, arm: 0, ["state"], "the policy")
    Traceback (most recent call last):
    ...
    theory.errors.BanditError: the policy is called with (state): missing a required argument: 'arm'
    """
    try:
        signature(function).bind(*(() if named else arguments), **(dict.fromkeys(arguments) if named else {}))
    except TypeError as error:
        how = ", by these names" if named else ""
        raise BanditError(f"{who} is called with ({', '.join(arguments)}){how}: {error}") from None
    except ValueError:  # the signature of a compiled function is unknown
        return


def described(error: BaseException) -> str:
    """Return an error of a user's code as one line: its type, its text, and the place in that code that raised it.

    Examples
    --------
    >>> described(ValueError("no such prior"))
    'ValueError: no such prior'
    """
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"{type(error).__name__}: {error.msg} ({error.filename}, line {error.lineno})"
    text, places = text_of(error), _places(error)
    place = f" ({places[-1].filename}, line {places[-1].lineno}, in {places[-1].name})" if places else ""
    return type(error).__name__ + (f": {text}" if text else "") + place


@contextmanager
def undisturbed() -> Iterator[None]:
    """Undo changes by a user's code to the whole process: the current folder, and NumPy's handling of float errors."""
    with chdir(os.curdir), np.errstate():
        yield


@contextmanager
def _told_of_an_exit(who: str) -> Iterator[None]:
    """Name the code that ends this process by `os._exit`, which nothing can catch; a worker's parent tells of it."""
    before = os._exit

    def told(status: int) -> NoReturn:
        os.write(2, f"error: {who} ended this process with exit code {status}\n".encode())
        _EXIT(status)

    if parent_process() is None:
        os._exit = told
    try:
        yield
    finally:
        os._exit = before


@contextmanager
def blaming(who: str, *, theirs: bool = False) -> Iterator[None]:
    """Turn an error or exit of a user's code into one line with `who` and the place; the code runs `undisturbed`.

    Parameters
    ----------
    who
        Name of the code in the error.
    theirs
        Whether only the user's code runs, so that an error without a place in it (of a compiled function) is its own.

    Raises
    ------
    BanditError
        As `described`; for our own errors, with `who` in front if they do not name it.
    """
    try:
        with undisturbed(), _told_of_an_exit(who):
            yield
    except BanditError as error:
        if str(error).startswith(who):
            raise
        raise BanditError(f"{who}: {error}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an exit or a cancelled task also comes from the user's code
        if not theirs and min(map(_rank, traceback.extract_tb(error.__traceback__)), default=_OTHER) > _TYPED:
            raise
        did = "writes into a read-only array; copy it to change it:" if is_of_writing(error) else "raised"
        raise BanditError(f"{who} {did} {described(error)}") from None


def _places(error: BaseException) -> list[traceback.FrameSummary]:
    """Return the steps of a traceback in the user's files, or else in typed or generated lines, or in libraries."""
    steps = traceback.extract_tb(error.__traceback__)
    least = min(map(_rank, steps), default=_OTHER)
    return [step for step in steps if _rank(step) == least < _OTHER]


def _rank(step: traceback.FrameSummary) -> int:
    """Return whose code a step is in; of a compiled library there is no source."""
    name = step.filename
    if name.startswith("<"):
        return _OTHER if name.startswith("<frozen") else _TYPED
    if name.startswith(_OURS) or not Path(name).exists():
        return _OTHER
    if any(part in _INSTALLED for part in Path(name).parts):
        return _LIBRARY
    return _OTHER if name.startswith(_STANDARD) else _USERS
