"""Theorem 3 itself, what it leaves open, and what is said of it (Section 6.2)."""

from __future__ import annotations

from itertools import product

from flint import fmpq

from proofs_checks.computations.priority_orders import (
    attained_optima,
    estimates_with,
    linear_extensions,
    marked,
    survivors_of_three,
    survivors_with_arm_c,
    trial,
)
from proofs_checks.evidence import AnyOf, Argument, ByHand, Decides, Grade, InKernel, Step, Uses
from proofs_checks.ledger import Chapter, Verdict
from proofs_checks.statements import Answer, Family, Property, answer
from theory import Exact, GlobalState, best_vertex, gittins_value, optimistic_value, rational
from theory.certified import Truth

chapter = Chapter(under="thm:no_OFU")
REAL_REWARDS = {"mean rewards": "real"}
PAPER_REWARD, LOW_REWARD = fmpq(321, 100), fmpq(16, 5)
"""The printed reward of B1 and B3, and that of a second arm built like b."""


def no_order_is_optimistic(rewards: tuple[Exact, ...]) -> Answer:
    """Try all strict orders of the states of arm a, b' and b'' in the three pairs of arms."""
    exact = tuple(map(rational, rewards))
    passing = next(iter(survivors_of_three(exact, fmpq(4))), None)
    tried = sum(trial(part, fmpq(4), with_a).tried for part, with_a in ((exact[:1], True), (exact[1:], True), (exact, False)))
    if passing is None:
        return answer(True, instances=tried)
    return answer(False, comparisons_that_pass_everywhere=sorted(" > ".join(pair) for part in passing for pair in part))


chapter.printed(
    Property(
        "thm:no_OFU",
        no_order_is_optimistic,
        says=r"""Whatever indices $I^{\hat{\mathcal{B}}^a}(x_a)$ are computed arm by arm, there are estimates, a bandit
        $M \in \mathbb{M}(\hat{\mathcal{B}})$ and an initial state from which
        $\sup_{M' \in \mathbb{M}} V_{M'}^{\pi^I} < \sup_\pi V_M^\pi$. (Computed with arm $a$ of Appendix C and two arms built like
        $b$ with the rewards [[rewards]]: no strict order of the nine states is optimistic in all three pairs of arms.)""",
        domain=r"""indices any real numbers; between equal ones a rule that does not look at the data, such as the arms' numbers,
        decides""",
        rewards=(LOW_REWARD, PAPER_REWARD),
    ),
    AnyOf(
        InKernel("no_OFU", rewards=(LOW_REWARD, PAPER_REWARD)),
        Decides(no_order_is_optimistic, "all orders of the nine states, in the three pairs of arms", Grade.EXHAUSTIVE),
    ),
    line=473,
    under="",
    mutants={
        "the same reward twice": {"rewards": (PAPER_REWARD, PAPER_REWARD)},
        "3 in place of 16/5": {"rewards": (fmpq(3), PAPER_REWARD)},
    },
)
