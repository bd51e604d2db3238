"""Value and regret of any policy, computed in exact numbers if possible.

A policy is one of this package, or any function from a global state to the arm to play; so the policy that another
library has learned (`mbrl.environments.gym`) is judged by the same numbers as the learners here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from mbrl.arrays import Integers, product_size, product_text
from mbrl.environments import Environment
from mbrl.experiments.regret import RegretMeter
from mbrl.importing import blaming, check_takes, import_attribute
from mbrl.policies import IndexPolicy, Policy, TablePolicy
from theory import ZERO, BanditError, TooLargeError, nearest_float, value_of_float
from theory.errors import shown

Play = Callable[[Integers], int]
"""Maps a global state, (n,) int64, to an arm from 0."""

LARGEST_TABLE: Final = 10**6
"""Global states up to which a function is tabulated."""


@dataclass(frozen=True)
class Judgement:
    """The value and the regret of a policy, in the model's own unit; means over the law of initial states.

    Numbers are exact if arms have up to 64 states and, unless the policy is an `IndexPolicy`, the bandit has up to 256
    global states; otherwise they are floats.

    Attributes
    ----------
    value : float
        Expected total discounted reward.
    optimal : float
        Expected total discounted reward of the optimal policy.
    regret : float
        `optimal` minus `value`, per episode.
    global_states : int
        Number of global states that the policy can reach; 0 for an index policy, which does not need them.
    error : float
        Bound on the error of these numbers; 0 if they are the floats nearest to the exact ones.
    """

    value: float
    optimal: float
    regret: float
    global_states: int
    error: float


def judge(environment: Environment, policy: Policy | Play | str) -> Judgement:
    """Return value and exact regret of `policy`.

    Parameters
    ----------
    environment
        The true model.
    policy
        A policy; a function from a global state to an arm, called once for each state that it can reach; or text as for
        the command `judge`: module:attribute, or a priority order of all states, such as "a1s1,a2s1,a1s2".

    Raises
    ------
    BanditError
        If the policy does not fit the environment, or the function fails or returns no arm.
    TooLargeError
        If a function has more than `LARGEST_TABLE` global states.

    Examples
    --------
    >>> from mbrl.environments import random_walk
    >>> judged = judge(random_walk(), lambda state: 0)  # the first arm for ever
    >>> f"{judged.value:.4f} of {judged.optimal:.4f}"
    '27.5736 of 28.0231'

    Two arms pay -1 and 1 for ever; with discount 1/2 they are worth -2 and 2.

    >>> from mbrl.environments.environment import from_bandit
    >>> from theory import Arm, Bandit
    >>> paid = [Arm(rewards=[reward], transitions=[[1]]) for reward in (-1, 1)]
    >>> judged = judge(from_bandit(Bandit(paid, "1/2", initial=[0, 0]), "two"), lambda state: 0)
    >>> judged.value, judged.optimal, judged.regret
    (-2.0, 2.0, 4.0)

    For a table the reachable global states are counted, for an index policy they are not.

    >>> [judge(random_walk(), played).global_states for played in (lambda state: 0, random_walk().optimal_policy)]
    [4, 0]
    """
    if not isinstance(environment, Environment):
        raise BanditError(
            f"an environment is wanted, not {shown(environment)}: mbrl.bandit(...), mbrl.load(path), or "
            "mbrl.environments.from_bandit(bandit, name)"
        )
    if isinstance(policy, str) and "," in policy:
        order = environment.bandit.priority([name.strip() for name in policy.split(",")])
        policy = IndexPolicy.from_priority(order, environment.sizes)
    elif isinstance(policy, str):
        policy = import_attribute(policy, "policy")
    reached = 0
    if not isinstance(policy, (IndexPolicy, TablePolicy)):
        if not callable(policy):
            raise BanditError(
                f"the policy is not a function of the global state, but {type(policy).__name__}; an order of states is "
                "text, such as 'a1s1,a2s1', or IndexPolicy.from_priority(order, sizes)"
            )
        check_takes(policy, ["state"], "the policy")
        policy, reached = _as_table(environment, policy)
    meter = RegretMeter(environment)
    law = [value_of_float(p) for p in environment.start_law.tolist()]
    total = sum(law, ZERO)  # a law in floats may miss 1 by rounding
    value = optimal = ZERO
    error = 0.0
    for start, p in enumerate(law):
        values = meter.exact(policy, start)
        if values is None:
            first = environment.starts[start]
            each = [environment.value_and_error(one, first) for one in (policy, environment.optimal_policy)]
            error += nearest_float(p) * sum(wrong for _, wrong in each)
            values = value_of_float(each[0][0]), value_of_float(each[1][0])
        value, optimal = value + p / total * values[0], optimal + p / total * values[1]
    return Judgement(nearest_float(value), nearest_float(optimal), nearest_float(optimal - value), reached, error)


def _as_table(environment: Environment, play: Play) -> tuple[TablePolicy, int]:
    """Return `play` as a table, and the number of global states that it can reach."""
    sizes = tuple(map(int, environment.sizes))
    count = product_size(environment.sizes, LARGEST_TABLE)
    if count is None:
        raise TooLargeError(
            f"a function of the global state is judged on at most {LARGEST_TABLE} of them, not "
            f"{product_text(environment.sizes)}; an IndexPolicy is judged on any number"
        )
    table = np.full(count, -1, dtype=np.int64)
    waiting = [tuple(map(int, start)) for start in environment.starts]
    while waiting:
        state = waiting.pop()
        number = int(np.ravel_multi_index(state, sizes))
        if table[number] >= 0:
            continue
        arm = _arm_played(play, state)
        table[number] = arm
        for y in np.flatnonzero(environment.transitions[arm, state[arm]]):
            waiting.append((*state[:arm], int(y), *state[arm + 1 :]))
    reached = int((table >= 0).sum())
    return TablePolicy.from_table(np.maximum(table, 0), sizes), reached


def _arm_played(play: Play, state: tuple[int, ...]) -> int:
    with blaming(f"the policy, in global state {state},", theirs=True):
        answer = np.asarray(play(np.array(state, dtype=np.int64)))
    if answer.size != 1 or answer.dtype.kind not in "iu" or not 0 <= int(answer.reshape(())) < len(state):
        raise BanditError(
            f"the policy plays {answer.tolist()!r} in global state {state}; arms are integers 0..{len(state) - 1}"
        )
    return int(answer.reshape(()))
