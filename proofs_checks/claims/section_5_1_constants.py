r"""Theorem 1 with numbers: the smallest constants of its proof, and from where on they say anything (ours)."""

from __future__ import annotations

from proofs_checks.claims.prelude import *
from proofs_checks.computations.regret_table import MODELS, ROWS, Row, at_most_constant, enough, smallest_constant
from theory.certified import horizon_moment, horizon_power
from theory.paper.regret import (
    ALGORITHMS, PRINTED_ADDITIVES, PSRL, UCBVI, UCRL2, Additive, Model, RegretBound, best_beside_trivial, harmonic,
    harmonic_moments, informative_from, merged, sharpest, theorem_informative_from, theorem_side, trivial_bound,
)

chapter = Chapter()

# --------------------------------------------------------------------------------------------------------------------
# What the constants of Theorem 1 rest on: a supremum over all models is settled by finitely many boxes (ours).
# Divided by the theorem's side, a bound of the proof depends on a model through K, D = Sn, 1 - beta and sqrt S. The
# facts below bound such a quotient over boxes of them; `theory.paper.regret.constants` says where each is used.
# Letters: y is the theorem's logarithm, s the root of S, and L^2 = 2(y + a).

at = chapter.heading("thm:regret_upper_bound")
HALF = Rational(1, 2)
A, B, P, R = sympy.symbols("A B P R", real=True)
AT_ONE = (A + B) / (1 + y)

at.ours(944).relation("thm:regret_upper_bound/reduction",
    r"""In $s = \sqrt S$, where $S \le d^2$, a bound $A + Bs$ over the theorem's $\sqrt S + y$ is a mean of its value at
    $S = 1$ and of its limit $B$, and over the $\sqrt S\,y$ of MB-UCBVI it decreases: $[[formula]]$.""",
    ForAll(A >= 0, B >= 0, y > 0, s >= 1, d >= s),
    (A + B * s) / (s + y) <= c * Max(AT_ONE, (1 + y) / (d + y) * AT_ONE + (1 - (1 + y) / (d + y)) * B),
    (A + B * s) / (s * y) <= c * (A + B) / y, c=1,
    by=Cases((B * (1 + y) <= A + B, Solver()), (B * (1 + y) >= A + B, Solver())), nearest="c")

at.ours(944).relation("thm:regret_upper_bound/reduction/logarithms",
    r"""$L/(1+y)$, $L/y$ and $L^2/y$ decrease in $y$, where $L^2 = 2(y + a + [[b]])$ with $a \ge 0$: for $y \le z$,
    $[[formula]]$.""",
    ForAll(y > 0, z >= y, a >= 0), (1 + y) ** 2 * (z + a + b) <= (1 + z) ** 2 * (y + a + b),
    y**2 * (z + a + b) <= z**2 * (y + a + b), y * (z + a + b) <= z * (y + a + b), b="1/2", by=Solver(),
    tried=[{y: fmpq(1, 10**4), z: fmpq(2, 10**4), a: ZERO}], nearest="b")

at.ours(944).relation("thm:regret_upper_bound/reduction/roots",
    r"""$(P + Rq)/(1+q)$ lies between its values at the ends of an interval of $q$, and between $P$ and $R$; and what
    the additive constants contribute grows with $p = \sqrt{(1-\beta)/(Sn)}$: $[[formula]]$.""",
    ForAll(P >= 0, R >= 0, q >= 0, u >= 0, u <= q, v >= q, p >= 0, r >= p, g >= 0),
    (P + R * q) / (1 + q) <= c * Max((P + R * u) / (1 + u), (P + R * v) / (1 + v)),
    (P + R * q) / (1 + q) <= c * Max(P, R), p**2 / (1 + g * p) <= r**2 / (1 + g * r),
    p / (1 + g * p) <= r / (1 + g * r), c=1, by=Cases((P <= R, Solver()), (P >= R, Solver())), nearest="c")

