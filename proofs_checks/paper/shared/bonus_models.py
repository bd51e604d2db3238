"""MB-UCBVI's models: estimates with a bonus on the rewards, beside the true bandit; and two small examples.

The examples have the least bonus for which the event's inequality for values holds at the arms that an optimal policy
plays, so that equality is common.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from flint import fmpq

from proofs_checks.claimcheck.statements import Answer, answer
from theory import (
    ONE,
    ZERO,
    Arm,
    ArmState,
    Bandit,
    DecisionProcess,
    GlobalState,
    expectation,
    gittins_priority,
    policy_value,
    rational,
)
from theory.random_models import random_bandit, random_counts, random_row, random_sub_row
from theory.values import Activation, optimal_value, priority_policy, product_process, values_after

if TYPE_CHECKING:
    from numpy.random import Generator

Row: TypeAlias = "tuple[fmpq, ...]"
Estimates: TypeAlias = "Mapping[ArmState, tuple[fmpq, Row]]"
"""Mean reward and row of each arm state; rows may sum to less than 1."""


@dataclass(frozen=True)
class Estimated:
    """A bandit, and estimates of its rewards and rows without bonus."""

    true: Bandit
    estimates: Estimates

    def least_bonus(self) -> dict[ArmState, fmpq]:
        """Return the least b >= 0 with r-hat + b + beta P-hat V* >= V* in all states in which the arm is optimal."""
        optimum = optimal_value(self.true)
        bonus = dict.fromkeys(self.true.arm_states, ZERO)
        for state, a in optimum.policy.items():
            reward, row = self.estimates[a, state[a]]
            after = values_after(self.true, optimum.values, state, a)
            missing = optimum.values[state] - reward - self.true.discount * expectation(row, after)
            bonus[a, state[a]] = max(bonus[a, state[a]], missing)
        return bonus

    def with_bonus(self, share: fmpq) -> Estimates:
        """Return the estimates with a share of the least bonus on the rewards."""
        bonus = self.least_bonus()
        return {key: (reward + share * bonus[key], row) for key, (reward, row) in self.estimates.items()}

    def told(self, share: fmpq, **more: object) -> dict[str, object]:
        """Return the two models, together with `more`, as the data of a witness."""
        learned = {self.true.name(key): each for key, each in self.with_bonus(share).items()}
        return {"M": self.true, "M_k, reward with bonus and row": learned, **more}


def estimated_bandit(true: Bandit, estimates: Estimates) -> Bandit:
    """Return the bandit of these mean rewards and rows, which have to be probabilities."""
    arms = []
    for a, arm in enumerate(true.arms):
        rewards, rows = zip(*(estimates[a, x] for x in range(arm.size)), strict=True)
        arms.append(Arm(rewards=rewards, transitions=rows))
    return Bandit(arms, true.discount)


def process_of(bandit: Bandit, estimates: Estimates) -> DecisionProcess[GlobalState, int]:
    """Return the process with these rewards and rows; play ends with the probability by which a row is below 1."""
    return product_process(bandit, lambda a, x: Activation(*estimates[a, x]), may_end=True)


def index_policy_is_optimistic(case: Estimated, share: object) -> Answer:
    """Return whether the index policy's value in M_k, with a share of the least bonus, is at least the optimum in M."""
    learned = estimated_bandit(case.true, case.with_bonus(rational(share)))
    found = policy_value(learned, priority_policy(learned, gittins_priority(learned)))
    return _above_optimum(case, rational(share), found)


def best_policy_is_optimistic(case: Estimated, share: object) -> Answer:
    """Return whether the optimal value in M_k, where play may end, is at least the optimum in M."""
    found = process_of(case.true, case.with_bonus(rational(share))).solve().values
    return _above_optimum(case, rational(share), found)


def _above_optimum(case: Estimated, share: fmpq, found: Mapping[GlobalState, fmpq]) -> Answer:
    for state, value in optimal_value(case.true).values.items():
        if found[state] < value:
            return answer(False, **case.told(share, state=state, V_M=value, V_of_M_k=found[state]))
    return answer(True)


# -- cases


