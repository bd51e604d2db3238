r"""Extended value iteration, exactly: the best value over all policies *and* all transition rows within the radii.

On the product space the maximisation may choose a row per *global* state (`eq:EVI`). A Markovian bandit of the
confidence set has one row per *arm state*, shared by all global states in which the arm is there: a smaller set. So the
result bounds the supremum over the set's bandits from above, and equals it when the maximising rows can be shared
wherever play goes from the initial state (`theory.optimism.sharing` decides that).

For a finite set of policies and rational data, policy iteration ends with the exact rational optimum. Rewards enter at
the upper end of their radius; they are not cut off at 1, as the set of `eq:conf_rq` is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from theory.model import ArmState, Bandit, GlobalState
from theory.optimism.l1_ball import best_row
from theory.optimism.sharing import Sharing, decide_sharing
from theory.stopping import one_step
from theory.values import global_states, priority_policy, solve_chain, values_after

_TOO_LARGE = "extended value iteration needs the product; with radii 0, use the Gittins policy and priority_value"


@dataclass(frozen=True)
class OptimisticValue:
    """The outcome of extended value iteration.

    Attributes
    ----------
    value : fmpq
        From the initial state.
    values : fmpq by global state
    policy : arm by global state
        An optimistic policy (or the given one).
    rows : (S_a,) fmpq by global state
        A maximising row of the arm that is played there.
    sharing : Sharing
        Whether a bandit of the confidence set has this value from the initial state, and which.
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
) -> OptimisticValue:
    """Return the exact result of extended value iteration over the radii of `bandit`.

    Parameters
    ----------
    bandit
        Estimates with their radii.
    priority
        If given, only this priority policy is considered, and the maximum is over rows alone.
    initial
        One state per arm; the model's own where omitted.

    Raises
    ------
    ModelError
        For a bad priority order or a missing initial state.
    TooLargeError
        If the product of the arms is too large.

    Examples
    --------
    >>> from theory import paper_model
    >>> best = optimistic_value(paper_model("counterexample"))
    >>> best.value, best.attained
    (49167/7600, True)
    """
    start = bandit.start(initial)
    fixed = None if priority is None else priority_policy(bandit, priority)
    allowed = {
        state: list(range(len(bandit.arms))) if fixed is None else [fixed(state)]
        for state in global_states(bandit, _TOO_LARGE)
    }
    policy = {state: arms[0] for state, arms in allowed.items()}
    rows = {state: bandit.arms[a].transitions[state[a]] for state, a in policy.items()}
    values = _values(bandit, policy, rows)
    while _improve(bandit, allowed, values, policy, rows):
        values = _values(bandit, policy, rows)
    return OptimisticValue(values[start], values, policy, rows, decide_sharing(bandit, start, allowed, policy, values))


def _values(
    bandit: Bandit, policy: dict[GlobalState, int], rows: dict[GlobalState, tuple[fmpq, ...]]
) -> dict[GlobalState, fmpq]:
    rewards = {state: optimistic_reward(bandit, state, a) for state, a in policy.items()}
    return solve_chain(bandit.discount, policy, rewards, rows)


def _improve(
    bandit: Bandit,
    allowed: dict[GlobalState, list[int]],
    values: dict[GlobalState, fmpq],
    policy: dict[GlobalState, int],
    rows: dict[GlobalState, tuple[fmpq, ...]],
) -> bool:
    """Make arms and rows greedy for `values`, in place; say whether anything changed."""
    changed = False
    for state, arms in allowed.items():
        best = values[state]  # arm and row are kept on a tie, so the iteration ends
        for a in arms:
            arm, x = bandit.arms[a], state[a]
            after = values_after(bandit, values, state, a)
            row = best_row(arm.transitions[x], arm.transition_radius[x], after)
            candidate = one_step(row, after, bandit.discount, optimistic_reward(bandit, state, a))
            if candidate > best:
                best, policy[state], rows[state], changed = candidate, a, row, True
    return changed


def optimistic_reward(bandit: Bandit, state: GlobalState, arm: int) -> fmpq:
    """Return the upper end of the reward radius of `arm` in `state`."""
    return bandit.arms[arm].rewards[state[arm]] + bandit.arms[arm].reward_radius[state[arm]]
