"""Compare independent computations (routes) of the same quantity (question).

Every answer is a list of enclosures; an exact number is an enclosure of width 0. Two answers agree if the enclosures at
each position have a number in common; those of two exact routes agree if their numbers are equal.
"""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final, NoReturn, TypeAlias

from flint import fmpq

from proofs_checks.trials.counterexample import Counterexample
from theory import Bandit, decimal_text
from theory.enclosures import Enclosure
from theory.errors import shortened

LONGEST: Final = 120  # equivalent: a second more or less
"""Seconds of computing after which a route counts as having no answer."""

Answer: TypeAlias = "Sequence[Enclosure]"
Pair: TypeAlias = tuple[str, str, str]
"""A question and two of its routes."""


@dataclass(frozen=True)
class Route:
    """One way to an answer.

    Attributes
    ----------
    name
    answer
        Returns the answer for a bandit; exact numbers are points.
    states
        Size of the largest arm on which the route is tried.
    product
        Largest number of global states for which the route is tried; None for any number.
    takes
        Returns whether the route can answer for a bandit of these sizes.
    """

    name: str
    answer: Callable[[Bandit], Answer]
    states: int = 40
    product: int | None = None
    takes: Callable[[Bandit], bool] = lambda _: True

    def applies(self, bandit: Bandit) -> bool:
        """Return whether the route is tried on a bandit."""
        within = self.product is None or bandit.number_of_global_states <= self.product
        return max(bandit.sizes) <= self.states and within and self.takes(bandit)


@dataclass(frozen=True)
class Question:
    """A quantity, with the routes that compute it.

    Attributes
    ----------
    name
    routes
    labels
        Returns in words what each number of an answer is.
    """

    name: str
    routes: tuple[Route, ...]
    labels: Callable[[Bandit], Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Disagreement(Counterexample):
    """Two routes whose answers have no number in common; or one route, named twice, that raises an error.

    Attributes
    ----------
    pair
        The question and the two routes.
    number
        Number of the random model that first showed it.
    """

    pair: Pair
    number: int = 0

    @property
    def title(self) -> str:
        """The question and the two routes, as text."""
        question, *routes = self.pair
        return f"{question}, {' and '.join(dict.fromkeys(routes))}"

    @property
    def answers(self) -> dict[str, Any]:
        """The question, the two routes and their answers as a JSON object."""
        question, *routes = self.pair
        return {"question": question, "routes": routes, "text": self.text}


@dataclass
class Tally:
    """Comparisons and disagreements.

    Attributes
    ----------
    models
        Number of models.
    kinds : Counter by (what, kind)
    comparisons : Counter by pair
    found
        The disagreements.
    """

    models: int = 0
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    comparisons: Counter[Pair] = field(default_factory=Counter)
    found: list[Disagreement] = field(default_factory=list)

    @property
    def disagreements(self) -> Counter[Pair]:
        """The number of disagreements, by pair."""
        return Counter(each.pair for each in self.found)

    def add(self, other: Tally) -> None:
        """Add the counts and the disagreements of another tally."""
        self.models += other.models
        self.kinds += other.kinds
        self.comparisons += other.comparisons
        self.found += other.found


def compare(question: Question, bandit: Bandit) -> Tally:
    """Return the comparisons of all pairs of routes that apply to a bandit.

    Examples
    --------
    >>> from theory import Arm
    >>> arms = [Arm(rewards=[0], transitions=[[1]]), Arm(rewards=[0, 0], transitions=[[1, 0], [0, 1]])]
    >>> routes = [Route(f"up to {k}", lambda _, k=k: [point(fmpq(k))], product=k) for k in (1, 2, 3)]
    >>> question = Question("number", (*routes, Route("small", lambda _: [], states=1)), lambda _: ["it"])
    >>> found = compare(question, Bandit(arms, 0, [0, 0]))
    >>> list(found.comparisons), found.found[0].text
    ([('number', 'up to 2', 'up to 3')], 'it: 2 and 3')
    """
    answers: dict[str, Answer] = {}
    tally = Tally()
    for route in (each for each in question.routes if each.applies(bandit)):
        try:
            with _limited():
                answers[route.name] = route.answer(bandit)
        except Exception as error:  # every error is a finding
            said = " ".join(f"{type(error).__name__}: {error}".split())
            tally.found.append(Disagreement(f"it raises {said}", pair=(question.name, route.name, route.name)))
    for first, second in combinations(answers, 2):
        pair = question.name, first, second
        tally.comparisons[pair] += 1
        text = _difference(answers[first], answers[second], lambda: question.labels(bandit))
        if text is not None:
            tally.found.append(Disagreement(text, pair=pair))
    return tally


@contextmanager
def _limited(seconds: int = LONGEST) -> Iterator[None]:
    """Raise `TimeoutError` in code that computes for longer than `seconds`, if this is the main thread.

    The time counted is that of the process, which does not depend on the load of the machine.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def too_long(*_: object) -> NoReturn:
        raise TimeoutError(f"no answer within {seconds} seconds of computing")

    before = signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def point(value: fmpq) -> Enclosure:
    """Return an exact number as an enclosure."""
    return Enclosure.point(value)


def within(value: fmpq, error: fmpq) -> Enclosure:
    """Return the interval of numbers at most `error` from `value`."""
    return Enclosure(value - error, value + error)


def _difference(first: Answer, second: Answer, labels: Callable[[], Sequence[str]]) -> str | None:
    if len(first) != len(second):
        return f"{len(first)} numbers and {len(second)}"
    for place, (one, other) in enumerate(zip(first, second, strict=True)):
        if one.low > other.high or other.low > one.high:
            return f"{labels()[place]}: {_said(one)} and {_said(other)}"
    return None


def _said(number: Enclosure) -> str:
    """Return an enclosure as text: an exact number in full if it is short, with a decimal if not; else both ends.

    Examples
    --------
    >>> _said(point(fmpq(10**11))), _said(point(fmpq(-1, 3 * 10**9))), _said(within(fmpq(1, 3), fmpq(1, 10**40)))
    ('100000000000', '-1/3000000000 (-3.33333333333e-10)', '0.3333333333333333333 to 0.3333333333333333334')
    >>> _said(point(fmpq(10**40, 3)))
    '100000000000000000...0000000000000000/3 (3.33333333333e39)'
    """
    if not number.is_exact:
        return " to ".join(number.decimals(17))
    text = shortened(str(number.low), 40)
    return text if len(text) <= 12 else f"{text} ({decimal_text(number.low, 12)})"