LOG_OF_QUOTIENT = Step(Algebra(sympy.expand_log), Eq(log((K + 1) / K), log(K + 1) - log(K), evaluate=False),
    over=ForAll(K >= 1))
FIRST_SUM, SECOND_SUM = Sum(1 / j, (j, 1, K)), Sum(1 / j**2, (j, 1, K))

at.ours(809).relation("thm:regret_upper_bound/reduction/harmonic",
    r"The sums that the moments of the longest episode are made of: $[[formula]]$.",
    ForAll(K >= 1), log(K) <= FIRST_SUM, c + log(K) >= FIRST_SUM, d >= SECOND_SUM, c=1, d="7/4",
    by=Cases((K <= 1, Solver()),
        (K >= 2,
            Argument(
                Step(LeastAt(K, 1, steps=True, slope=Argument(LOG_OF_QUOTIENT.put({K: K + 1}))),
                    log(K + 1) <= FIRST_SUM, over=ForAll(K >= 1)),
                Step(LeastAt(v, u), log(u) <= log(v), over=ForAll(u > 0, v >= u), at={u: K, v: K + 1}),
                Step(LeastAt(K, 1, steps=True, slope=Argument(LOG_OF_QUOTIENT)), 1 + log(K) >= FIRST_SUM,
                    over=ForAll(K >= 1)),
                Step(LeastAt(K, 2, steps=True), Rational(7, 4) - 1 / K >= SECOND_SUM, over=ForAll(K >= 2))))),
    nearest="c d")

at.ours(944).relation("thm:regret_upper_bound/reduction/many-episodes",
    r"""From $K = 3$ on, $L_K^2 = 2(y + \log 4K) \le 4y + 2\log 4$ with $y = \log(K\log K/g)$ and $g = (1-\beta)/(Sn)$:
    $[[formula]]$.""",
    ForAll(K >= 3, g > 0, g <= 1), log(4 * K) <= log(K * log(K) / g) + log(4) - a, a=0,
    by=[Step(LeastAt(K, 3, then=Everywhere()), log(K) >= 1, over=ForAll(K >= 3)),
        Step(LeastAt(v, u), log(u) <= log(v), over=ForAll(u > 0, v >= u), at={u: K, v: K * log(K) / g}),
        Step(Algebra(sympy.expand_log), Eq(log(4 * K), log(4) + log(K), evaluate=False), over=ForAll(K >= 1))],
    nearest="a")

at.ours(930).relation("thm:regret_upper_bound/reduction/last-episode",
    r"""$L_{K-1}^2 = 2(y + a)$ with $a = \log\frac{2(K-1)\log(K(K-1))}{\log K} \ge \log [[b]]$, which is above
    $\frac12$: $[[formula]]$.""",
    ForAll(K >= 2), 2 * (K - 1) * log(K * (K - 1)) >= b * log(K), b=2,
    by=[Step(Algebra(sympy.expand_log), Eq(log(x * y), log(x) + log(y), evaluate=False), over=ForAll(x > 0, y > 0),
            at={x: K, y: K - 1}),
        Step(LeastAt(x, 1), log(x) >= 0, over=ForAll(x >= 1), at={x: K - 1})],
    nearest="b")

at.ours(815).process("thm:regret_upper_bound/reduction/tails",
    r"""Powers grow with their base: so $\beta^m$ and with it $\mathbb{P}(\max_k H_k > m) = 1 - (1 - \beta^m)^K$ grow
    with $\beta$, and so does every $\mathbb{E}[\max_k H_k^\alpha]$. After any number of factors $p \le q \le 1$,
    $[[formula]]$ for their products $u$ and $v$.""",
    u <= v, v <= c, start={u: 1, v: 1}, move={u: u * p, v: v * q}, inputs=ForAll(p >= 0, q >= p, q <= 1), c=1,
    by=[ByHand(r"""$1 - (1 - x)^K$ grows with $x$, and the moments are sums of these tails with coefficients that are
        not negative.""")],
    so=Invariant(u >= 0), nearest="c")