def one_state() -> Iterator[Estimated]:
    """Yield an arm of one state that pays 1 and is estimated as 0, so that it needs all of the bonus."""
    yield Estimated(Bandit([Arm(rewards=[1], transitions=[[1]])], fmpq(1, 2)), {(0, 0): (ZERO, (ONE,))})


def from_counts(generator: Generator) -> Estimated:
    """Draw a bandit, and estimates from counts; states never visited have arbitrary probability rows."""
    bandit = random_bandit(generator, max_arms=2, max_global_states=9)
    estimates: dict[ArmState, tuple[fmpq, Row]] = {}
    for a, arm in enumerate(bandit.arms):
        rewards, rows = random_counts(generator, arm.size).empirical(random_row(generator, arm.size))
        estimates |= {(a, x): (rewards[x], rows[x]) for x in range(arm.size)}
    return Estimated(bandit, estimates)


def with_short_rows(generator: Generator) -> Estimated:
    """Draw a bandit, rewards from 0 to 1, and rows of sum 0, 1/3, 2/3 or 1."""
    bandit = random_bandit(generator, max_arms=2, max_global_states=9)
    estimates = {
        (a, x): (fmpq(int(generator.integers(0, 5)), 4), random_sub_row(generator, bandit.arms[a].size))
        for a, x in bandit.arm_states
    }
    return Estimated(bandit, estimates)


# -- a row of zeros


def indices_with_row_of_zeros(root_n: int, row_of_v: Row) -> Answer:
    """Return whether the index policy is optimal in M_k and optimistic, at beta = 1/2 and L = 3.

    Arm 1 goes from u (100 visits, 15 rewards) to v (no visit), where it truly stays and pays 0; arm 2 always pays 1 and
    was played `root_n`^2 times. An index is the largest quotient of reward and time up to a stopping time; the end of
    all play costs nothing.
    """
    beta, L, mean_of_u = fmpq(1, 2), fmpq(3), fmpq(3, 20)
    true = Bandit(
        [
            Arm(rewards=[mean_of_u, 0], transitions=[[0, 1], [0, 1]], states=["u", "v"]),
            Arm(rewards=[1], transitions=[[1]], states=["w"]),
        ],
        beta,
        ["u", "w"],
    )
    bonus = {root: L / (2 * (1 - beta) * root) for root in (1, 10, root_n)}
    means: Estimates = {
        (0, 0): (mean_of_u, (ZERO, ONE)),
        (0, 1): (ZERO, tuple(map(rational, row_of_v))),
        (1, 0): (ONE, (ONE,)),
    }
    roots = {(0, 0): 10, (0, 1): 1, (1, 0): root_n}
    learned = {key: (reward + bonus[roots[key]], row) for key, (reward, row) in means.items()}
    needed = Estimated(true, means).least_bonus()
    if any(needed[key] > bonus[root] for key, root in roots.items()):
        raise ArithmeticError("the bonus does not cover the deviations of values")
    values = optimal_value(true).values
    indices = _indices_of_u_v_w(learned, beta)
    rank = dict(zip(((0, 0), (0, 1), (1, 0)), indices, strict=True))
    process = process_of(true, learned)
    by_index = process.evaluate({x: max((0, 1), key=lambda a: rank[a, x[a]]) for x in values})
    best = process.solve().values
    return answer(
        by_index == best and by_index[0, 0] >= values[0, 0],
        M=true,
        bonus="L/(2 (1 - beta) sqrt(max{1, N})), 3 for N = 0",
        reward_with_bonus_and_row={true.name(key): each for key, each in learned.items()},
        indices_of_u_v_w=indices,
        from_u_w_the_index_policy_in_M_k=by_index[0, 0],
        from_u_w_the_optimum_in_M_k=best[0, 0],
        from_u_w_the_optimum_in_M=values[0, 0],
    )


def _indices_of_u_v_w(learned: Estimates, beta: fmpq) -> tuple[fmpq, fmpq, fmpq]:
    """Return the best quotients of reward and time from u, v and w, if u moves to v, v stays or ends, and w stays."""
    r_u, r_v, stays = learned[0, 0][0], learned[0, 1][0], learned[0, 1][1][1]
    for_ever = 1 / (1 - beta * stays)
    return max(r_u, (r_u + beta * r_v * for_ever) / (1 + beta * for_ever)), r_v, learned[1, 0][0]
