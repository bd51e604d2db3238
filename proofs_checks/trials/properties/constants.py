"""Constants of Lemma sum, of the moments of the longest horizon, and of Theorem 3's counterexample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from flint import arb, fmpq

from proofs_checks.trials.counterexample import Counterexample
from proofs_checks.trials.properties.formulas import FormulaError, Formulas, Point, floor_of, in_digits
from proofs_checks.trials.properties.property import Property
from theory import Bandit, BanditError, decimal_text, optimistic_value
from theory.paper import counterexample
from theory.random_models import Integers, drawn, picked


@dataclass(frozen=True)
class Run:
    """The arm state, of `states` many from 0, played at each step: episodes, each with its number of repetitions."""

    states: int
    blocks: tuple[tuple[tuple[int, ...], int], ...]


def run(source: Integers) -> Run:
    """Return a run of at most a thousand episodes, some of which play one arm state for long or are repeated often."""
    states = drawn(source, 1, 5)

    def block() -> tuple[tuple[int, ...], int]:
        wandering = tuple(drawn(source, 0, states) for _ in range(drawn(source, 1, 61)))
        return picked(source, (wandering, wandering[:1] * len(wandering))), drawn(source, 1, 251)

    return Run(states, tuple(block() for _ in range(drawn(source, 1, 5))))


def _refute_sum(formulas: Formulas, run: Run) -> Counterexample | None:
    visits, total = [0] * run.states, arb(0)
    for episode, times in run.blocks:
        played = Counter(episode)
        for _ in range(times):
            for x, count in played.items():
                total += count / arb(max(1, visits[x])).sqrt()
                visits[x] += count
    longest, K = max(len(episode) for episode, _ in run.blocks), sum(times for _, times in run.blocks)
    first, second = formulas.number("sum_horizon"), formulas.number("sum_root")
    bound = first * run.states * longest + arb(second) * arb(run.states * K * longest).sqrt()
    if not total > bound:
        return None
    return Counterexample(
        f"The sum is {in_digits(total)}, above {in_digits(bound)}.",
        {"S n": run.states, "K": K, "max H": longest, "run": "; then ".join(map(_told, run.blocks))},
    )


def _told(block: tuple[tuple[int, ...], int]) -> str:
    """Return in words an episode and its number of repetitions.

    Examples
    --------
    >>> _told(((0,), 11)), _told(((1, 1, 1), 1)), _told(((0, 2), 3))
    ('11 episodes of 1 step in state 1', '1 episode of 3 steps in state 2', '3 episodes of the steps in states 1, 3')
    """
    played, times = block
    episodes = f"{times} episode{'s' if times > 1 else ''}"
    if len(set(played)) == 1:
        return f"{episodes} of {len(played)} step{'s' if len(played) > 1 else ''} in state {played[0] + 1}"
    return f"{episodes} of the steps in states {', '.join(str(x + 1) for x in played)}"


def horizons(source: Integers) -> Point:
    """Return a power from 1 to 5/2, a number of horizons from 1 to 100 000, and their discount."""
    return {
        "alpha": picked(source, (fmpq(1), fmpq(3, 2), fmpq(2), fmpq(5, 2))),
        "K": drawn(source, 1, 10 ** drawn(source, 1, 5) + 1),
        "beta": picked(source, (fmpq(0), fmpq(1, 2), fmpq(3, 4), fmpq(9, 10), fmpq(99, 100))),
    }


def _refute_moment(formulas: Formulas, at: Point) -> Counterexample | None:
    """Return a counterexample if a partial sum of i^alpha P(max H = i), a lower bound of the moment, is too large."""
    alpha, beta, K = arb(at["alpha"]), arb(at["beta"]), at["K"]
    last = 1 - floor_of(-(arb(K).log() + 12) / (1 - beta))
    below, moment, survives = arb(0), arb(0), arb(1)
    for i in range(1, last + 1):
        survives *= beta
        upto = (1 - survives) ** K
        moment += arb(i) ** alpha * (upto - below)
        below = upto
    bound = formulas.ball("moment", **at)
    if not moment > bound:
        return None
    return Counterexample(f"The moment is at least {in_digits(moment)}, above {in_digits(bound)}.", at)


THEOREM_1 = (
    Property(
        name="sum-of-roots",
        says="The sum of 1/sqrt(max{1, N_(k-1)}) over all steps is at most "
        "`sum_horizon` S n max H + `sum_root` sqrt(S n K max H), in runs of at most 1000 episodes.",
        instances=run,
        refute=_refute_sum,
        first=(Run(1, (((0,), 1000),)), Run(1, (((0,) * 1000, 1),))),
    ),
    Property(
        name="moment-of-the-longest-horizon",
        says="The mean of max_k H_k^alpha over K <= 100000 geometric horizons is at most `moment`, for alpha <= 5/2.",
        instances=horizons,
        refute=_refute_moment,
        first=({"alpha": fmpq(2), "K": 1, "beta": fmpq(999, 1000)},),
    ),
)


# --- the two inequalities of Theorem 3, for any reward, radius and discount

POLICY_2 = ("A2", "B1", "B3", "A1", "A3", "B2")
POLICY_1 = ("A2", "A1", "B1", "B3", "A3", "B2")


def _refute_order(order: Sequence[str], start: tuple[str, str], formulas: Formulas, _: None) -> Counterexample | None:
    numbers = {name: formulas.number(name) for name in ("reward_b", "radius", "discount")}
    try:
        bandit = counterexample(**numbers)
    except BanditError as error:
        raise FormulaError(str(error)) from None
    of_policy = optimistic_value(bandit, order, start)
    best = optimistic_value(bandit, None, start)
    if of_policy.value < best.value:
        return None
    return Counterexample(
        f"From ({', '.join(start)}) the policy's largest value is {decimal_text(of_policy.value)}, the largest of any "
        f"policy {decimal_text(best.value)}.",
        numbers,
        Bandit(bandit.arms, bandit.discount, start),
    )


THEOREM_3 = tuple(
    Property(
        name=f"policy-{number}-is-below",
        says=f"From ({', '.join(start)}) the largest value of policy {number} is below that of some other policy, with "
        "`reward_b`, `radius` and `discount`.",
        instances=lambda _: None,
        refute=partial(_refute_order, priority, start),
    )
    for number, priority, start in ((2, POLICY_2, ("A1", "B3")), (1, POLICY_1, ("A1", "B1")))
)