MEANS = Family("numbers of episodes and discounts",
    lambda: iter([(1, ZERO), (2, ZERO), (2, fmpq(1, 2)), (3, fmpq(99, 100)), (8, fmpq(999, 1000)), (12, fmpq(1, 3))]))

def below_harmonic(at: tuple[int, fmpq], s: object) -> Answer:
    """Hold E max H and E max H^2, by inclusion and exclusion, to 1 + c h1 and 1 + 2 c h1 + c^2 (h1^2 + h2)."""
    K, discount = at
    c, h1, h2 = 1 / (1 - discount) - rational(s), harmonic(K), harmonic(K, 2)
    bounds = 1 + c * h1, 1 + 2 * c * h1 + c**2 * (h1**2 + h2)
    for power, bound in zip((1, 2), bounds, strict=True):
        moment = horizon_moment(power, discount, K)
        truth = at_most(lambda moment=moment: arb(moment), lambda bound=bound: bound)  # type: ignore[misc]
        if truth is not Truth.YES:
            return answer(truth, K=K, beta=discount, power=power, moment=moment, bound=bound)
    return answer(True)

at.ours(809).property("thm:regret_upper_bound/moments",
    r"""$\mathbb{E}[\max_k H_k] \le 1 + c h_1$ and $\mathbb{E}[\max_k H_k^2] \le 1 + 2 c h_1 + c^2(h_1^2 + h_2)$ with $c
    = \frac{1}{1-\beta} - [[s]]$, $h_1 = \sum_{j \le K} \frac1j$ and $h_2 = \sum_{j \le K} \frac1{j^2}$.""",
    below_harmonic, over=MEANS, domain=r"$K \ge 1$, $0 \le \beta < 1$", s="1/2",
    by=[Step(r"The mean of $E/\log(1/\beta)$, $E$ exponential of mean $1$, is at most $c$:",
            Argument("conc:H/logarithm"), 1 / log(1 / beta) <= 1 / (1 - beta) - s, over=ForAll(beta > 0, beta < 1)),
        Step(r"""With one variable more, of $K$, the largest gains in the mean what $h_1$ and $h_1^2 + h_2$ gain:
            $\frac1K$, and $\frac2K$ times the mean.""",
            Eq((p + 1 / K) ** 2 + (q + 1 / K**2) - (p**2 + q), 2 * (p + 1 / K) / K, evaluate=False),
            over=ForAll(K >= 1, p >= 0, q >= 0))],
    so=r"""$H$ has the law of $\lceil E/\log(1/\beta)\rceil \le 1 + E/\log(1/\beta)$. The largest of $K$ independent
    such $E$ has the density $K(1-e^{-m})^{K-1}e^{-m}$, so that $\mathbb{E}[M_K^j] - \mathbb{E}[M_{K-1}^j] = \frac
    jK\mathbb{E}[M_K^{j-1}]$ by parts: $\mathbb{E}[M_K] = h_1$, $\mathbb{E}[M_K^2] = h_1^2 + h_2$. At $\beta = 0$, $H =
    1$.""",
    nearest="s")

at.ours(940).process("thm:regret_upper_bound/moments/three-halves",
    r"""$\mathbb{E}[\max_k H_k^{3/2}]^2 \le \mathbb{E}[\max_k H_k]\,\mathbb{E}[\max_k H_k^2]$: over any number of values
    $y^2$ of probabilities $x$, with the sums $s$, $p$, $q$ of $xy^3$, $xy^2$ and $xy^4$, $[[formula]]$.""",
    s**2 <= c * p * q, start={s: 0, p: 0, q: 0}, move={s: s + x * y**3, p: p + x * y**2, q: q + x * y**4},
    inputs=ForAll(x >= 0, y >= 0), c=1, by=Invariant(p >= 0, q >= 0), nearest="c")

