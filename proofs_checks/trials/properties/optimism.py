"""Optimism: if a learner's event holds, its model's optimal value is at least the true one; and the price of this.

The event bounds the deviation of estimates (`deviation`, `reward_deviation`, `row_deviation`); the model adds a bonus
or radii (`bonus`, `reward_radius`, `row_radius`). In the paper the two are the same formulas. An instance consists of
random counts, and of a true bandit as far above the estimates as the event allows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from flint import arb, fmpq

from proofs_checks.trials.counterexample import Counterexample
from proofs_checks.trials.history import History
from proofs_checks.trials.properties.formulas import Formulas, Point, UndefinedError, floor_of, in_digits
from proofs_checks.trials.properties.property import Property
from proofs_checks.trials.replays.confidence import Confidence, Learner, believed_model, event
from theory import ONE, ZERO, Arm, Bandit, decimal_text
from theory.certified import Truth
from theory.enclosures import enclosed_optimistic_value
from theory.optimism import best_row
from theory.paper import last_log_factor
from theory.random_models import Counts, Integers, Row, drawn, picked, random_counts, random_row
from theory.values import optimal_value

_SHOWN = 1000
"""Deviations of the truth are rounded down to multiples of 1/1000, to be readable."""


class Place(NamedTuple):
    """Where the truth of an arm state lies, relative to its estimates.

    `share` is the excess of the mean reward, as a share of the allowed deviation; `row` the true row, unless `towards`
    is a state that the true row makes as likely as the event allows.
    """

    share: fmpq
    row: Row
    towards: int | None


@dataclass(frozen=True)
class Experience:
    """The counts of arms of S states each, as those of a single episode, and the place of the true bandit."""

    history: History
    places: tuple[tuple[Place, ...], ...]
    episodes: int
    discount: fmpq

    def truth(self, of_rewards: Callable[[int], arb], of_rows: Callable[[int], arb] | None) -> Bandit:
        """Return the true bandit, given the deviations of rewards and rows allowed after a number of visits."""
        arms = []
        for a, places in enumerate(self.places):
            rewards, rows = [], []
            for x, place in enumerate(places):
                visits, (mean, row) = self.history.visits[a][x], self.history.estimate(a, x)
                rewards.append(min(ONE, mean + _rounded_down(of_rewards(visits)) * place.share))
                if place.towards is None or of_rows is None:
                    rows.append(place.row)
                else:
                    target = [fmpq(y == place.towards) for y in range(len(places))]
                    rows.append(best_row(row, _rounded_down(of_rows(visits)), target))
            arms.append(Arm(rewards=rewards, transitions=rows))
        return Bandit(arms, self.discount, [0] * len(arms))


def _rounded_down(ball: arb) -> fmpq:
    return max(fmpq(floor_of(ball * _SHOWN), _SHOWN), ZERO)


def _estimated_rows(counts: Counts) -> tuple[Row, ...]:
    size = len(counts.activations)
    return counts.empirical((fmpq(1, size),) * size)[1]


def any_arm(source: Integers, size: int) -> tuple[Counts, tuple[Place, ...]]:
    """Return any counts of an arm, and any place of the truth."""
    counts, states = random_counts(source, size), range(size)
    shares = [picked(source, (ONE, fmpq(1, 2), ZERO)) for _ in states]
    rows = [picked(source, (row, random_row(source, size))) for row in _estimated_rows(counts)]
    towards = [picked(source, (None, *states)) for _ in states]
    return counts, tuple(map(Place, shares, rows, towards))


def arm_at_the_border(source: Integers, size: int) -> tuple[Counts, tuple[Place, ...]]:
    """Return an arm with many visits whose true rewards, and rows towards one state, deviate as far as allowed."""
    moves = tuple(tuple(drawn(source, 0, 61) for _ in range(size)) for _ in range(size))
    activations = tuple(map(sum, moves))
    successes = tuple(drawn(source, 0, visits // 2 + 1) for visits in activations)  # the truth is still below 1
    counts, to = Counts(activations, moves, successes), drawn(source, 0, size)
    return counts, tuple(Place(ONE, row, to) for row in _estimated_rows(counts))


def experience(source: Integers) -> Experience:
    """Return an experience of one or two arms with one or two states: arbitrary, or at the border of the event."""
    size, arm = drawn(source, 1, 3), picked(source, (any_arm, arm_at_the_border))
    seen, places = zip(*(arm(source, size) for _ in range(drawn(source, 1, 3))), strict=True)
    total = sum(sum(counts.activations) for counts in seen)
    moves, paid = tuple(counts.moves for counts in seen), tuple(counts.successes for counts in seen)
    history = History(moves, paid, (total,) if total else ())
    return Experience(history, places, drawn(source, 2, 23), picked(source, (ZERO, fmpq(1, 2), fmpq(3, 4))))


@dataclass(frozen=True)
class _Radii(Confidence):
    """Radii computed by formulas that a user may replace: the named ones of values, rewards and rows."""

    formulas: Formulas | None = None
    names: tuple[str, str, str] = ("", "", "")

    def of_value(self, history: History, discount: fmpq, visits: int) -> arb:
        return self._ball(0, history, visits, beta=discount)

    def of_reward(self, history: History, discount: fmpq, visits: int) -> arb:
        return self._ball(1, history, visits)

    def of_row(self, history: History, discount: fmpq, visits: int) -> arb:
        return self._ball(2, history, visits)

    def _ball(self, which: int, history: History, visits: int, **more: Any) -> arb:
        assert self.formulas is not None
        name, at = self.names[which], self._at(history)
        found = self.formulas.ball(name, **at, N=visits, **more)
        if name in _OF_THE_MODEL and found < 0:
            told = f"{name} is {in_digits(found)}, which is negative"
            raise UndefinedError(f"{told}, at t = {history.step}, N = {visits}.")
        return found


_OF_THE_EVENT = ("deviation", "reward_deviation", "row_deviation")
_OF_THE_MODEL = ("bonus", "reward_radius", "row_radius")


def _refute_optimism(learner: Learner, formulas: Formulas, seen: Experience) -> Counterexample | None:
    history, beta = seen.history, seen.discount
    allowed = _Radii("text", seen.episodes, formulas=formulas, names=_OF_THE_EVENT)
    used = replace(allowed, names=_OF_THE_MODEL)
    by_bonus = learner == "mb-ucbvi"
    rewards = partial(allowed.of_value if by_bonus else allowed.of_reward, history, beta)
    truth = seen.truth(rewards, None if by_bonus else partial(allowed.of_row, history, beta))
    values = optimal_value(truth).values
    if event(learner, [History.empty(truth.sizes), history], truth, values, allowed) is not Truth.YES:
        return None
    found = enclosed_optimistic_value(believed_model(learner, history, beta, used, truth.initial)).values
    worst = max(values, key=lambda state: values[state] - found[state].high)
    if found[worst].high >= values[worst]:
        return None
    start = Bandit(truth.arms, truth.discount, worst)
    where = ", ".join(start.name((a, x)) for a, x in enumerate(worst))
    at = {"S": truth.sizes[0], "n": len(truth.arms), "K": seen.episodes, "t": history.step, "beta": beta}
    counts = [count for of_arm in history.visits for count in of_arm]
    estimates = [history.estimate(a, x) for a, x in truth.arm_states]
    compared = ("deviation", "bonus") if by_bonus else (*_OF_THE_EVENT[1:], *_OF_THE_MODEL[1:])
    return Counterexample(
        f"From ({where}) the true optimum is {decimal_text(values[worst], 6)}, "
        f"the model's at most {decimal_text(found[worst].high, 6)}.",
        {
            "K": seen.episodes,
            "t": history.step,
            "N": ", ".join(map(str, counts)),
            "estimated rewards": ", ".join(str(mean) for mean, _ in estimates),
            "estimated rows": "; ".join(" ".join(map(str, row)) for _, row in estimates),
            **{name: ", ".join(in_digits(formulas.ball(name, **at, N=count)) for count in counts) for name in compared},
        },
        start,
    )


def setting_within_a_run(source: Integers) -> Point:
    """Return S, n, K, the discount, N visits and a step t up to 2 K log K/(1 - beta), the last that proofs consider."""
    K = drawn(source, 2, 10 ** drawn(source, 1, 5) + 1)
    beta = picked(source, (ZERO, fmpq(1, 2), fmpq(9, 10), fmpq(99, 100)))
    last = floor_of(2 * K * arb(K).log() / (1 - arb(beta)))
    t = picked(source, (last, drawn(source, 1, last + 1)))
    S, n, N = drawn(source, 1, 7), drawn(source, 1, 7), drawn(source, 0, t)
    return {"S": S, "n": n, "K": K, "beta": beta, "N": N, "t": t}


def _refute_price(name: str, formulas: Formulas, at: Point) -> Counterexample | None:
    """Return a counterexample if a radius times sqrt(N) exceeds L_K/2 (rewards), L_K + 1.5 sqrt(S) (rows)."""
    S, beta = at["S"], arb(at["beta"])
    largest = last_log_factor(S, at["n"], at["K"], at["beta"])
    largest = largest + 3 * arb(S).sqrt() / 2 if name == "row_radius" else largest / 2
    counted = largest / arb(max(1, at["N"])).sqrt() / (1 - beta if name == "bonus" else 1)
    found = formulas.ball(name, **at)
    if not found > counted:
        return None
    return Counterexample(f"It is {in_digits(found)}, and {in_digits(counted)} is counted.", at)


def _refute_start(formulas: Formulas, at: Point) -> Counterexample | None:
    for name in _OF_THE_MODEL:
        found = formulas.ball(name, **{**at, "t": 1, "N": 0})
        if found < 0:
            return Counterexample(f"{name} is {in_digits(found)} at t = 1, N = 0.", {"K": at["K"]})
    return None


PROPERTIES = (
    Property(
        name="bonus-is-optimistic",
        says="Where values deviate by at most `deviation`, "
        "the model of MB-UCBVI with `bonus` promises the true optimum.",
        instances=experience,
        refute=partial(_refute_optimism, "mb-ucbvi"),
    ),
    Property(
        name="radii-are-optimistic",
        says="Where estimates deviate by at most `reward_deviation` and `row_deviation`, extended value iteration over "
        "`reward_radius` and `row_radius` promises the true optimum.",
        instances=experience,
        refute=partial(_refute_optimism, "mb-ucrl2"),
    ),
    Property(
        name="defined-from-the-start",
        says="`bonus`, `reward_radius` and `row_radius` are finite and not negative before anything was seen: "
        "t = 1, N = 0.",
        instances=setting_within_a_run,
        refute=_refute_start,
    ),
    *(
        Property(
            name=f"{name}-within-the-regret-bound".replace("_", "-"),
            says=f"`{name}` is at most what the proof of Theorem 1 counts for it, up to t = 2 K log K/(1 - beta).",
            instances=setting_within_a_run,
            refute=partial(_refute_price, name),
        )
        for name in _OF_THE_MODEL
    ),
)
