"""From how many episodes on the bounds of Theorem 1 say more than K/(1-beta), which every learner satisfies (ours)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq
from sympy import Eq, Rational, log

from proofs_checks.evidence import Algebra, Argument, ByHand, Decides, LeastAt, Solver, Step, Uses
from proofs_checks.ledger import Chapter, Verdict
from proofs_checks.statements import Answer, Family, ForAll, Property, Relation, answer
from proofs_checks.statements.symbols import K, a, b, c, p, u, x, y
from theory import rational
from theory.certified import Truth, less
from theory.paper.regret import (
    PRINTED_ADDITIVES,
    PSRL,
    UCBVI,
    UCRL2,
    Additive,
    RegretBound,
    harmonic_moments,
    informative_from,
    merged,
    sharpest,
    theorem_informative_from,
    theorem_side,
    trivial_bound,
)

chapter = Chapter(under="thm:regret_upper_bound")
MOMENTS = harmonic_moments()
CASES: Mapping[str, tuple[int, int, fmpq]] = {
    "scenario 1": (4, 3, fmpq(99, 100)),
    "scenario 2": (11, 9, fmpq(99, 100)),
    "S = n = 2, beta = 1/2": (2, 2, fmpq(1, 2)),
}
BOUNDS: Mapping[str, RegretBound] = {
    "MB-PSRL, as displayed": merged(PSRL, moments=MOMENTS),
    "MB-UCRL2, as displayed": merged(UCRL2, "3/2", moments=MOMENTS),
    "MB-UCBVI, as displayed": merged(UCBVI, 2, moments=MOMENTS),
    "MB-PSRL, all losses taken back": sharpest(PSRL, Additive(fmpq(PRINTED_ADDITIVES[PSRL])), MOMENTS),
    "MB-UCBVI, all losses taken back": sharpest(UCBVI, Additive(fmpq(PRINTED_ADDITIVES[UCBVI])), MOMENTS),
}
FIRST: Mapping[str, tuple[int, ...]] = {
    "MB-PSRL, as displayed": (134354249420, 1959076488385, 108204447),
    "MB-UCRL2, as displayed": (26511466105, 398549339961, 19102695),
    "MB-UCBVI, as displayed": (633592324817747784, 8428211825630039209, 62997956231),
    "MB-PSRL, all losses taken back": (309861816, 4573059796, 338081),
    "MB-UCBVI, all losses taken back": (107219411384668, 1483641267918111, 14654804),
}
"""The least K from which on a bound is below K/(1-beta), in the order of `CASES`."""
ALL_CASES = tuple((name, case, FIRST[name][place]) for name in BOUNDS for place, case in enumerate(CASES))
DECREASING = ("thm:regret_upper_bound/elasticities", "thm:regret_upper_bound/elasticities/terms")
GROWS = Step("", Uses("thm:regret_upper_bound/informative/grows"))
RANGES = """a bound that does not decrease in K is compared once for a whole range of K; such ranges, chained, go down
to K = 2 and up to 10^60, from where on its quotient by K decreases"""


def below_trivial(bound: RegretBound, case: str, K: int) -> Truth:
    """Return whether a bound is below K/(1-beta)."""
    S, n, beta = CASES[case]
    return less(lambda: bound.at(S, n, K, beta), lambda: arb(trivial_bound(K, beta)))


def first_at(at: tuple[str, str, int], shift: object) -> Answer:
    """Return whether a bound is below K/(1-beta) at the K that is listed and not at the one before."""
    name, case, listed = at
    K = listed + int(str(shift))
    there, before = (below_trivial(BOUNDS[name], case, each) for each in (K, K - 1))
    return answer(there is Truth.YES and before is Truth.NO, bound=name, case=case, K=K, informative_at_K=there.value)


def first_in_each(shift: object) -> Answer:
    """Return whether each listed K is the least from which on its bound is below K/(1-beta)."""
    told = {}
    for name, case, listed in ALL_CASES:
        found = informative_from(BOUNDS[name], *CASES[case]).first
        if found != listed + int(str(shift)):
            return answer(False, bound=name, case=case, first=found)
        told[f"{name}; {case}"] = found
    return answer(True, **told)


def grows(at: tuple[str, str, int], c: object) -> Answer:
    """Return whether a bound for K episodes is at most c times that for one more."""
    name, case, K = at
    S, n, beta = CASES[case]
    now, after = (BOUNDS[name].at(S, n, each, beta) for each in (K, K + 1))
    return answer(now <= after * rational(c), bound=name, case=case, K=K, for_K=now, for_one_more=after)


chapter.ours(
    Property(
        "thm:regret_upper_bound/informative/grows",
        grows,
        over=Family("bounds, cases and numbers of episodes", lambda: iter(product(BOUNDS, CASES, (2, 3, 10, 10**4)))),
        domain=r"the bounds of the proof with the bounds of `thm:regret_upper_bound/moments`; all $K \ge 2$",
        says=r"No bound of the proof decreases in $K$: for $K$ episodes it is at most $[[c]]$ times that for $K + 1$.",
        c=1,
    ),
    ByHand(
        r"""It is a sum of products of factors that grow with $K$: the bounds on the moments, as $h_1$ and $h_2$ do,
        $L_K$, and the root of $K$."""
    ),
    line=944,
    nearest={"c": "down"},
)

chapter.ours(
    Relation(
        "thm:regret_upper_bound/elasticities",
        ForAll(K >= 2, c >= 1),
        Eq(K * sympy.diff(log(c * K * log(K)), K), 1 + a / log(K), evaluate=False),
        says=r"""With $y = \log(cK\log K)$, the theorem's logarithm, $c = \frac{Sn}{1-\beta}$:
        $K\frac{dy}{dK} = 1 + \frac{[[a]]}{\log K}$.""",
        a=1,
    ),
    Algebra(),
    line=944,
    nearest={"a": "down"},
)

chapter.ours(
    Relation(
        "thm:regret_upper_bound/elasticities/terms",
        ForAll(x >= 0, y >= x + b + 1),
        (1 + 1 / (x + b)) / y + 3 / (2 * (x + b)) < Rational(1, 2),
        (1 + 1 / (x + b)) / y + 2 / (x + b) < 1,
        says=r"""Divided by $K$ the theorem's right-hand sides decrease in $K$ from $\log K = [[b]]$ on, $x$ being what
        $\log K$ exceeds it by: with at least $1 + \log K$ for $\sqrt S$ and the logarithm together, the elasticities of
        their two terms, powers of $K$ left out, are small enough: $[[formula]]$.""",
        b=6,
    ),
    Solver(),
    line=944,
    nearest={"b": "down"},
)

chapter.ours(
    Property(
        "thm:regret_upper_bound/informative",
        first_at,
        over=Family("five bounds in three cases", lambda: iter(ALL_CASES), complete=True),
        domain=r"the named bounds and cases; all $K \ge 2$",
        says=r"""With the bounds of `thm:regret_upper_bound/moments` for the moments, the printed additive constants 9,
        5 and 7, and the front factors 3, 3/2 and 2, the bounds of the proof are below $K/(1-\beta)$ for exactly the $K$
        from the listed ones on, $[[shift]]$ added: for MB-PSRL in scenario 1 ($S = 4$, $n = 3$, $\beta = 0.99$) from
        $K = 134\,354\,249\,420$ on, with all losses taken back from $K = 309\,861\,816$ on. With the exact moments they
        are at the latest from there on.""",
        shift=0,
    ),
    Argument(
        *(Step("", Uses(each)) for each in (*DECREASING, "thm:regret_upper_bound/moments")),
        GROWS,
        conclusion=Decides(first_in_each, covers=RANGES),
    ),
    line=944,
    mutants={"from one episode earlier on": {"shift": -1}, "from one episode later on": {"shift": 1}},
)


def in_scenario_1(K: object) -> Answer:
    """Compare MB-PSRL's sharpest bound with K/(1-beta) in scenario 1; exact moments, the printed additive constant."""
    S, n, beta = CASES["scenario 1"]
    episodes, bound = int(str(K)), sharpest(PSRL, Additive(fmpq(PRINTED_ADDITIVES[PSRL])))
    value = bound.at(S, n, episodes, beta)
    truth = less(lambda: value, lambda: arb(trivial_bound(episodes, beta)))
    return answer(truth, bound=value, trivial=trivial_bound(episodes, beta))


