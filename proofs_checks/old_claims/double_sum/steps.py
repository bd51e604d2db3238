"""Each displayed step of the proof of `lem:sum`, the bound on the double sum over episodes and steps."""

from __future__ import annotations

from itertools import product

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.double_sum.activation_runs import (
    Run,
    Surd,
    ball_of,
    double_sums,
    exceeds,
    final_counts,
    inverse_roots,
    runs,
    shifted,
    surd,
)
from proofs_checks.computations.symbolic import is_identity, nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, undecided
from theory import ONE, ZERO

SECTION = "Proof of Theorem 1: bound on the double sum"
RUNS = "all runs: K >= 1 episodes of any lengths H_k >= 1, any sequence of activated cells"
SMALL = ((1, 10), (2, 7), (3, 5))
"""Exhaustive cases: a number of cells, and the largest number of steps in all episodes together."""


@claim(
    "lem:sum/count",
    section=SECTION,
    statement="Ntilde_t(x_a) <= N_{k-1}(x_a) + H_k at every step t of episode k.",
    domain=RUNS,
    evidence=Evidence.PROOF,
    mutants={"H_k - 2": {"less": 2}},
)
def count(book: Book, less: int = 0) -> Finding:
    """Prove Ntilde_t <= N + s at the step t = t_k + s by induction on s <= H - 1: a step adds 0 or 1."""
    H = 3
    if H - less < H - 1:
        return fails({"episode": f"{H} activations of one cell", "N": 0, "Ntilde": H - 1, "H_k": H, "less": less})
    N, steps, below, idle, left = sympy.symbols("N s below idle left")
    zero = dict.fromkeys((below, idle, left), 0)
    one_step = (N + steps + 1) - (N + steps - below + 1 - idle)  # Ntilde = N + s - below, and 1 - idle is added
    last_step = (N + steps + 1 + left - less) - (N + steps)  # H = s + 1 + left
    if not all(nonnegative_above(sympy.expand(each), zero) for each in (one_step, last_step)):
        return undecided("the induction does not apply")
    return holds(Evidence.PROOF, reason="step t of the episode follows t - t_k <= H_k - 1 activations of the episode")


@claim(
    "lem:sum/reorder",
    section=SECTION,
    statement="""sum over t of 1/sqrt(max{1, Ntilde_t(X_t) - max H}) equals the sum over cells of
    sum_{m=1}^{Ntilde} 1/sqrt(max{1, m - max H}), Ntilde being the final count of the cell.""",
    domain=RUNS,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"at most, in place of equals": {"relation": "at most"}, "m from 2 to Ntilde + 1": {"first": 2}},
    controls={"m from 0 to Ntilde - 1, the values that Ntilde_t takes": {"first": 0}},
)
def reorder(book: Book, first: int = 1, relation: str = "equals") -> Finding:
    """Compare the sum along the run with the sum by cells."""
    tried = 0
    for cells, total in SMALL:
        for run in runs(cells, total):
            tried += 1
            longest, final = max(map(sum, run)), final_counts(run)
            left, right = _along(run, longest), shifted(final, longest, first)
            differ = exceeds(left, right) if relation == "at most" else left != right
            if differ:
                return fails(
                    {
                        "activations per episode": run,
                        "max H": longest,
                        "Ntilde at the end": final,
                        "along the run": ball_of(left),
                        "by cells": ball_of(right),
                    }
                )
    return holds(Evidence.EXHAUSTIVE, instances=tried)


def _along(run: Run, longest: int) -> Surd:
    """Return the sum over steps, with Ntilde_t counted step by step (the order within an episode does not matter)."""
    now = [0] * len(run[0])
    seen = []
    for episode in run:
        for cell, times in enumerate(episode):
            for _ in range(times):
                seen.append(now[cell])
                now[cell] += 1
    return inverse_roots(max(1, n - longest) for n in seen)