at.ours(1094).relation("thm:regret_upper_bound/ucbvi-front",
    r"""With $B_k = H_k(1 + L/(2(1-\beta)))$, which bounds the values of $M_k$, an episode of MB-UCBVI costs per visit
    at most what the paper's display says, $\frac{[[a]] L(L + \sqrt S)}{1-\beta} H$, where $L = L_K \ge [[b]]$; with $x
    = \frac{1}{1-\beta}$, $[[formula]]$.""",
    ForAll(S >= 1, b <= L, x >= 1, H >= 1),
    L * (1 + x) / 2 + H * (1 + L * x / 2) * (L + 3 * sqrt(S) / 2) <= a * L * (L + sqrt(S)) * x * H, a=2, b="4/3",
    by=Solver(),
    tried=[{S: fmpq(1), L: fmpq(4, 3), x: fmpq(1), H: fmpq(1)}, {S: fmpq(1), L: fmpq(5, 4), x: fmpq(1), H: fmpq(1)}],
    nearest="a b")

at.ours(1086).relation("thm:regret_upper_bound/additive-states",
    r"""An additive term $S/(1-\beta)$ costs no more in MB-UCBVI's constant than $1/(1-\beta)$ at $S = 1$: with $s =
    \sqrt S$, $x = \frac{1}{1-\beta}$, $p = \log K$ and $q = \sqrt K(\log K)^{3/2}$ its quotient by the theorem's side
    is at most $1/(p^2 + q)$ over the logarithm: $[[formula]]$.""",
    ForAll(s >= 1, n >= 1, x >= 1, p >= 0, q >= 0),
    s**2 * x * (p**2 + q) <= c * s * x * (s**2 * n * p**2 * x**2 + s * sqrt(n) * q * x * sqrt(x)), c=1, by=Solver(),
    nearest="c")

ROOT_CASES = Family("one episode",
    lambda: iter([(1, discount) for discount in (ZERO, fmpq(1, 2), fmpq(9, 10), fmpq(99, 100), fmpq(999, 1000))]))

def below_root_term(at: tuple[int, fmpq], d: object) -> Answer:
    """Hold E max H sqrt(sum of H), for one episode E H^(3/2), to the bound."""
    K, discount = at
    kept = 1 - discount
    truth = at_most(lambda: horizon_power(fmpq(3, 2), discount, K),
        lambda: (arb(K).log() + arb(rational(d))) * arb(K).sqrt() / (arb(kept) * arb(kept).sqrt()))
    return answer(truth, K=K, beta=discount)

at.ours(368).property("thm:regret_upper_bound/sharper-root",
    r"""In the second term of $f$, $\log K$ can stand for $(\log K)^{3/2}$: $\mathbb{E}\big[\max_k H_k \sqrt{\sum_k
    H_k}\,\big] \le \sqrt K\,\frac{\log K + [[d]]}{(1-\beta)^{3/2}}$.""",
    below_root_term, over=ROOT_CASES, domain=r"$K \ge 1$, $0 \le \beta < 1$", d="12/5",
    by=[Step(r"""Cauchy and Schwarz, for values $y$ and $z$ of probabilities $x$, with the sums $s$, $p$, $q$ of $xyz$,
            $xy^2$, $xz^2$:""",
            Invariant(p >= 0, q >= 0),
            claim=Process("thm:regret_upper_bound/sharper-root#sums", s**2 <= p * q, start={s: 0, p: 0, q: 0},
                move={s: s + x * y * z, p: p + x * y**2, q: q + x * z**2}, inputs=ForAll(x >= 0, y >= 0, z >= 0))),
        "thm:regret_upper_bound/moments", "thm:regret_upper_bound/reduction/harmonic",
        Step(r"""With $x = \frac{1}{1-\beta}$, $L = \log K$, $u = h_1 \le 1 + L$ and $v = h_2 \le \frac74$, the second
            moment is at most $1 + 2(x - \frac12)u + (x - \frac12)^2(u^2 + v) \le x^2 (L + d)^2$.""",
            1 + 2 * (x - HALF) * u + (x - HALF) ** 2 * (u**2 + v) <= x**2 * (L + d) ** 2,
            over=ForAll(x >= 1, L >= 0, u >= 0, u <= 1 + L, v >= 0, v <= Rational(7, 4)))],
    so=r"Cauchy and Schwarz with $y = \max_k H_k$ and $z^2 = \sum_k H_k$, whose expectation is $Kx$.", nearest="d")

