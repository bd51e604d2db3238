"""A user's own learner or scenario: an object found by ``module:attribute``."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from theory import BanditError


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
    ...
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


def _cause(error: Exception) -> str:
    if isinstance(error, (ImportError, AttributeError)):
        return str(error)
    if isinstance(error, SyntaxError):
        return f"SyntaxError: {error.msg} ({error.filename}, line {error.lineno})"
    return f"{type(error).__name__}: {error}"