@claim(
    "lem:sum/reorder/repair",
    section=SECTION,
    statement="""Ntilde_t(x_a) <= N_{k-1}(x_a) + H_k - 1 at every step t of episode k; hence the double sum of the lemma
    is at most the sum over cells of sum_{m=1}^{Ntilde} 1/sqrt(max{1, m - max H}).""",
    domain=RUNS,
    evidence=Evidence.PROOF,
    mutants={"m from 2": {"first": 2}, "max H - 1": {"less": 1}},
    repairs=("lem:sum/reorder",),
)
def reorder_repair(book: Book, first: int = 1, less: int = 0) -> Finding:
    """Try all small runs; prove that the term of the m-th activation of a cell is at most the m-th on the right.

    There Ntilde_t = m - 1, which is at most N_{k-1} + H_k - 1; so N_{k-1} >= m - max H.
    """
    tried = 0
    for cells, total in SMALL:
        for terms, _, longest, run in double_sums(cells, total):
            tried += 1
            left = surd((m, fmpq(c, m)) for m, c in terms)
            right = shifted(final_counts(run), longest - less, first)
            if exceeds(left, right):
                return fails({"activations per episode": run, "left": ball_of(left), "right": ball_of(right)})
    m, H, slack, shorter = sympy.symbols("m H slack shorter")
    before = m - 1 - (H - 1) + slack  # N_{k-1}, Ntilde_t = m - 1 being N_{k-1} + H_k - 1 - slack
    gain = sympy.expand(before - (m - (H + shorter - less)))  # max H = H_k + shorter
    stands = count(book, 1).stands and book.stands("lem:sum/count")
    if first != 1 or not stands or not nonnegative_above(gain, {slack: 0, shorter: 0}):
        return undecided("the comparison of terms does not apply")
    return holds(
        Evidence.PROOF,
        reason="The m-th activation of a cell has Ntilde_t = m - 1, so N_{k-1} >= m - max H: terms compare one by one.",
        small_runs=tried,
    )


@claim(
    "lem:sum/first-terms",
    section=SECTION,
    statement="sum_{m=1}^{N} 1/sqrt(max{1, m - H}) <= H + sum_{m=1}^{max{1, N-H}} 1/sqrt(m).",
    domain="integers N >= 0, H >= 1",
    evidence=Evidence.PROOF,
    mutants={"H - 1 in front, max{0, N-H}": {"front": 1, "floor": 0}, "H - 2 in front": {"front": 2}},
)
def first_terms(book: Book, front: int = 0, floor: int = 1) -> Finding:
    for n, H in product(range(25), range(1, 25)):
        left = shifted([n], H, 1)
        right = surd([(1, H - front), *((m, fmpq(1, m)) for m in range(1, max(floor, n - H) + 1))])
        if exceeds(left, right):
            return fails({"N": n, "H": H, "left": ball_of(left), "right": ball_of(right)})
    if front > 0 or floor > 1 or not _later_terms_are_the_first():
        return undecided("the comparison of terms does not apply")
    return holds(
        Evidence.PROOF,
        reason="For N <= H there are N <= H terms 1; for N = H + j, H terms 1 and then 1/sqrt(1), ..., 1/sqrt(j).",
    )


def _later_terms_are_the_first() -> bool:
    """Prove that sum_{m=H+1}^{H+j} f(m - H) = sum_{m=1}^{j} f(m) for every f, by the change of index m - H."""
    H, j, m = sympy.symbols("H j m", integer=True, positive=True)
    f = sympy.Function("f")
    shifted_sum = sympy.Sum(f(m - H), (m, H + 1, H + j)).change_index(m, m - H)
    return bool(shifted_sum == sympy.Sum(f(m), (m, 1, j)))


@claim(
    "lem:sum/floor",
    section=SECTION,
    statement="""sum over cells of max H + sum_{m=1}^{max{1, Ntilde - max H}} 1/sqrt(m) is at most
    Sn max H + sum over cells of sum_{m=1}^{Ntilde} 1/sqrt(m).""",
    domain=RUNS,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"max{2, .}": {"floor": 2}},
    controls={"max{0, .}": {"floor": 0}, "every cell is activated": {"least": 1}},
)
def floor(book: Book, floor: int = 1, least: int = 0) -> Finding:
    """For a cell that is never activated the left side has one term, the right side none."""
    for cells, total in SMALL:
        for run in runs(cells, total):
            final, longest = final_counts(run), max(map(sum, run))
            if min(final) < least:
                continue
            left = inverse_roots(m for n in final for m in range(1, max(floor, n - longest) + 1))
            right = inverse_roots(m for n in final for m in range(1, n + 1))
            if exceeds(left, right):
                front = cells * longest
                return fails(
                    {
                        "activations per episode": run,
                        "Sn": cells,
                        "max H": longest,
                        "Ntilde": final,
                        "left": front + ball_of(left),
                        "right": front + ball_of(right),
                    }
                )
    more, H = sympy.symbols("more H")  # Ntilde = least + more
    fewer = (least + more - floor, least + more - (least + more - H))  # neither floor nor Ntilde - H exceeds Ntilde
    if not all(nonnegative_above(sympy.expand(each), {more: 0, H: 0}) for each in fewer):
        return undecided("the comparison of the numbers of terms does not apply")
    return holds(Evidence.PROOF, reason="max{floor, Ntilde - max H} <= Ntilde: fewer of the same terms, cell by cell.")


