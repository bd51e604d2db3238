"""Theorem 3: the two inequalities of its counterexample, for any reward, radius and discount."""

from __future__ import annotations

from functools import partial

from proofs_checks.trials.counterexample import Counterexample
from proofs_checks.trials.properties.formulas import FormulaError, Formulas
from proofs_checks.trials.properties.property import Property
from theory import Bandit, BanditError, decimal_text, optimistic_value
from theory.paper import counterexample

POLICY_2 = ("A2", "B1", "B3", "A1", "A3", "B2")
POLICY_1 = ("A2", "A1", "B1", "B3", "A3", "B2")


def _refute(priority: tuple[str, ...], start: tuple[str, str], formulas: Formulas, _: None) -> Counterexample | None:
    numbers = {name: formulas.number(name) for name in ("reward_b", "radius", "discount")}
    try:
        bandit = counterexample(**numbers)
    except BanditError as error:
        raise FormulaError(str(error)) from None
    of_policy = optimistic_value(bandit, priority, start)
    best = optimistic_value(bandit, None, start)
    if of_policy.value < best.value:
        return None
    return Counterexample(
        f"From ({', '.join(start)}) the policy's largest value is {decimal_text(of_policy.value)}, the largest of any "
        f"policy {decimal_text(best.value)}.",
        numbers,
        Bandit(bandit.arms, bandit.discount, start),
    )


PROPERTIES = tuple(
    Property(
        name=f"policy-{number}-is-below",
        says=f"From ({', '.join(start)}) the largest value of policy {number} is below that of some other policy, with "
        "`reward_b`, `radius` and `discount`.",
        instances=lambda _: None,
        refute=partial(_refute, priority, start),
    )
    for number, priority, start in ((2, POLICY_2, ("A1", "B3")), (1, POLICY_1, ("A1", "B1")))
)
