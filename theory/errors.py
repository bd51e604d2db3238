"""Errors for people: one line that says where, which value, and what to do."""

from __future__ import annotations

from itertools import combinations
from typing import Final

LONGEST_WORD: Final = 200
"""Characters that an error quotes of one name or number."""


class BanditError(ValueError):
    """Base of every error this project raises on purpose; its text is one line.

    The text is readable: names and numbers longer than `LONGEST_WORD` lose their middle.

    Examples
    --------
    >>> len(str(NumberError(f"{10**1000} is large")))
    208
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(" ".join(shortened(word, LONGEST_WORD) for word in text.split(" ")))


class NumberError(BanditError):
    """A number that is not exact, or not a number."""


class ModelError(BanditError):
    """A model, a state or a priority order that breaks the definition of a Markovian bandit."""


class TooLargeError(BanditError):
    """An exact method was asked for more than it can do; the text names the method to use instead."""


class OutputError(BanditError):
    """Output could not be written, for a reason that appeared only while writing; the input is not to blame."""


def shown(value: object, longest: int = 60) -> str:
    """Return `value` as an error quotes it: on one line, at most `longest` characters."""
    line = " ".join(repr(value).split())
    return line if len(line) <= longest else line[: longest - 3] + "..."


def shortened(text: str, longest: int = 48) -> str:
    """Return `text`, its middle left out where it is longer than `longest`.

    Examples
    --------
    >>> shortened("12345678901234567890", longest=11)
    '1234...7890'
    """
    if len(text) <= longest:
        return text
    side = (longest - 3) // 2
    return f"{text[:side]}...{text[-side:]}"


def refuse_other_order(states: object = (), **given: object) -> None:
    """Refuse data whose labels are the same names in different orders, as in a data frame; only places are read.

    Raises
    ------
    ModelError
        If the labels of an argument's rows or columns are those of another in another order.
    """
    found = {"states": [*map(str, states)] if isinstance(states, (list, tuple)) else []}
    for what, values in given.items():
        for axis in ("index", "columns") if hasattr(values, "__array__") else ():
            labels = getattr(values, axis, ())
            found[f"{what}.{axis}"] = [] if callable(labels) else [*map(str, labels)]
    for (one, first), (other, second) in combinations(found.items(), 2):
        if first != second and sorted(first) == sorted(second):
            order = f"{shown(second)} in {other}, {shown(first)} in {one}"
            raise ModelError(f"states are in two orders, {order}: put both in one, as by frame.loc[states, states]")