chapter.ours(
    Property(
        "thm:regret_upper_bound/informative-scenario-1",
        in_scenario_1,
        says=r"""In scenario 1 ($S = 4$, $n = 3$, $\beta = 0.99$) with its $K = [[K]]$ episodes, the proof's bound for
        MB-PSRL with all losses taken back, the exact moments and the additive constant 9 is below $K/(1-\beta)$.""",
        K=3000,
    ),
    line=500,
    verdict=Verdict.FAILS,
    mutants=[{"K": 300_000_000}],
    controls=[{"K": 309_861_816}],
)

OF_THEOREM: Mapping[str, tuple[str, int]] = {
    "C = 31.616, MB-PSRL as displayed": ("31.616", 1),
    "C = 1.163, MB-PSRL and MB-UCRL2 beside the trivial bound": ("1.163", 1),
    "C'' = 143.193, MB-UCBVI as displayed": ("143.193", 2),
    "C'' = 4.723, MB-UCBVI beside the trivial bound": ("4.723", 2),
}
SCENARIOS = ("scenario 1", "scenario 2")


def not_informative_at(at: tuple[str, str], last: object) -> Answer:
    """Return whether a right-hand side is at least K/(1-beta) at K = last."""
    (number, order), (S, n, beta) = OF_THEOREM[at[0]], CASES[at[1]]
    K = int(rational(last).floor())
    truth = less(lambda: theorem_side(S, n, K, beta, order) * rational(number), lambda: arb(trivial_bound(K, beta)))
    return answer(Truth.NO if truth is Truth.YES else Truth.YES, constant=at[0], case=at[1], K=K)


