"""A user's own learner or scenario: found by ``module:attribute``, and named where it fails."""

from __future__ import annotations

import sys
import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import theory
from theory import BanditError

_NOT_THE_USERS: Final = tuple(
    Path(folder).resolve()
    for folder in (
        *(str(sysconfig.get_path(kind)) for kind in ("stdlib", "purelib", "platlib")),
        *(str(Path(str(module)).parent) for module in (__file__, theory.__file__)),
    )
)


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
        If there is none, or its module fails; one line.

    Examples
    --------
    >>> import_attribute("math:pi", "number")
    3.141592653589793
    >>> import_attribute("math:pie", "number")
    Traceback (most recent call last):
    theory.errors.BanditError: number 'math:pie' cannot be imported: module 'math' has no attribute 'pie'
    """
    module, _, attribute = where.partition(":")
    if "" not in sys.path and "." not in sys.path:
        sys.path.append(".")  # a console script does not look there by itself
    try:
        found = import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
    except Exception as error:  # whatever the user's module raises
        raise BanditError(f"{what} {where!r} cannot be imported: {_cause(error)}") from None
    return found


@contextmanager
def blaming(who: str) -> Iterator[None]:
    """Turn an exception that a user's code raises into one line that says where; those of this package pass through.

    Raises
    ------
    BanditError
        Naming `who`, the exception, and the file and line of the user's code.
    """
    try:
        yield
    except BanditError:
        raise
    except Exception as error:
        place = _place(error)
        if not place:
            raise
        raise BanditError(f"{who} raised {type(error).__name__}: {error} ({place})") from None


def _cause(error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return f"SyntaxError: {error.msg} ({error.filename}, line {error.lineno})"
    if isinstance(error, (ImportError, AttributeError)):
        return str(error)
    place = _place(error)
    return f"{type(error).__name__}: {error}" + (f" ({place})" if place else "")


def _place(error: Exception) -> str:
    """Return file and line of the innermost frame that is the user's; nothing where there is none."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_file() and not any(path.resolve().is_relative_to(folder) for folder in _NOT_THE_USERS):
            return f"{frame.filename}, line {frame.lineno}"
    return ""
