"""The kinds of implementations: how each is called, and the exact answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import numpy as np
from flint import fmpq

from proofs_checks.trials.arrays import array, exact_float, of_arms
from proofs_checks.trials.conformance.calling import answer_of
from proofs_checks.trials.conformance.judging import Defect, Judgement, Tolerance, compare_numbers, together
from theory import ONE, Bandit, gittins_indices, gittins_priority, nearest_float, optimistic_value, priority_value
from theory.optimism import with_rewards_cut_off

Implementation: TypeAlias = Callable[..., Any]
Judge: TypeAlias = Callable[[Implementation, Bandit, Tolerance], Judgement]
"""``judge(implementation, bandit, tolerance)`` calls the implementation and judges its answer."""


def judge_gittins(implementation: Implementation, bandit: Bandit, tolerance: Tolerance) -> Judgement:
    """Judge Gittins indices, arm by arm, up to the first arm with a defect."""
    judged: list[Judgement] = []
    for arm in bandit.arms:
        answer = answer_of(
            implementation,
            (arm.size,),
            transitions=array(arm.transitions),
            rewards=array(arm.rewards),
            discount=exact_float(bandit.discount),
        )
        if isinstance(answer, Judgement):
            return answer
        judged.append(compare_numbers(answer, gittins_indices(arm, bandit.discount), arm.states, tolerance))
        if not judged[-1].passed:
            return judged[-1]
    return together(judged)


def judge_value(implementation: Implementation, bandit: Bandit, tolerance: Tolerance) -> Judgement:
    """Judge the values of priority policies; a value above the optimum would be a negative regret."""
    best = gittins_priority(bandit)
    orders = {"Gittins order": best, "its reverse": best[::-1], "arm after arm": bandit.arm_states}
    exact: list[fmpq] = []
    found: list[float] = []
    for order in orders.values():
        answer = answer_of(
            implementation,
            (),
            transitions=of_arms(bandit, "transitions"),
            rewards=of_arms(bandit, "rewards"),
            discount=exact_float(bandit.discount),
            priority=np.array(order),
            initial=np.array(bandit.start()),
        )
        if isinstance(answer, Judgement):
            return answer
        exact.append(priority_value(bandit, order).value)
        found.append(float(answer))
    names = list(orders)
    judged = compare_numbers(np.array(found), exact, names, tolerance)
    optimum = nearest_float(max(exact))
    if max(found) - optimum > tolerance.error * max(1.0, abs(optimum)):
        name = names[int(np.argmax(found))]
        negative = Defect("negative regret", f"{name}: {max(found)!r} is above the optimal value {optimum!r}")
        return replace(judged, defects=(*judged.defects, negative))
    return judged


def judge_evi(implementation: Implementation, bandit: Bandit, tolerance: Tolerance) -> Judgement:
    """Judge the value of extended value iteration; a value that is too low has a tolerance of its own."""
    answer = answer_of(
        implementation,
        (),
        transitions=of_arms(bandit, "transitions"),
        rewards=of_arms(bandit, "rewards"),
        row_radii=of_arms(bandit, "transition_radius"),
        reward_radii=of_arms(bandit, "reward_radius"),
        discount=exact_float(bandit.discount),
        initial=np.array(bandit.start()),
    )
    if isinstance(answer, Judgement):
        return answer
    exact = optimistic_value(bandit).value

    def compared(value: fmpq) -> Judgement:
        return compare_numbers(answer.reshape(1), [value], ["optimistic value"], tolerance)

    judged = compared(exact)
    if not judged.passed and compared(optimistic_value(with_rewards_cut_off(bandit, ONE)).value).passed:
        why = f"{float(answer)!r} has optimistic rewards cut off at 1; here they are reward + radius, beyond 1 too"
        return replace(judged, defects=(Defect("rewards cut off", why),))
    wanted = nearest_float(exact)
    if float(answer) < wanted - tolerance.optimism * max(1.0, abs(wanted)):
        lost = Defect("not optimistic", f"{float(answer)!r} is below the optimistic value {wanted!r}")
        return replace(judged, defects=(*judged.defects, lost))
    return judged


def judge_agent(implementation: Implementation, bandit: Bandit, tolerance: Tolerance) -> Judgement:
    """Judge the plans of a learner, episode by episode; see `proofs_checks.trials.conformance.agents`."""
    from proofs_checks.trials.conformance.agents import judge_agent as judge  # noqa: PLC0415  (compiled kernels, when needed)

    return judge(implementation, bandit, tolerance)


KINDS: Final[MappingProxyType[str, Judge]] = MappingProxyType(
    {"gittins": judge_gittins, "value": judge_value, "evi": judge_evi, "agent": judge_agent}
)
"""The judge of each kind of answer."""