# --------------------------------------------------------------------------------------------------------------------
# Theorem 1 with numbers: the smallest constants that the bounds of its proof allow, over all models at once.
# Each entry names the algorithm, the display and how it is read, the event and its additive constant, the front
# factor and the moments. They speak of the bounds, not of the regret, which is below each bound that the proof
# establishes.

at = chapter.heading("")
at = chapter.heading("thm:regret_upper_bound")
ALL_MODELS = r"$S, n \ge 1$, $K \ge 2$, $0 \le \beta < 1$"
LOGARITHM = r"\log\frac{SnK\log K}{1-\beta}"
SIDES = {PSRL: rf"\big(\sqrt S + {LOGARITHM}\big) f(S,n,K,\beta)",
    UCRL2: rf"\big(\sqrt S + {LOGARITHM}\big) f(S,n,K,\beta)",
    UCBVI: rf"\frac{{\sqrt S}}{{1-\beta}}\,{LOGARITHM}\; f(S,n,K,\beta)"}
COVERS = """branch and bound: boxes of 1/(Sn) and of 1 - beta for each number of episodes below 12, and one box for all
others, cover all models; each has a certified upper bound of the quotient"""
SOME_MODELS = Family("models, the extremal ones among them", lambda: iter(MODELS))
FACTS = (Step(r"In $\sqrt S$ a quotient is a mean of its value at $S = 1$ and of its limit.",
        Uses("thm:regret_upper_bound/reduction")),
    Step("Its powers of $L$ over the logarithm decrease in $y$.", Uses("thm:regret_upper_bound/reduction/logarithms")),
    Step("Of both terms of $f$ it is a mean, and largest at an end.", Uses("thm:regret_upper_bound/reduction/roots")),
    Step("From $K = 3$ on $L_K$ is bounded in $y$ alone.", Uses("thm:regret_upper_bound/reduction/many-episodes")))
OF_MOMENTS = (Step(r"Moments of the longest episode grow with $\beta$.",
        Uses("thm:regret_upper_bound/reduction/tails")),
    Step(r"They are at most those of exponential variables over $(1-\beta)^\alpha$.",
        Uses("lem:moment/repair-exponential")),
    Step("These are made of harmonic sums,", Uses("thm:regret_upper_bound/reduction/harmonic")),
    Step(r"and that for $\frac32$ lies between.", Uses("thm:regret_upper_bound/moments/three-halves")))
OF_LAST_EPISODE = (Step("With $L_{K-1}$:", Uses("thm:regret_upper_bound/reduction/last-episode")),)
OF_STATES = (Step(r"An additive $S/(1-\beta)$ costs most at $S = 1$.", Uses("thm:regret_upper_bound/additive-states")),)

def by_boxes(decides: Decides, *facts: Step) -> Argument:
    """Return the evidence of a supremum over all models: what bounds a box, and the boxes."""
    return Argument(*FACTS, *facts, conclusion=decides)

def facts_of(row: Row) -> tuple[Step, ...]:
    """Return what bounds the boxes of a row besides what all rest on."""
    exact = OF_MOMENTS if "exact" in row.moments else ()
    last = OF_LAST_EPISODE if not row.formula else ()
    states = OF_STATES if "S" in row.event else ()
    return (*exact, *last, *states)