@claim(
    "lem:sum/floor/repair",
    section=SECTION,
    statement="""sum_{m=1}^{N} 1/sqrt(max{1, m - H}) <= H + sum_{m=1}^{max{0, N-H}} 1/sqrt(m) for each cell, and the sum
    of these over cells is at most Sn max H + sum over cells of sum_{m=1}^{Ntilde} 1/sqrt(m).""",
    domain=RUNS,
    evidence=Evidence.PROOF,
    mutants={"H - 1 in front": {"front": 1}, "max{1, .} in the second part": {"second_floor": 1}},
    repairs=("lem:sum/floor",),
)
def floor_repair(book: Book, front: int = 0, second_floor: int = 0) -> Finding:
    first = first_terms(book, front, 0)
    return first if not first.stands else floor(book, second_floor)


@claim(
    "lem:sum/integral",
    section=SECTION,
    statement="sum_{m=1}^{T} 1/sqrt(m) <= integral from 1 to T of x^(-1/2) dx = 2 sqrt(T) - 2.",
    domain="integers T >= 1",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"integral from 9/25": {"root_of_start": fmpq(3, 5)}},
    controls={"integral from 0": {"root_of_start": ZERO}, "integral from 1/4": {"root_of_start": fmpq(1, 2)}},
)
def integral(book: Book, root_of_start: fmpq = ONE, constant: fmpq = fmpq(2)) -> Finding:
    """Compute both sides for T up to 400, and verify the step of the induction in free symbols."""
    total = arb(0)
    for T in range(1, 401):
        total += 1 / arb(T).sqrt()
        right = constant * arb(T).sqrt() - 2 * root_of_start
        if total > right:
            return fails({"T": T, "sum": total, "right side": right})
    if constant - 2 * root_of_start < 1:
        return fails({"T": 1, "sum": 1, "right side": constant - 2 * root_of_start})
    u, v = sympy.symbols("u v", positive=True)  # sqrt(m) and sqrt(m-1), so u^2 - v^2 = 1
    step = is_identity(2 * (u - v) - (u**2 - v**2) / u, (u - v) ** 2 / u)
    if constant < 2 or not step:
        return undecided("the induction needs the factor 2")
    return holds(
        Evidence.PROOF,
        reason="Induction from T = 1: 2 sqrt(m) - 2 sqrt(m-1) - 1/sqrt(m) = (sqrt(m) - sqrt(m-1))^2 / sqrt(m) >= 0",
    )


@claim(
    "lem:sum/integral/repair",
    section=SECTION,
    statement="sum_{m=1}^{T} 1/sqrt(m) <= 2 sqrt(T) - 1 <= 2 sqrt(T), the integral from 1/4 to T.",
    domain="integers T >= 1; the bound 2 sqrt(T) also at T = 0",
    evidence=Evidence.PROOF,
    mutants={
        "19/10 sqrt(T)": {"constant": fmpq(19, 10), "root_of_start": ZERO},
        "2 sqrt(T) - 6/5": {"root_of_start": fmpq(3, 5)},
    },
    repairs=("lem:sum/integral",),
)
def integral_repair(book: Book, root_of_start: fmpq = fmpq(1, 2), constant: fmpq = fmpq(2)) -> Finding:
    return integral(book, root_of_start, constant)


@claim(
    "lem:sum/cauchy-schwarz",
    section=SECTION,
    statement="""sum over cells of sqrt(Ntilde) <= sqrt(Sn sum_k H_k) <= sqrt(Sn K max H), the counts summing to
    sum_k H_k.""",
    domain=RUNS,
    evidence=Evidence.PROOF,
    mutants={"Sn - 1 in place of Sn": {"less": 1}},
)
def cauchy_schwarz(book: Book, less: int = 0) -> Finding:
    """Prove c sum u_i^2 >= (sum u_i)^2 by induction on the number c of cells, u_i = sqrt(Ntilde).

    With q = sum u_i^2, s = sum u_i and one more cell u: the new gap is (1 + 1/c) times the old one plus (s - c u)^2/c.
    """
    c, q, s, u = sympy.symbols("c q s u", positive=True)
    if (under_root := 1 - less) < 1:
        return fails({"Sn": 1, "Ntilde": 1, "left squared": 1, "right squared": under_root})
    old, new = c * q - s**2, (c + 1) * (q + u**2) - (s + u) ** 2
    begins = is_identity(old.subs({c: 1, q: u**2, s: u}), 0)
    if not (begins and is_identity(new, (1 + 1 / c) * old + (s - c * u) ** 2 / c)):
        return undecided("the induction does not apply")
    return holds(
        Evidence.PROOF,
        reason="""Cauchy-Schwarz by induction on the number of cells, the gap growing by squares. Each step activates
        one cell, so that the counts sum to sum_k H_k <= K max H.""",
    )
