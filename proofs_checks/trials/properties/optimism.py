"""Optimism: if a learner's event holds, its model's optimal value is at least the true one; and the price of this.

The event bounds the deviation of estimates (`deviation`, `reward_deviation`, `row_deviation`); the model adds a bonus
or radii (`bonus`, `reward_radius`, `row_radius`). In the paper the two are the same formulas. An instance consists of
random counts, and of a true bandit as far above the estimates as the event allows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from flint import arb, fmpq

from proofs_checks.trials.counterexample import Counterexample
from proofs_checks.trials.properties.formulas import BITS, Formulas, UndefinedError, floor_of
from proofs_checks.trials.properties.property import Property
from proofs_checks.trials.replays import Confidence, History, Learner, believed_model, event
from theory import ONE, ZERO, Arm, Bandit, decimal_text
from theory.certified import Truth
from theory.enclosures import enclosed_optimistic_value, real_number
from theory.optimism import best_row
from theory.paper import last_log_factor
from theory.random_models import Counts, Integers, drawn, picked, random_counts, random_row
from theory.values import optimal_value

_SHOWN = 1000
"""Deviations of the truth are rounded down to multiples of 1/1000, to be readable."""


@dataclass(frozen=True)
class _ArmSeen:
    """The counts of one arm, and the position of its true rewards and rows relative to the estimates.

    `shares` (S,): excess of the true mean reward over the estimate, as a share of the allowed deviation. `rows` (S, S):
    the true rows. `towards` (S,): a state that the true row makes as likely as the event allows, or None.
    """

    counts: Counts
    shares: tuple[fmpq, ...]
    rows: tuple[tuple[fmpq, ...], ...]
    towards: tuple[int | None, ...]

    def truth(self, of_rewards: Callable[[int], arb], of_rows: Callable[[int], arb] | None) -> Arm:
        """Return the true arm, given the deviations of rewards and rows allowed after a number of visits."""
        rewards, rows = [], []
        for x, visits in enumerate(self.counts.activations):
            mean = fmpq(self.counts.successes[x], max(1, visits))
            rewards.append(min(ONE, mean + _rounded_down(of_rewards(visits)) * self.shares[x]))
            to = self.towards[x]
            if to is None or of_rows is None:
                rows.append(self.rows[x])
            else:
                target = [fmpq(y == to) for y in range(len(self.rows))]
                rows.append(best_row(_estimated_row(self.counts, x), _rounded_down(of_rows(visits)), target))
        return Arm(rewards=rewards, transitions=rows)


def _rounded_down(ball: arb) -> fmpq:
    return max(fmpq(floor_of(ball * _SHOWN), _SHOWN), ZERO)


def _estimated_row(counts: Counts, x: int) -> tuple[fmpq, ...]:
    visits, moves = counts.activations[x], counts.moves[x]
    return tuple(fmpq(move, visits) if visits else fmpq(1, len(moves)) for move in moves)


@dataclass(frozen=True)
class Experience:
    """A learner's counts before an episode, and the position of the true bandit relative to its estimates.

    Attributes
    ----------
    arms
        Counts of the arms, of S states each.
    episodes : int
        Number K of episodes.
    discount : fmpq
    """

    arms: tuple[_ArmSeen, ...]
    episodes: int
    discount: fmpq

    @property
    def history(self) -> History:
        """The counts of all arms, as those of a single episode."""
        counts = [arm.counts for arm in self.arms]
        total = sum(sum(each.activations) for each in counts)
        return History(
            moves=tuple(each.moves for each in counts),
            paid=tuple(each.successes for each in counts),
            lengths=(total,) if total else (),
        )

    def truth(self, of_rewards: Callable[[int], arb], of_rows: Callable[[int], arb] | None) -> Bandit:
        """Return the true bandit, given the deviations of rewards and rows allowed after a number of visits."""
        return Bandit([arm.truth(of_rewards, of_rows) for arm in self.arms], self.discount, [0] * len(self.arms))


def _any_arm(source: Integers, size: int) -> _ArmSeen:
    counts, states = random_counts(source, size), range(size)
    return _ArmSeen(
        counts,
        tuple(picked(source, (ONE, fmpq(1, 2), ZERO)) for _ in states),
        tuple(picked(source, (_estimated_row(counts, x), random_row(source, size))) for x in states),
        tuple(picked(source, (None, *states)) for _ in states),
    )


def _arm_at_the_border(source: Integers, size: int) -> _ArmSeen:
    """Return an arm with many visits whose true rewards, and rows towards one state, deviate as far as allowed."""
    moves = tuple(tuple(drawn(source, 0, 61) for _ in range(size)) for _ in range(size))
    activations = tuple(map(sum, moves))
    successes = tuple(drawn(source, 0, visits // 2 + 1) for visits in activations)  # the truth is still below 1
    counts = Counts(activations, moves, successes)
    rows = tuple(_estimated_row(counts, x) for x in range(size))
    return _ArmSeen(counts, (ONE,) * size, rows, (drawn(source, 0, size),) * size)


def experience(source: Integers) -> Experience:
    """Return an experience of one or two arms with one or two states: arbitrary, or at the border of the event."""
    size, arm = drawn(source, 1, 3), picked(source, (_any_arm, _arm_at_the_border))
    seen = tuple(arm(source, size) for _ in range(drawn(source, 1, 3)))
    return Experience(seen, drawn(source, 2, 23), picked(source, (ZERO, fmpq(1, 2), fmpq(3, 4))))


@dataclass(frozen=True)
class _Radii(Confidence):
    """Radii computed by formulas that a user may replace."""

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
        name, S, n = self.names[which], len(history.paid[0]), len(history.paid)
        found = self.formulas.ball(name, S=S, n=n, K=self.episodes, t=history.step, N=visits, **more)
        if name in _OF_THE_MODEL and found < 0:
            told = decimal_text(_middle(found), 6)
            raise UndefinedError(f"{name} is {told}, which is negative, at t = {history.step}, N = {visits}.")
        return found


_OF_THE_EVENT = ("deviation", "reward_deviation", "row_deviation")
_OF_THE_MODEL = ("bonus", "reward_radius", "row_radius")


def _refute_optimism(learner: Learner, formulas: Formulas, seen: Experience) -> Counterexample | None:
    allowed = _Radii("text", seen.episodes, formulas=formulas, names=_OF_THE_EVENT)
    used = replace(allowed, names=_OF_THE_MODEL)
    rewards = partial(allowed.of_value if learner == "mb-ucbvi" else allowed.of_reward, seen.history, seen.discount)
    rows = partial(allowed.of_row, seen.history, seen.discount) if learner == "mb-ucrl2" else None
    truth = seen.truth(rewards, rows)
    values = optimal_value(truth).values
    if event(learner, [History.empty(truth), seen.history], truth, values, allowed) is not Truth.YES:
        return None
    model = believed_model(learner, seen.history, seen.discount, used, truth.initial)
    found = enclosed_optimistic_value(model).values
    worst = max(values, key=lambda state: values[state] - found[state].high)
    if found[worst].high >= values[worst]:
        return None
    start = Bandit(truth.arms, truth.discount, worst)
    where = ", ".join(start.name((a, x)) for a, x in enumerate(worst))
    compared = (
        {"deviation": allowed.of_value, "bonus": used.of_value}
        if learner == "mb-ucbvi"
        else {
            "reward_deviation": allowed.of_reward,
            "row_deviation": allowed.of_row,
            "reward_radius": used.of_reward,
            "row_radius": used.of_row,
        }
    )
    counts = [count for counts in seen.history.visits for count in counts]
    estimates = [seen.history.estimate(a, x) for a, x in truth.arm_states]
    return Counterexample(
        f"From ({where}) the true optimum is {decimal_text(values[worst], 6)}, "
        f"the model's at most {decimal_text(found[worst].high, 6)}.",
        {
            "K": str(seen.episodes),
            "t": str(seen.history.step),
            "N": ", ".join(map(str, counts)),
            "estimated rewards": ", ".join(str(mean) for mean, _ in estimates),
            "estimated rows": "; ".join(" ".join(map(str, row)) for _, row in estimates),
            **{
                name: ", ".join(decimal_text(_middle(of(seen.history, seen.discount, count)), 6) for count in counts)
                for name, of in compared.items()
            },
        },
        start,
    )


def _middle(ball: arb) -> fmpq:
    found = real_number(ball).enclosure(BITS)
    return (found.low + found.high) / 2


@dataclass(frozen=True)
class Setting:
    """Parameters of a formula: S, n, K, the discount, the visits N and the step t."""

    S: int
    n: int
    K: int
    beta: fmpq
    N: int
    t: int


def setting_within_a_run(source: Integers) -> Setting:
    """Return a setting with t up to 2 K log K/(1 - beta), the largest step that the proofs consider."""
    K = drawn(source, 2, 10 ** drawn(source, 1, 5) + 1)
    beta = picked(source, (ZERO, fmpq(1, 2), fmpq(9, 10), fmpq(99, 100)))
    last = floor_of(2 * K * arb(K).log() / (1 - arb(beta)))
    t = picked(source, (last, drawn(source, 1, last + 1)))
    return Setting(drawn(source, 1, 7), drawn(source, 1, 7), K, beta, drawn(source, 0, t), t)


def _refute_price(name: str, formulas: Formulas, at: Setting) -> Counterexample | None:
    """Return a counterexample if a radius times sqrt(N) exceeds L_K/2 (rewards), L_K + 1.5 sqrt(S) (rows)."""
    more = {"beta": at.beta} if name == "bonus" else {}
    root = arb(max(1, at.N)).sqrt()
    largest = last_log_factor(at.S, at.n, at.K, at.beta)
    largest = largest + 3 * arb(at.S).sqrt() / 2 if name == "row_radius" else largest / 2
    counted = largest / root / (1 - arb(at.beta) if name == "bonus" else 1)
    found = formulas.ball(name, S=at.S, n=at.n, K=at.K, t=at.t, N=at.N, **more)
    if not found > counted:
        return None
    return Counterexample(
        f"It is {decimal_text(_middle(found), 6)}, and {decimal_text(_middle(counted), 6)} is counted.",
        {key: str(value) for key, value in vars(at).items()},
    )


def _refute_start(formulas: Formulas, at: Setting) -> Counterexample | None:
    for name in _OF_THE_MODEL:
        more = {"beta": at.beta} if name == "bonus" else {}
        found = formulas.ball(name, S=at.S, n=at.n, K=at.K, t=1, N=0, **more)
        if found < 0:
            return Counterexample(f"{name} is {found.str(6, radius=False)} at t = 1, N = 0.", {"K": str(at.K)})
    return None


def _price(name: str, what: str) -> Property:
    return Property(
        name=f"{name}-within-the-regret-bound".replace("_", "-"),
        suite="optimism",
        says=f"{what} is at most what the proof of Theorem 1 counts for it, up to t = 2 K log K/(1 - beta).",
        formulas=(name,),
        instances=setting_within_a_run,
        refute=lambda formulas, at: _refute_price(name, formulas, at),
    )


PROPERTIES = (
    Property(
        name="bonus-is-optimistic",
        suite="optimism",
        says="Where values deviate by at most `deviation`, "
        "the model of MB-UCBVI with `bonus` promises the true optimum.",
        formulas=("bonus", "deviation"),
        instances=experience,
        refute=lambda formulas, seen: _refute_optimism("mb-ucbvi", formulas, seen),
    ),
    Property(
        name="radii-are-optimistic",
        suite="optimism",
        says="Where estimates deviate by at most `reward_deviation` and `row_deviation`, extended value iteration over "
        "`reward_radius` and `row_radius` promises the true optimum.",
        formulas=("reward_radius", "row_radius", "reward_deviation", "row_deviation"),
        instances=experience,
        refute=lambda formulas, seen: _refute_optimism("mb-ucrl2", formulas, seen),
    ),
    Property(
        name="defined-from-the-start",
        suite="optimism",
        says="Bonus and radii are finite and not negative before anything was seen: t = 1, N = 0.",
        formulas=_OF_THE_MODEL,
        instances=setting_within_a_run,
        refute=_refute_start,
    ),
    _price("bonus", "The bonus"),
    _price("reward_radius", "The radius of a reward"),
    _price("row_radius", "The radius of a row"),
)