def constant(suffix: str, claimed: str, for_two: str, **details: Any) -> None:
    """Enter the smallest constants for a bound, over all models and for two arms and more, rounded up."""
    row = ROWS[f"thm:regret_upper_bound/constant-{suffix}"]
    bound = f"{row.reading}) ${row.formula}$" if row.formula else f"the bound of its proof {row.reading})"
    nearest = " ".join(["C", "D", *(f"{name}+" for name in ("f", "a") if name in row.parameters)])
    at.ours(row.line).property(
        row.claim_id,
        rf"""For {row.algorithm} ({bound}, with {row.moments}, where {row.event}, is at most $C\,{SIDES[row.algorithm]}$
        with $C = [[C]]$; for $n \ge 2$ with $C = [[D]]$.""",
        partial(at_most_constant, row),
        over=SOME_MODELS,
        domain=ALL_MODELS,
        C=claimed,
        D=for_two,
        **row.parameters,
        by=by_boxes(Decides(partial(smallest_constant, row), covers=COVERS), *facts_of(row)),
        nearest=nearest,
        **details,
    )

constant("psrl/printed", "170.696", "115.684")
constant("psrl/literal", "598.467", "474.099")
constant("psrl/repaired-moments", "71.3", "49.589")
constant("psrl", "31.616", "23.916")
constant("psrl/sharper", "8.578", "8.578")
constant("ucrl2/printed", "85.639", "57.959")
constant("ucrl2", "30.407", "23.569")
constant("ucrl2/half", "15.969", "12.004")
constant("ucrl2/sharper", "8.578", "8.578")
constant("ucbvi/printed", "1366.671", "535.997")
constant("ucbvi/last", "190.534", "98.533")
constant("ucbvi/repaired-event", "138.47", "67.046")
constant("ucbvi/sharper", "18.02", "7.956", false={"c": 3})

NO_LONGER_ASKED = """Of the constants that the displays of the proof allow, what a reader asks is kept: those of the
printed proof, those with exact moments, and the best, each for two arms and more too. This one was of a display in
between."""
for _suffix in (
    "psrl/repaired-event",
    "psrl/apart",
    "psrl/losses",
    "ucrl2/printed-whole",
    "ucrl2/literal",
    "ucrl2/repaired-event",
    "ucrl2/apart-half",
    "ucrl2/apart",
    "ucrl2/losses",
    "ucbvi/printed-before-last",
    "ucbvi",
    "ucbvi/apart",
    "ucbvi/losses",
):
    at.withdrawn(f"thm:regret_upper_bound/constant-{_suffix}", NO_LONGER_ASKED, line=944)

# -- beside the trivial bound

SWITCHES = {PSRL: 3 * 10**5, UCRL2: 3 * 10**5, UCBVI: 10**5}
"""From this number of episodes on the bound of the proof is used, and not K/(1-beta) alone."""
SWITCH_COVERS = """K/(1-beta) on ranges of K below 300 000 (for MB-UCBVI 100 000), where its quotient is largest for the
least n at S = 1, beta = 0; from there on one box with all models, or K/(1-beta) where the root term of f is small"""

def smaller_of_both(tried: tuple[str, Model], C: object, D: object, C2: object, D2: object) -> Answer:
    """Return whether the smaller of K/(1-beta) and the sharper bound is at most the theorem's side for one model."""
    algorithm, model = tried
    bound, S, n, K, beta = sharpest(algorithm), model.S, model.n, model.K, model.beta
    claimed = [D, D2] if algorithm == UCBVI else [C, C2]
    smaller = bound.at(S, n, K, beta).min(arb(trivial_bound(K, beta)))
    right = arb(min(map(rational, claimed[: 1 + (n > 1)]))) * theorem_side(S, n, K, beta, bound.order)
    truth = Truth.YES if smaller <= right else Truth.NO if smaller > right else Truth.UNDECIDED
    return answer(truth, algorithm=algorithm, model=str(model), smaller_bound=smaller, right_side=right)

