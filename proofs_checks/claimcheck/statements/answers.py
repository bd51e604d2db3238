"""The truth of a statement at one instance: true, false or undecided, with the values computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from theory.certified import Truth


@dataclass(frozen=True)
class Answer:
    """The truth of a statement at one instance.

    Attributes
    ----------
    truth
        Yes, no, or undecided at the largest precision.
    values
        Computed values, by name; if the answer is no, enough for a reader to redo the computation.
    """

    truth: Truth
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def true(self) -> bool:
        """Whether it is certainly true."""
        return self.truth is Truth.YES

    @property
    def false(self) -> bool:
        """Whether it is certainly false."""
        return self.truth is Truth.NO


def answer(truth: bool | Truth, **values: object) -> Answer:
    """Return an answer from a truth value and computed values.

    Raises
    ------
    TypeError
        If `truth` is no truth value: a number or a text, which Python takes for true, means a forgotten comparison.

    Examples
    --------
    >>> answer(2 < 3, left=2, right=3).true
    True
    """
    if isinstance(truth, Truth):
        return Answer(truth, values)
    if not isinstance(truth, bool):
        raise TypeError(f"a check returned {truth!r}: return True, False, a Truth or an Answer")
    return Answer(Truth.YES if truth else Truth.NO, values)


def all_of(answers: Iterable[Answer], **values: object) -> Answer:
    """Return the first answer that is not yes; if there is none, a yes with `values`.

    Examples
    --------
    >>> all_of(answer(n**2 < 8, n=n) for n in range(5)).values
    {'n': 3}
    """
    return next((each for each in answers if not each.true), Answer(Truth.YES, values))
