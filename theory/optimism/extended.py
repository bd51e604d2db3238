r"""Exact extended value iteration: the largest value over all policies *and* all transition rows within the radii.

On the product space the maximisation may choose a row per *global* state (`eq:EVI`). A Markovian bandit of the
confidence set has one row per *arm state*, which all global states with the arm there share: a smaller set. So the
result bounds the supremum over the set's bandits from above, and equals it if the maximising rows can be shared in all
global states that play can reach from the initial state (`theory.optimism.sharing` decides this).

With finitely many policies and rational data, policy iteration ends with the exact rational optimum. Rewards take the
upper end of their radius. The set of `eq:conf_rq` does not cut them off at 1; `largest_reward` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from flint import fmpq

from theory.decision_process import DecisionProcess, OrderRule
from theory.domain import named_rational
from theory.errors import ModelError
from theory.model import ArmState, Bandit, GlobalState, check_bandit
from theory.optimism.confidence_set import upper_reward
from theory.optimism.l1_ball import greedy_row
from theory.optimism.sharing import Sharing, decide_sharing
from theory.rationals import Exact
from theory.values import Activation, priority_policy, product_process

_INSTEAD = "extended value iteration needs the product; with all radii 0 its value is that of the Gittins policy"


@dataclass(frozen=True)
class OptimisticValue:
    """The outcome of extended value iteration.

    `value` is the value from the initial state, `values` those from every global state. Also by global state: `policy`
    is an optimistic one, or the given one, and `rows` has a maximising row, (S_a,), of the arm played. `sharing` says
    whether a bandit of the confidence set has this value from the initial state, and which.
    """

    value: fmpq
    values: dict[GlobalState, fmpq]
    policy: dict[GlobalState, int]
    rows: dict[GlobalState, tuple[fmpq, ...]]
    sharing: Sharing

    @property
    def attained(self) -> bool | None:
        """Whether the supremum over the set of bandits is attained at this value; None if undecided by ties."""
        return self.sharing.attained


def optimistic_value(
    bandit: Bandit,
    priority: Sequence[str | ArmState] | None = None,
    initial: Sequence[int | str] | None = None,
    largest_reward: Exact | None = None,
) -> OptimisticValue:
    """Return the exact result of extended value iteration over the radii of `bandit`.

    Parameters
    ----------
    bandit
        Estimates with their radii.
    priority
        If given, only this priority policy is considered; the maximum is then over rows alone.
    initial
        One state per arm; the model's own where omitted.
    largest_reward
        If given, plausible models have no larger rewards: 1 where rewards are known to lie in [0, 1].

    Raises
    ------
    ModelError
        For a bad priority order, a missing initial state, or a largest reward below every plausible one.
    TooLargeError
        If the product of the arms is too large.

    Examples
    --------
    >>> from theory import Arm, paper_model
    >>> best = optimistic_value(paper_model("counterexample"))
    >>> best.value, best.attained
    (49167/7600, True)
    >>> arm = Arm(rewards=["1/2"], transitions=[[1]], reward_radius=["2/3"])
    >>> bandit = Bandit([arm], "1/2", [0])
    >>> optimistic_value(bandit).value, optimistic_value(bandit, largest_reward=1).value
    (7/3, 2)
    """
    check_bandit(bandit)
    if largest_reward is not None:
        bandit = with_rewards_at_most(bandit, largest_reward)
    start = bandit.start(initial)
    solution = extended_process(bandit, priority).solve()
    rows = {state: tuple(action.row) for state, action in solution.actions.items()}
    return OptimisticValue(
        solution.values[start], solution.values, solution.policy, rows, decide_sharing(bandit, start, solution)
    )


def extended_process(
    bandit: Bandit, priority: Sequence[str | ArmState] | None = None
) -> DecisionProcess[GlobalState, int]:
    """Return the decision process that maximises over arms and rows of the balls; with `priority`, over rows only.

    Raises
    ------
    ModelError
        For a bad priority order.
    TooLargeError
        If the product of the arms is too large.
    """

    def upper(a: int, x: int) -> Activation:
        row, radius = bandit.arms[a].transitions[x], bandit.arms[a].transition_radius[x]
        return Activation(upper_reward(bandit, a, x), row, OrderRule(partial(greedy_row, row, radius)))

    policy = None if priority is None else priority_policy(bandit, priority)
    return product_process(bandit, upper, policy, instead=_INSTEAD)


def with_rewards_at_most(bandit: Bandit, largest: Exact) -> Bandit:
    """Return the bandit with every reward at the upper end of its radius, or at `largest` where that is less.

    The rewards have no radii left; rows keep theirs.

    Raises
    ------
    ModelError
        If all plausible rewards of some arm state lie above `largest`.
    NumberError
        For a number that is not exact.
    """
    check_bandit(bandit)
    most = named_rational(largest, "largest reward")
    for a, x in bandit.arm_states:
        least = bandit.arms[a].rewards[x] - bandit.arms[a].reward_radius[x]
        if least > most:
            where = f"arm {a + 1}, state {bandit.name((a, x))}"
            raise ModelError(f"{where}: plausible rewards are {least} or more, and so all above {most}")
    return with_rewards_cut_off(bandit, most)


def with_rewards_cut_off(bandit: Bandit, most: fmpq) -> Bandit:
    """Return what `with_rewards_at_most` does, even where all plausible rewards lie above `most`."""
    arms = [
        replace(
            arm,
            rewards=tuple(min(upper_reward(bandit, a, x), most) for x in range(arm.size)),
            reward_radius=(),
            reward_laws=(),
        )
        for a, arm in enumerate(bandit.arms)
    ]
    return Bandit(arms, bandit.discount, bandit.initial)