def best_beside(C: object, D: object, C2: object, D2: object) -> Answer:
    """Return whether the constants are at least the suprema of the smaller bound, for each algorithm."""
    truth, told = Truth.YES, {}
    for algorithm in ALGORITHMS:
        for arms, claimed in ((1, D if algorithm == UCBVI else C), (2, D2 if algorithm == UCBVI else C2)):
            found = best_beside_trivial(sharpest(algorithm), SWITCHES[algorithm], arms=arms)
            truth = truth.both(enough(found.lower, found.upper, claimed))
            told[f"{algorithm}, n >= {arms}"] = found.lower.union(found.upper)
    return answer(truth, **told)

at.ours(944).property(
    "thm:regret_upper_bound/constant-beside-trivial",
    rf"""The smaller of $K/(1-\beta)$ and the proof's bound with all losses taken back is at most $C\,{SIDES[PSRL]}$
    with $C = [[C]]$ for MB-PSRL and MB-UCRL2, and at most $C''\,{SIDES[UCBVI]}$ with $C'' = [[D]]$ for MB-UCBVI; for
    $n \ge 2$ with $C = [[C2]]$ and $C'' = [[D2]]$. The worst model is $K = 2$, $S = n = 1$, $\beta = 0$, where
    $K/(1-\beta) = 2$ and the regret is $0$.""",
    smaller_of_both,
    over=Family("algorithms and models", lambda: iter(product(ALGORITHMS, (MODELS[0], MODELS[4])))),
    domain=ALL_MODELS,
    C="1.163",
    D="4.723",
    C2="0.777",
    D2="1.965",
    by=by_boxes(Decides(best_beside, covers=SWITCH_COVERS), *OF_MOMENTS, *OF_LAST_EPISODE),
    nearest="C D C2 D2",
)

# --------------------------------------------------------------------------------------------------------------------
# From how many episodes on the bounds of Theorem 1 say more than K/(1-beta), which every learner satisfies (ours).

at = chapter.heading("thm:regret_upper_bound")
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
GROWS = Step(Uses("thm:regret_upper_bound/informative/grows"))
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

at.ours(944).property("thm:regret_upper_bound/informative/grows",
    r"No bound of the proof decreases in $K$: for $K$ episodes it is at most $[[c]]$ times that for $K + 1$.",
    grows,
    over=Family("bounds, cases and numbers of episodes", lambda: iter(product(BOUNDS, CASES, (2, 3, 10, 10**4)))),
    domain=r"the bounds of the proof with the bounds of `thm:regret_upper_bound/moments`; all $K \ge 2$", c=1,
    by=ByHand(r"""It is a sum of products of factors that grow with $K$: the bounds on the moments, as $h_1$ and $h_2$
        do, $L_K$, and the root of $K$."""),
    nearest="c")

at.ours(944).relation("thm:regret_upper_bound/elasticities",
    r"""With $y = \log(cK\log K)$, the theorem's logarithm, $c = \frac{Sn}{1-\beta}$: $K\frac{dy}{dK} = 1 +
    \frac{[[a]]}{\log K}$.""",
    ForAll(K >= 2, c >= 1), Eq(K * sympy.diff(log(c * K * log(K)), K), 1 + a / log(K), evaluate=False), a=1,
    by=Algebra(), nearest="a")

at.ours(944).relation("thm:regret_upper_bound/elasticities/terms",
    r"""Divided by $K$ the theorem's right-hand sides decrease in $K$ from $\log K = [[b]]$ on, $x$ being what $\log K$
    exceeds it by: with at least $1 + \log K$ for $\sqrt S$ and the logarithm together, the elasticities of their two
    terms, powers of $K$ left out, are small enough: $[[formula]]$.""",
    ForAll(x >= 0, y >= x + b + 1), (1 + 1 / (x + b)) / y + 3 / (2 * (x + b)) < Rational(1, 2),
    (1 + 1 / (x + b)) / y + 2 / (x + b) < 1, b=6, by=Solver(), nearest="b")

