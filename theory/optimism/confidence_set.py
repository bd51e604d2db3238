"""The confidence set as a set of Markovian bandits (`eq:conf_rq`): membership, and its vertices by brute force.

A bandit of the set has one row per arm state. The best combination of vertices, one per row, bounds the supremum over
the set from below. The supremum may be larger: a row is used with the other arms in different states, and the value, a
sum of products of quotients of affine functions of the row, can be largest inside the ball. (For one arm the value is
one quotient, and a vertex attains the supremum.) If extended value iteration, an upper bound, gives the same number,
that number is the supremum; otherwise `theory.optimism.shared_supremum` encloses it. Apart from the list of vertices
and from making a member of given rows, this module shares no code with extended value iteration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from operator import attrgetter

from flint import fmpq

from theory.errors import TooLargeError
from theory.model import Arm, ArmState, Bandit, check_bandit
from theory.optimism.l1_ball import distance, vertices
from theory.values import gittins_value, priority_value

LARGEST_ENUMERATION = 100_000


@dataclass(frozen=True)
class BestVertex:
    """The largest value over the vertices of the confidence set, and a bandit that attains it."""

    value: fmpq
    bandit: Bandit


def membership_refutation(member: Bandit, estimates: Bandit) -> str | None:
    """Return why `member` is not in the confidence set of `estimates`, in one sentence, or None if it is.

    Examples
    --------
    >>> from theory import paper_model
    >>> membership_refutation(paper_model("counterexample-m1"), paper_model("counterexample")) is None
    True
    """
    if member.sizes != estimates.sizes or member.discount != estimates.discount:
        return "the arms' sizes or the discounts differ"
    for a, (arm, centre) in enumerate(zip(member.arms, estimates.arms, strict=True), start=1):
        for x, name in enumerate(centre.states):
            gap = abs(arm.rewards[x] - centre.rewards[x])
            if gap > centre.reward_radius[x]:
                return f"arm {a}, state {name}: reward is {gap} away, beyond {centre.reward_radius[x]}"
            gap = distance(arm.transitions[x], centre.transitions[x])
            if gap > centre.transition_radius[x]:
                return f"arm {a}, state {name}: row is {gap} away in L1, beyond {centre.transition_radius[x]}"
    return None


def vertex_bandits(estimates: Bandit) -> Iterator[Bandit]:
    """Yield every bandit of the set whose rows are vertices, with rewards at the upper ends of their radii.

    Raise `TooLargeError` if there are more than `LARGEST_ENUMERATION`.
    """
    choices = [
        vertices(row, radius)
        for arm in estimates.arms
        for row, radius in zip(arm.transitions, arm.transition_radius, strict=True)
    ]
    count = prod(map(len, choices))
    if count > LARGEST_ENUMERATION:
        raise TooLargeError(
            f"the confidence set has {count} combinations of vertices, beyond {LARGEST_ENUMERATION}; "
            "use extended value iteration for an upper bound"
        )
    for rows in product(*choices):
        yield member_with_rows(estimates, dict(zip(estimates.arm_states, rows, strict=True)))


def member_with_rows(estimates: Bandit, rows: Mapping[ArmState, tuple[fmpq, ...]]) -> Bandit:
    """Return the member of the set with the given rows, the estimates' other rows, and the largest rewards."""
    arms = [
        Arm(
            rewards=[upper_reward(estimates, a, x) for x in range(arm.size)],
            transitions=[rows.get((a, x), row) for x, row in enumerate(arm.transitions)],
            states=arm.states,
        )
        for a, arm in enumerate(estimates.arms)
    ]
    return Bandit(arms, estimates.discount, estimates.initial)


def upper_reward(bandit: Bandit, arm: int, x: int) -> fmpq:
    """Return the upper end of the reward radius of `arm` in its state `x`."""
    return bandit.arms[arm].rewards[x] + bandit.arms[arm].reward_radius[x]


def best_vertex(
    estimates: Bandit,
    priority: Sequence[str | ArmState] | None = None,
    initial: Sequence[int | str] | None = None,
) -> BestVertex:
    """Return the largest value, optimal or of one priority policy, over the vertices of the confidence set.

    A bandit of the set attains it, so it bounds the supremum over the set from below; see the module.

    Examples
    --------
    >>> from theory import paper_model
    >>> best_vertex(paper_model("counterexample")).value
    49167/7600
    """
    check_bandit(estimates)

    def valued(member: Bandit) -> BestVertex:
        found = gittins_value(member, initial) if priority is None else priority_value(member, priority, initial)
        return BestVertex(found.value, member)

    return max(map(valued, vertex_bandits(estimates)), key=attrgetter("value"))