def informative_later(last: object) -> Answer:
    """Return whether every right-hand side is informative from some K above `last` on, and for none below."""
    told = {}
    for name, case in product(OF_THEOREM, SCENARIOS):
        number, order = OF_THEOREM[name]
        told[f"{name}; {case}"] = theorem_informative_from(number, *CASES[case], order).first
    return answer(all(first > rational(last) for first in told.values()), **told)


chapter.ours(
    Property(
        "thm:regret_upper_bound/informative-constants",
        not_informative_at,
        over=Family("four constants in scenarios 1 and 2", lambda: iter(product(OF_THEOREM, SCENARIOS)), complete=True),
        domain="scenarios 1 and 2",
        says=r"""With the constants of Theorem 1 that are entered here (31.616 and 143.193 as displayed with the exact
        moments, 1.163 and 4.723 beside the trivial bound) its right-hand sides are at least $K/(1-\beta)$ in
        scenarios 1 and 2 for every $K$ from $2$ to $[[last]]$: they say nothing there.""",
        last=10**10,
    ),
    Argument(
        *(Step("", Uses(each)) for each in DECREASING),
        GROWS,
        conclusion=Decides(informative_later, covers=RANGES),
    ),
    line=944,
    nearest={"last": "up"},
)

CASES_OF_LIMIT = ((1, 1, fmpq(0)), (4, 3, fmpq(99, 100)), (11, 9, fmpq(99, 100)))
HUGE = 10**20_000


def vanishes(at: tuple[int, int, fmpq], p: object) -> Answer:
    """Return whether both right-hand sides over K^p are below 10^-10 at K = 10^20000."""
    S, n, beta = at
    scale = arb(HUGE) ** arb(rational(p))
    quotients = [theorem_side(S, n, HUGE, beta, order) / scale for order in (1, 2)]
    small = all(each < arb(fmpq(1, 10**10)) for each in quotients)
    return answer(small, S=S, n=n, beta=beta, K="10^20000", over_K_to_the_p=quotients)


chapter.printed(
    Property(
        "thm:regret_upper_bound/no-regret",
        vanishes,
        over=Family("three cases at $K = 10^{20000}$", lambda: iter(CASES_OF_LIMIT)),
        domain=r"any $S$, $n$ and $\beta$",
        says=r"""Divided by $K^p$, $p = [[p]]$, the right-hand sides of the theorem tend to $0$ as $K$ grows: the three
        algorithms have no regret.""",
        p=1,
    ),
    Argument(
        Step(
            r"""With $u = K^{1/32}$, $\log K = 32\log u \le 32 u$; the right-hand sides are sums of products of powers
            of it and of $K$.""",
            LeastAt(u, 1),
            log(u) <= u - 1,
            over=ForAll(u > 0),
        ),
        Step(
            r"The largest has the power $\frac12$ of $K$ and at most five halves of logarithms, less than $K^{p-1/2}$:",
            Solver(),
            Rational(1, 2) + Rational(5, 2) * Rational(1, 32) < p,
            over=ForAll(),
        ),
        conclusion=ByHand(
            r"The quotient is at most a constant, which depends on $S$, $n$ and $\beta$, times a negative power of $K$."
        ),
    ),
    line=391,
    mutants=[{"p": "1/2"}],
)