at.ours(944).property("thm:regret_upper_bound/informative",
    r"""With the bounds of `thm:regret_upper_bound/moments` for the moments, the printed additive constants 9, 5 and 7,
    and the front factors 3, 3/2 and 2, the bounds of the proof are below $K/(1-\beta)$ for exactly the $K$ from the
    listed ones on, $[[shift]]$ added: for MB-PSRL in scenario 1 ($S = 4$, $n = 3$, $\beta = 0.99$) from $K =
    134\,354\,249\,420$ on, with all losses taken back from $K = 309\,861\,816$ on. With the exact moments they are at
    the latest from there on.""",
    first_at, over=Family("five bounds in three cases", lambda: iter(ALL_CASES), complete=True),
    domain=r"the named bounds and cases; all $K \ge 2$", shift=0,
    by=[*(Step("", Uses(each)) for each in (*DECREASING, "thm:regret_upper_bound/moments")), GROWS],
    so=Decides(first_in_each, covers=RANGES),
    false={"from one episode earlier on": {"shift": -1}, "from one episode later on": {"shift": 1}})

OF_THEOREM: Mapping[str, tuple[str, int]] = {
    "C = 5/2, MB-PSRL": ("5/2", 1),
    "C' = 21/10, MB-UCRL2": ("21/10", 1),
    "C'' = 3, MB-UCBVI": ("3", 2),
}
"""The constants that the kernel has, of which none is larger than those of the printed proof."""
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

at.ours(944).property("thm:regret_upper_bound/informative-constants",
    r"""With the smallest constants of Theorem 1 that are accepted by the kernel, $C = 5/2$, $C' = 21/10$ and $C'' = 3$,
    its right-hand sides are at least $K/(1-\beta)$ in scenarios 1 and 2 for every $K$ from $2$ to $[[last]]$: they say
    nothing there.""",
    not_informative_at,
    over=Family("three constants in scenarios 1 and 2", lambda: iter(product(OF_THEOREM, SCENARIOS)), complete=True),
    domain="scenarios 1 and 2", last=10**11, by=[*(Step("", Uses(each)) for each in DECREASING), GROWS],
    so=Decides(informative_later, covers=RANGES), false={"last": 10**12})

CASES_OF_LIMIT = ((1, 1, fmpq(0)), (4, 3, fmpq(99, 100)), (11, 9, fmpq(99, 100)))
HUGE = 10**20_000

def vanishes(at: tuple[int, int, fmpq], p: object) -> Answer:
    """Return whether both right-hand sides over K^p are below 10^-10 at K = 10^20000."""
    S, n, beta = at
    scale = arb(HUGE) ** arb(rational(p))
    quotients = [theorem_side(S, n, HUGE, beta, order) / scale for order in (1, 2)]
    small = all(each < arb(fmpq(1, 10**10)) for each in quotients)
    return answer(small, S=S, n=n, beta=beta, K="10^20000", over_K_to_the_p=quotients)

at.printed(391).property("thm:regret_upper_bound/no-regret",
    r"""Divided by $K^p$, $p = [[p]]$, the right-hand sides of the theorem tend to $0$ as $K$ grows: the three
    algorithms have no regret.""",
    vanishes, over=Family("three cases at $K = 10^{20000}$", lambda: iter(CASES_OF_LIMIT)),
    domain=r"any $S$, $n$ and $\beta$", p=1,
    by=[Step(r"""With $u = K^{1/32}$, $\log K = 32\log u \le 32 u$; the right-hand sides are sums of products of powers
            of it and of $K$.""",
            LeastAt(u, 1), log(u) <= u - 1, over=ForAll(u > 0)),
        Step(r"""The largest has the power $\frac12$ of $K$ and at most five halves of logarithms, less than
            $K^{p-1/2}$:""",
            Rational(1, 2) + Rational(5, 2) * Rational(1, 32) < p, over=ForAll())],
    so=r"The quotient is at most a constant, which depends on $S$, $n$ and $\beta$, times a negative power of $K$.",
    false={"p": "1/2"})

# -- what no reader asked for

at.withdrawn("thm:regret_upper_bound/informative-scenario-1", NOT_ASKED, line=500, under="thm:regret_upper_bound")
