"""The bound on the double sum over episodes and steps (`lem:sum`), by the steps that work, and its constants."""

from __future__ import annotations

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.double_sum.activation_runs import ball_of, double_sums, exceeds, surd
from proofs_checks.claims.double_sum.steps import RUNS, SECTION, SMALL
from proofs_checks.computations.symbolic import is_identity
from proofs_checks.ledger import Book, Evidence, Finding, claim, fails, holds, undecided
from theory import ONE, ZERO
from theory.certified import Truth, less

WORKING_STEPS = ("lem:sum/reorder/repair", "lem:sum/floor/repair", "lem:sum/integral/repair", "lem:sum/cauchy-schwarz")


@claim(
    "lem:sum",
    section=SECTION,
    statement="""sum over k <= K and steps t of episode k of 1/sqrt(max{1, N_{k-1}(X_t)}) is at most
    Sn max H + 2 sqrt(Sn K max H).""",
    domain=RUNS,
    evidence=Evidence.PROOF,
    mutants={
        "19/10 in place of 2": {"root": fmpq(19, 10)},
        "9/10 Sn max H": {"per_cell": fmpq(9, 10)},
        "no Sn max H": {"per_cell": ZERO},
    },
)
def double_sum_bound(book: Book, per_cell: fmpq = ONE, root: fmpq = fmpq(2)) -> Finding:
    """Decide all small runs exactly, and two long runs of one cell: K episodes of one step, one episode of H steps.

    The proof puts the working steps one after the other.
    """
    tried = 0
    for cells, total in SMALL:
        for terms, K, longest, run in double_sums(cells, total):
            tried += 1
            left = surd((m, fmpq(c, m)) for m, c in terms)
            right = surd([(1, per_cell * cells * longest), (cells * K * longest, root)])
            if exceeds(left, right):
                return fails({"activations per episode": run, "left": ball_of(left), "right": ball_of(right)})
    K = H = 1000
    many = 1 + sum((1 / arb(m).sqrt() for m in range(1, K)), arb(0))
    if many > per_cell + root * arb(K).sqrt():
        return fails({"S": 1, "n": 1, "K": K, "every H_k": 1, "left": many, "right": per_cell + root * arb(K).sqrt()})
    if per_cell * H + root * arb(H).sqrt() < H:
        return fails({"S": 1, "n": 1, "K": 1, "H_1": H, "left": H, "right": per_cell * H + root * arb(H).sqrt()})
    if per_cell < 1 or root < 2 or not book.stands(*WORKING_STEPS):
        return undecided("the repaired steps give the constants 1 and 2 only")
    return holds(
        Evidence.PROOF,
        reason="By the repaired steps; the printed proof fails at three of its steps (reorder, floor, integral).",
        small_runs=tried,
    )


@claim(
    "lem:sum/constants",
    section=SECTION,
    statement="""Neither constant of the lemma can be lowered alone: a Sn max H + c sqrt(Sn K max H) is no bound for
    a = 1 and c < 2, nor for a < 1 and c = 2.""",
    domain="reals 0 <= a, c",
    evidence=Evidence.PROOF,
    mutants={"c <= 2": {"c": fmpq(2)}, "a <= 1": {"a": ONE}},
)
def constants(book: Book, a: fmpq = fmpq(999, 1000), c: fmpq = fmpq(1999, 1000)) -> Finding:
    """Show a violating run for given constants: one cell, K episodes of one step; or one episode of H steps."""
    # 1/sqrt(m) >= 2 (sqrt(m+1) - sqrt(m)), so the double sum of K one-step episodes is at least 2 sqrt(K) - 1
    u, v = sympy.symbols("u v", positive=True)  # sqrt(m+1) and sqrt(m), so u^2 - v^2 = 1
    telescopes = is_identity((u**2 - v**2) / v - 2 * (u - v), (u - v) ** 2 / v)
    # d = 2 - c and sqrt(K) = 2/d + more: 2 sqrt(K) - 1 is above 1 + c sqrt(K) by d * more; likewise d = 1 - a
    d, more = sympy.symbols("d more", positive=True)
    r = 2 / d + more
    for_all_c = is_identity(2 * r - 1 - (1 + (2 - d) * r), d * more)
    for_all_a = is_identity(r**2 - (1 - d) * r**2 - 2 * r, d * r * more)
    episodes = next((4**e for e in range(25) if _many_episodes_exceed(4**e, c)), None)
    steps = next((4**e for e in range(25) if _one_episode_exceeds(4**e, a)), None)
    if episodes is None or steps is None:
        return fails({"a": a, "c": c, "violating K (one-step episodes)": episodes, "violating H (one episode)": steps})
    if not (telescopes and for_all_c and for_all_a):
        return undecided("the general argument does not apply")
    return holds(
        Evidence.PROOF,
        reason="K > (2/(2-c))^2 one-step episodes give 2 sqrt(K) - 1 > 1 + c sqrt(K); H > (2/(1-a))^2 gives H itself",
        example={"a": a, "c": c, "K": episodes, "H": steps},
    )


def _many_episodes_exceed(K: int, c: fmpq) -> bool:
    return less(lambda: 1 + c * arb(K).sqrt(), lambda: 2 * arb(K).sqrt() - 1) is Truth.YES


def _one_episode_exceeds(H: int, a: fmpq) -> bool:
    return less(lambda: a * H + 2 * arb(H).sqrt(), lambda: arb(H)) is Truth.YES
