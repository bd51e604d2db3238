"""Compare independent computations (routes) of the same quantity (question).

Every answer is a list of exact numbers and of enclosures. Two answers agree if at each position they have a number in
common; those of two exact routes agree if their numbers are equal.
"""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

from flint import fmpq

from proofs_checks.trials.counterexample import Counterexample
from theory import Bandit, decimal_text, value_of_float
from theory.enclosures import Enclosure
from theory.errors import shortened

LONGEST: Final = 120  # equivalent: a second more or less
"""Seconds of computing after which a route counts as having no answer."""

Answer: TypeAlias = "Sequence[fmpq | Enclosure]"
Pair: TypeAlias = tuple[str, str, str]
"""A question and two of its routes."""


@dataclass(frozen=True)
class Route:
    """One way to an answer, and the bandits on which it is tried: their largest arm, their global states, and others.

    `product` is None for any number of global states; `takes` returns whether the route can answer for a bandit.
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
    """A quantity, the routes that compute it, and what each number of an answer is, in words."""

    name: str
    routes: tuple[Route, ...]
    labels: Callable[[Bandit], Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Disagreement(Counterexample):
    """Two routes whose answers have no number in common; or one route, named twice, that raises an error.

    `number` is that of the random model that first showed it.
    """

    pair: Pair
    number: int = 0

    @property
    def title(self) -> str:
        """The question and the two routes, as text."""
        question, *routes = self.pair
        return f"{question}, {' and '.join(dict.fromkeys(routes))}"

    def content(self, written: Path | None = None) -> dict[str, Any]:
        """Return the JSON object of the disagreement, with the path of its model file."""
        question, *routes = self.pair
        named = {"question": question, "routes": routes, "found_on_model": self.number}
        return {**super().content(written), **named}


@dataclass
class Tally:
    """Comparisons and disagreements: the number of models, and of each ``(what, kind)``; of comparisons, by pair.

    `ended_by` is the error that ended a soak early.
    """

    models: int = 0
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    comparisons: Counter[Pair] = field(default_factory=Counter)
    found: list[Disagreement] = field(default_factory=list)
    ended_by: BaseException | None = None

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


def compare(questions: Sequence[Question], bandit: Bandit, number: int = 0) -> Tally:
    """Return the comparisons of all pairs of routes that apply to a bandit, the random model of this number.

    Examples
    --------
    >>> from theory import Arm
    >>> arms = [Arm(rewards=[0], transitions=[[1]]), Arm(rewards=[0, 0], transitions=[[1, 0], [0, 1]])]
    >>> routes = [Route(f"up to {k}", lambda _, k=k: [fmpq(k)], product=k) for k in (1, 2, 3)]
    >>> question = Question("number", (*routes, Route("small", lambda _: [], states=1)), lambda _: ["it"])
    >>> found = compare([question], Bandit(arms, 0, [0, 0]))
    >>> list(found.comparisons), found.found[0].text
    ([('number', 'up to 2', 'up to 3')], 'it: 2 and 3')
    """
    tally = Tally(models=1)

    def disagree(text: str, pair: Pair) -> None:
        tally.found.append(Disagreement(text, pair=pair, number=number))

    for question in questions:
        answers: dict[str, Answer] = {}
        for route in (each for each in question.routes if each.applies(bandit)):
            try:
                with _limited():
                    answers[route.name] = route.answer(bandit)
            except Exception as error:  # every error is a finding
                said = " ".join(f"{type(error).__name__}: {error}".split())
                disagree(f"it raises {said}", (question.name, route.name, route.name))
        for first, second in combinations(answers, 2):
            pair = question.name, first, second
            tally.comparisons[pair] += 1
            text = _difference(answers[first], answers[second], question, bandit)
            if text is not None:
                disagree(text, pair)
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


def within(value: float, error: float) -> Enclosure:
    """Return the interval of numbers at most `error` from `value`."""
    middle, radius = value_of_float(value), value_of_float(error)
    return Enclosure(middle - radius, middle + radius)


def enclosure_of(number: fmpq | Enclosure) -> Enclosure:
    """Return a number of an answer as an enclosure."""
    return number if isinstance(number, Enclosure) else Enclosure.point(number)


def _difference(first: Answer, second: Answer, question: Question, bandit: Bandit) -> str | None:
    if len(first) != len(second):
        return f"{len(first)} numbers and {len(second)}"
    for place, pair in enumerate(zip(first, second, strict=True)):
        one, other = map(enclosure_of, pair)
        if one.low > other.high or other.low > one.high:
            return f"{question.labels(bandit)[place]}: {_said(one)} and {_said(other)}"
    return None


def _said(number: Enclosure) -> str:
    """Return an enclosure as text: an exact number in full if it is short, with a decimal if not; else both ends.

    Examples
    --------
    >>> _said(Enclosure.point(fmpq(10**11))), _said(Enclosure.point(fmpq(-1, 3 * 10**9)))
    ('100000000000', '-1/3000000000 (-3.33333333333e-10)')
    >>> _said(Enclosure(fmpq(1, 3), fmpq(1, 3) + fmpq(1, 10**40))), _said(Enclosure.point(fmpq(10**40, 3)))
    ('0.3333333333333333333 to 0.3333333333333333334', '100000000000000000...0000000000000000/3 (3.33333333333e39)')
    """
    if not number.is_exact:
        return " to ".join(number.decimals(17))
    text = shortened(str(number.low), 40)
    return text if len(text) <= 12 else f"{text} ({decimal_text(number.low, 12)})"
