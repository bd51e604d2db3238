r"""Certificates: integers from which an independent checker verifies an answer.

A certificate holds the bandit and the answer, and the checker has to believe nothing else. All numbers are integers,
written as text, over denominators that are written beside them.

* A certificate of the *optimal values* holds the value :math:`V(x)` of every global state, and an optimal arm there.
  They are right exactly when :math:`V(x) = \max_a (r_a(x_a) + \beta \sum_y Q_a(x_a, y) V(x_{a \to y}))` and that arm
  attains the maximum.
* A certificate of the *Gittins indices* holds, for every state s of every arm, the index :math:`\gamma` and the optimal
  stopping values :math:`\psi` when each step costs :math:`\gamma`. They are right exactly when
  :math:`\psi = \max(0, r - \gamma + \beta Q \psi)` and playing on from s is worth 0.

All arms have the same number of states S: copies of its first state, which no state moves to, pad a smaller arm.
`proofs_checks.kernel` checks certificates inside a proof kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import lcm
from typing import Any, Final, TypeAlias

from flint import fmpq

from theory.gittins import gittins_indices, gittins_priority
from theory.model import Arm, Bandit, check_bandit
from theory.rationals import ZERO
from theory.stopping import stopped_chain
from theory.values import policy_value, priority_policy
from theory.values.product import LARGEST_PRODUCT, global_states

Tree: TypeAlias = "str | list[Tree]"
"""One number per global state: nested lists, the outermost over the states of the first arm."""

_LIMIT: Final = (
    f"a certificate of a value needs at most {LARGEST_PRODUCT} global states; indices --certificate has no such limit"
)


def value_certificate(bandit: Bandit) -> dict[str, Any]:
    """Return a certificate of the optimal values, and of an optimal policy.

    Raise `TooLargeError` if the product of the arms is too large for exact linear systems.

    Examples
    --------
    >>> pays = [Arm(rewards=[reward, 0], transitions=[[0, 1], [0, 1]]) for reward in (1, 3)]  # once
    >>> certificate = value_certificate(Bandit(pays, discount="1/2"))
    >>> certificate["value_denominator"], certificate["values"], certificate["policy"]
    ('2', [['7', '2'], ['6', '0']], [['1', '0'], ['1', '0']])
    """
    filled = of_equal_size(bandit)
    global_states(bandit, _LIMIT)
    states = global_states(filled, f"a certificate fills all arms up to the size of the largest; {_LIMIT}")
    plays = priority_policy(filled, gittins_priority(filled))
    values = policy_value(filled, plays)
    common = _common_denominator(values.values())
    size = filled.sizes[0]
    return _bandit_content("value", filled) | {
        "value_denominator": str(common),
        "values": _tree([_over(values[x], common) for x in states], size, len(filled.arms)),
        "policy": _tree([str(plays(x)) for x in states], size, len(filled.arms)),
    }


def index_certificate(bandit: Bandit) -> dict[str, Any]:
    """Return a certificate of the Gittins indices of every arm, with an order of its states.

    Examples
    --------
    >>> arm = Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], [0, 1]])
    >>> certificate = index_certificate(Bandit(arms=[arm], discount="1/2"))
    >>> certificate["arms"][0]["order"], certificate["arms"][0]["levels"][1]
    ([0, 1], {'index': ['0', '1'], 'denominator': '3', 'best': ['4', '0']})
    """
    filled = of_equal_size(bandit)
    content = _bandit_content("indices", filled)
    for arm, entry in zip(filled.arms, content["arms"], strict=True):
        indices = gittins_indices(arm, filled.discount)
        entry["order"] = sorted(range(arm.size), key=lambda x: -indices[x])
        entry["levels"] = [_level(arm, filled.discount, indices, x) for x in range(arm.size)]
    return content


def _level(arm: Arm, discount: fmpq, indices: Sequence[fmpq], state: int) -> dict[str, Any]:
    cost = indices[state]
    going_on = [x for x, index in enumerate(indices) if index > cost]
    chain = stopped_chain(arm, discount, going_on)
    best = [reward - cost * time for reward, time in zip(chain.reward, chain.time, strict=True)]
    common = _common_denominator(best)
    return {
        "index": [str(cost.p), str(cost.q)],
        "denominator": str(common),
        "best": [_over(value, common) for value in best],
    }


def of_equal_size(bandit: Bandit) -> Bandit:
    """Return the bandit with smaller arms padded by copies of their first state, which no state moves to."""
    check_bandit(bandit)
    largest = max(bandit.sizes)
    return Bandit(arms=[_filled(arm, largest) for arm in bandit.arms], discount=bandit.discount)


def _filled(arm: Arm, size: int) -> Arm:
    missing = size - arm.size
    rows = [(*row, *[ZERO] * missing) for row in arm.transitions]
    return Arm(rewards=[*arm.rewards, *[arm.rewards[0]] * missing], transitions=[*rows, *[rows[0]] * missing])


def _common_denominator(numbers: Iterable[fmpq]) -> int:
    return lcm(*(int(number.q) for number in numbers))


def _over(number: fmpq, denominator: int) -> str:
    return str((number * denominator).p)


def _bandit_content(kind: str, bandit: Bandit) -> dict[str, Any]:
    rewards = _common_denominator(reward for arm in bandit.arms for reward in arm.rewards)
    rows = _common_denominator(entry for arm in bandit.arms for row in arm.transitions for entry in row)
    return {
        "certificate": kind,
        "discount": [str(bandit.discount.p), str(bandit.discount.q)],
        "states": bandit.sizes[0],
        "reward_denominator": str(rewards),
        "row_denominator": str(rows),
        "arms": [
            {
                "rewards": [_over(reward, rewards) for reward in arm.rewards],
                "transitions": [[_over(entry, rows) for entry in row] for row in arm.transitions],
            }
            for arm in bandit.arms
        ],
    }


def _tree(leaves: Sequence[str], branches: int, depth: int) -> Tree:
    if depth == 0:
        return leaves[0]
    width = len(leaves) // branches
    return [_tree(leaves[i * width : (i + 1) * width], branches, depth - 1) for i in range(branches)]
