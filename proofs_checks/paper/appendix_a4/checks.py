r"""Pairs of models within the radii of estimates, and both sides of MB-UCRL2's bound on E[Delta^conc] on them, exactly.

The radii are those of the plausible set, L/(2 sqrt N) for rewards and (L + 1.5 sqrt S)/sqrt N for rows, where N is the
larger of 1 and the count. If sqrt S is irrational, the models stay within a slightly smaller rational radius.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import isqrt
from typing import TYPE_CHECKING

from flint import arb, fmpq

from proofs_checks.claimcheck.statements import Answer, Family, answer
from proofs_checks.paper.shared.horizons import values_later
from proofs_checks.paper.shared.model_pairs import Pair, gap_of, with_rewards
from theory import ONE, ZERO, Arm, Bandit, GlobalState
from theory.certified import Truth, at_most
from theory.optimism import membership_refutation
from theory.random_models import random_bandit, random_member, random_policy
from theory.values import Values

if TYPE_CHECKING:
    from numpy.random import Generator

ROOTS = (0, 1, 2, 3, 10, 100)
"""Square roots of the counts drawn."""
WITHIN_UNIT, WITHIN_RADIUS = "within [0, 1]", "within the radius"


@dataclass(frozen=True)
class Plausible:
    """Estimates with their counts, and two models of the plausible set with one policy.

    Attributes
    ----------
    pair
        The true model M, the learner's M_k, the policy, and the lengths of episodes to try.
    estimates
        The centre of the set, with the radii.
    roots
        ``roots[a][x]`` is the square root of the count of arm a in state x.
    S, L
    """

    pair: Pair
    estimates: Bandit
    roots: tuple[tuple[int, ...], ...]
    S: int
    L: fmpq

    def told(self, **more: object) -> dict[str, object]:
        """Return the models, together with `more`, as the data of a witness."""
        counts = [[root**2 for root in arm] for arm in self.roots]
        return {"S": self.S, "L": self.L, "N": counts, "estimates": self.estimates, **self.pair.told(**more)}


def with_radii(centre: Bandit, roots: tuple[tuple[int, ...], ...], S: int, L: fmpq) -> Bandit:
    """Return the estimates with the radii of the plausible set, rounded down if irrational."""
    of_rows = L + fmpq(3, 2) * fmpq(isqrt(S * 10**12), 10**6)
    arms = [
        replace(
            arm,
            reward_radius=tuple(L / (2 * max(1, root)) for root in of_arm),
            transition_radius=tuple(of_rows / max(1, root) for root in of_arm),
        )
        for arm, of_arm in zip(centre.arms, roots, strict=True)
    ]
    return Bandit(arms, centre.discount, centre.initial)


# -- the families


def first_step_only(steps: int) -> Plausible:
    """Return models that differ in the first state only, from which M_k goes more often to reward 1, M to reward 0.

    There are four states, so that sqrt S = 2; the last is never reached. All but the first were visited very often.
    """
    S, L, root, often = 4, fmpq(4), 100, 10**8  # equivalent: some numbers of visits
    reward, moved = L / (2 * root), (L + 3) / (2 * root)
    stay = [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]

    def model(sign: int) -> Bandit:
        up, half = sign * moved, fmpq(1, 2)
        return Bandit(
            [Arm(rewards=[half + sign * reward, 1, 0, 0], transitions=[[0, half + up, half - up, 0], *stay])], 0
        )

    roots = ((root, often, often, often),)
    policy: dict[GlobalState, int] = {(x,): 0 for x in range(S)}
    return Plausible(Pair(model(-1), model(1), policy, (steps,)), with_radii(model(0), roots, S, L), roots, S, L)


def rare_state() -> Plausible:
    """Return models with a state seen once, last in H_1 > 10**6 steps (K = 94 * 10**13: L_1 about 10), of reward 6."""
    S, L, roots, discount = 2, fmpq(10), ((1000, 1),), fmpq(39999, 40000)

    def model(leaving: int, reward: fmpq | int) -> Bandit:
        rate = fmpq(leaving, 10**6)
        arm = Arm(rewards=[0, reward], transitions=[[1 - rate, rate], [0, 1]], states=["A", "B"])
        return Bandit([arm], discount, ["A"])

    pair = Pair(model(1, fmpq(1, 2)), model(6061, 6), {(0,): 0, (1,): 0}, (30,))
    return Plausible(pair, with_radii(model(1, 1), roots, S, L), roots, S, L)


def drawn(generator: Generator) -> Plausible:
    """Return random estimates and counts, with two random models of their plausible set with rewards in [0, 1]."""
    centre = random_bandit(generator, max_arms=2, max_global_states=9)
    roots = tuple(tuple(ROOTS[int(generator.integers(len(ROOTS)))] for _ in range(arm.size)) for arm in centre.arms)
    S, L = max(centre.sizes), fmpq(int(generator.integers(1, 9)), 2)
    estimates = with_radii(centre, roots, S, L)
    members = (random_member(generator, estimates) for _ in range(2))
    true, learned = (with_rewards(member, lambda r: min(ONE, max(ZERO, r))) for member in members)
    return Plausible(Pair(true, learned, random_policy(generator, centre)), estimates, roots, S, L)


def members() -> Iterator[Plausible]:
    """Yield models that nearly reach the bound, and models with a reward outside [0, 1]."""
    yield first_step_only(3)
    yield first_step_only(200)
    yield rare_state()


PLAUSIBLE = Family("estimates with counts, and two models within the radii", members, draw=drawn)


# -- both sides


def within_display(case: Plausible, c: fmpq, rewards: str) -> Answer:
    """Return whether W_{M_k} - W_M is at most c times the sum over steps of (L + (2L + 3 sqrt S) H)/sqrt(max{1, N}).

    Raises
    ------
    ArithmeticError
        If a model is outside the plausible set.
    """
    for model in (case.pair.true, case.pair.learned):
        if why := membership_refutation(model, case.estimates):
            raise ArithmeticError(f"the model is not plausible: {why}")
        if rewards == WITHIN_UNIT and not all(0 <= r <= 1 for arm in model.arms for r in arm.rewards):
            return answer(True)
    for steps in case.pair.lengths:
        gaps, visits = gap_of(case.pair, steps), inverse_roots(case, steps)
        for start, gap in gaps.items():
            bound = partial(_display, case, steps, c * visits[start])
            if (truth := at_most(partial(arb, gap), bound)) is not Truth.YES:
                return answer(truth, **case.told(H=steps, start=start, gap=gap, bound=bound()))
    return answer(True)


def _display(case: Plausible, steps: int, visits: fmpq) -> arb:
    front: arb = case.L + (2 * case.L + 3 * arb(case.S).sqrt()) * steps
    return front * visits


def inverse_roots(case: Plausible, steps: int) -> Values:
    """Return the expectation, in M, of the sum over `steps` steps of 1/sqrt(max{1, N}) at the state played."""
    values: Values = dict.fromkeys(case.pair.policy, ZERO)
    for _ in range(steps):
        later = values_later(case.pair.true, case.pair.policy, values)
        values = {x: fmpq(1, max(1, case.roots[a][x[a]])) + later[x] for x, a in case.pair.policy.items()}
    return values
