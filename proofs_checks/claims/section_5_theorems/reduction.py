r"""What the constants of Theorem 1 rest on: a supremum over all models is settled by finitely many boxes (ours).

Divided by the theorem's side, a bound of the proof depends on a model through K, D = Sn, 1 - beta and sqrt S. The facts
below bound such a quotient over boxes of them; `theory.paper.regret.constants` says where each is used. Letters: y is
the theorem's logarithm, s the root of S, and L^2 = 2(y + a).
"""

from __future__ import annotations

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq
from sympy import Eq, Max, Rational, Sum, log, sqrt

from proofs_checks.evidence import Algebra, Argument, ByHand, Cases, Everywhere, Invariant, LeastAt, Solver, Step, Uses
from proofs_checks.ledger import Chapter
from proofs_checks.statements import Answer, Family, ForAll, Process, Property, Relation, answer
from proofs_checks.statements.symbols import H, K, L, S, a, b, beta, c, d, g, j, n, p, q, r, s, u, v, x, y, z
from theory import ZERO, rational
from theory.certified import Truth, at_most, horizon_moment, horizon_power
from theory.paper.regret import harmonic

chapter = Chapter(under="thm:regret_upper_bound")
HALF = Rational(1, 2)
A, B, P, R = sympy.symbols("A B P R", real=True)
AT_ONE = (A + B) / (1 + y)

chapter.ours(
    Relation(
        "thm:regret_upper_bound/reduction",
        ForAll(A >= 0, B >= 0, y > 0, s >= 1, d >= s),
        (A + B * s) / (s + y) <= c * Max(AT_ONE, (1 + y) / (d + y) * AT_ONE + (1 - (1 + y) / (d + y)) * B),
        (A + B * s) / (s * y) <= c * (A + B) / y,
        says=r"""In $s = \sqrt S$, where $S \le d^2$, a bound $A + Bs$ over the theorem's $\sqrt S + y$ is a mean of its
        value at $S = 1$ and of its limit $B$, and over the $\sqrt S\,y$ of MB-UCBVI it decreases: $[[formula]]$.""",
        c=1,
    ),
    Cases(
        (B * (1 + y) <= A + B, Solver()),
        (B * (1 + y) >= A + B, Solver()),
    ),
    line=944,
    nearest={"c": "down"},
)

chapter.ours(
    Relation(
        "thm:regret_upper_bound/reduction/logarithms",
        ForAll(y > 0, z >= y, a >= 0),
        (1 + y) ** 2 * (z + a + b) <= (1 + z) ** 2 * (y + a + b),
        y**2 * (z + a + b) <= z**2 * (y + a + b),
        y * (z + a + b) <= z * (y + a + b),
        says=r"""$L/(1+y)$, $L/y$ and $L^2/y$ decrease in $y$, where $L^2 = 2(y + a + [[b]])$ with $a \ge 0$: for
        $y \le z$, $[[formula]]$.""",
        b="1/2",
    ),
    Solver(),
    line=944,
    witnesses=[{y: fmpq(1, 10**4), z: fmpq(2, 10**4), a: ZERO}],
    nearest={"b": "down"},
)

chapter.ours(
    Relation(
        "thm:regret_upper_bound/reduction/roots",
        ForAll(P >= 0, R >= 0, q >= 0, u >= 0, u <= q, v >= q, p >= 0, r >= p, g >= 0),
        (P + R * q) / (1 + q) <= c * Max((P + R * u) / (1 + u), (P + R * v) / (1 + v)),
        (P + R * q) / (1 + q) <= c * Max(P, R),
        p**2 / (1 + g * p) <= r**2 / (1 + g * r),
        p / (1 + g * p) <= r / (1 + g * r),
        says=r"""$(P + Rq)/(1+q)$ lies between its values at the ends of an interval of $q$, and between $P$ and $R$;
        and what the additive constants contribute grows with $p = \sqrt{(1-\beta)/(Sn)}$: $[[formula]]$.""",
        c=1,
    ),
    Cases((P <= R, Solver()), (P >= R, Solver())),
    line=944,
    nearest={"c": "down"},
)

LOG_OF_QUOTIENT = Step(
    "",
    Algebra(sympy.expand_log),
    Eq(log((K + 1) / K), log(K + 1) - log(K), evaluate=False),
    over=ForAll(K >= 1),
)
FIRST_SUM, SECOND_SUM = Sum(1 / j, (j, 1, K)), Sum(1 / j**2, (j, 1, K))

chapter.ours(
    Relation(
        "thm:regret_upper_bound/reduction/harmonic",
        ForAll(K >= 1),
        log(K) <= FIRST_SUM,
        c + log(K) >= FIRST_SUM,
        d >= SECOND_SUM,
        says=r"The sums that the moments of the longest episode are made of: $[[formula]]$.",
        c=1,
        d="7/4",
    ),
    Cases(
        (K <= 1, Solver()),
        (
            K >= 2,
            Argument(
                Step(
                    "",
                    LeastAt(K, 1, steps=True, slope=Argument(LOG_OF_QUOTIENT.put({K: K + 1}))),
                    log(K + 1) <= FIRST_SUM,
                    over=ForAll(K >= 1),
                ),
                Step("", LeastAt(v, u), log(u) <= log(v), over=ForAll(u > 0, v >= u), at={u: K, v: K + 1}),
                Step(
                    "",
                    LeastAt(K, 1, steps=True, slope=Argument(LOG_OF_QUOTIENT)),
                    1 + log(K) >= FIRST_SUM,
                    over=ForAll(K >= 1),
                ),
                Step("", LeastAt(K, 2, steps=True), Rational(7, 4) - 1 / K >= SECOND_SUM, over=ForAll(K >= 2)),
            ),
        ),
    ),
    line=809,
    nearest={"c": "down", "d": "down"},
)

chapter.ours(
    Relation(
        "thm:regret_upper_bound/reduction/many-episodes",
        ForAll(K >= 3, g > 0, g <= 1),
        log(4 * K) <= log(K * log(K) / g) + log(4) - a,
        says=r"""From $K = 3$ on, $L_K^2 = 2(y + \log 4K) \le 4y + 2\log 4$ with $y = \log(K\log K/g)$ and
        $g = (1-\beta)/(Sn)$: $[[formula]]$.""",
        a=0,
    ),
    Argument(
        Step("", LeastAt(K, 3, then=Everywhere()), log(K) >= 1, over=ForAll(K >= 3)),
        Step("", LeastAt(v, u), log(u) <= log(v), over=ForAll(u > 0, v >= u), at={u: K, v: K * log(K) / g}),
        Step("", Algebra(sympy.expand_log), Eq(log(4 * K), log(4) + log(K), evaluate=False), over=ForAll(K >= 1)),
    ),
    line=944,
    nearest={"a": "up"},
)

chapter.ours(
    Relation(
        "thm:regret_upper_bound/reduction/last-episode",
        ForAll(K >= 2),
        2 * (K - 1) * log(K * (K - 1)) >= b * log(K),
        says=r"""$L_{K-1}^2 = 2(y + a)$ with $a = \log\frac{2(K-1)\log(K(K-1))}{\log K} \ge \log [[b]]$, which is above
        $\frac12$: $[[formula]]$.""",
        b=2,
    ),
    Argument(
        Step(
            "",
            Algebra(sympy.expand_log),
            Eq(log(x * y), log(x) + log(y), evaluate=False),
            over=ForAll(x > 0, y > 0),
            at={x: K, y: K - 1},
        ),
        Step("", LeastAt(x, 1), log(x) >= 0, over=ForAll(x >= 1), at={x: K - 1}),
    ),
    line=930,
    nearest={"b": "up"},
)

chapter.ours(
    Process(
        "thm:regret_upper_bound/reduction/tails",
        u <= v,
        v <= c,
        start={u: 1, v: 1},
        move={u: u * p, v: v * q},
        inputs=ForAll(p >= 0, q >= p, q <= 1),
        says=r"""Powers grow with their base: so $\beta^m$ and with it $\mathbb{P}(\max_k H_k > m) = 1 - (1 -
        \beta^m)^K$ grow with $\beta$, and so does every $\mathbb{E}[\max_k H_k^\alpha]$. After any number of
        factors $p \le q \le 1$, $[[formula]]$ for their products $u$ and $v$.""",
        c=1,
    ),
    Invariant(u >= 0),
    line=815,
    nearest={"c": "down"},
)

MEANS = Family(
    "numbers of episodes and discounts",
    lambda: iter([(1, ZERO), (2, ZERO), (2, fmpq(1, 2)), (3, fmpq(99, 100)), (8, fmpq(999, 1000)), (12, fmpq(1, 3))]),
)


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


chapter.ours(
    Property(
        "thm:regret_upper_bound/moments",
        below_harmonic,
        over=MEANS,
        domain=r"$K \ge 1$, $0 \le \beta < 1$",
        says=r"""$\mathbb{E}[\max_k H_k] \le 1 + c h_1$ and $\mathbb{E}[\max_k H_k^2] \le 1 + 2 c h_1 + c^2(h_1^2 +
        h_2)$ with $c = \frac{1}{1-\beta} - [[s]]$, $h_1 = \sum_{j \le K} \frac1j$ and $h_2 = \sum_{j \le K}
        \frac1{j^2}$.""",
        s="1/2",
    ),
    Argument(
        Step(
            r"The mean of $E/\log(1/\beta)$, $E$ exponential of mean $1$, is at most $c$:",
            Argument(Step("", Uses("conc:H/logarithm"))),
            1 / log(1 / beta) <= 1 / (1 - beta) - s,
            over=ForAll(beta > 0, beta < 1),
        ),
        Step(
            r"""With one variable more, of $K$, the largest gains in the mean what $h_1$ and $h_1^2 + h_2$ gain:
            $\frac1K$, and $\frac2K$ times the mean.""",
            Solver(),
            Eq((p + 1 / K) ** 2 + (q + 1 / K**2) - (p**2 + q), 2 * (p + 1 / K) / K, evaluate=False),
            over=ForAll(K >= 1, p >= 0, q >= 0),
        ),
        conclusion=ByHand(
            r"""$H$ has the law of $\lceil E/\log(1/\beta)\rceil \le 1 + E/\log(1/\beta)$. The largest of $K$
            independent such $E$ has the density $K(1-e^{-m})^{K-1}e^{-m}$, so that
            $\mathbb{E}[M_K^j] - \mathbb{E}[M_{K-1}^j] = \frac jK\mathbb{E}[M_K^{j-1}]$ by parts: $\mathbb{E}[M_K]
            = h_1$, $\mathbb{E}[M_K^2] = h_1^2 + h_2$. At $\beta = 0$, $H = 1$."""
        ),
    ),
    line=809,
    nearest={"s": "up"},
)

chapter.ours(
    Process(
        "thm:regret_upper_bound/moments/three-halves",
        s**2 <= c * p * q,
        start={s: 0, p: 0, q: 0},
        move={s: s + x * y**3, p: p + x * y**2, q: q + x * y**4},
        inputs=ForAll(x >= 0, y >= 0),
        says=r"""$\mathbb{E}[\max_k H_k^{3/2}]^2 \le \mathbb{E}[\max_k H_k]\,\mathbb{E}[\max_k H_k^2]$: over any
        number of values $y^2$ of probabilities $x$, with the sums $s$, $p$, $q$ of $xy^3$, $xy^2$ and $xy^4$,
        $[[formula]]$.""",
        c=1,
    ),
    Invariant(p >= 0, q >= 0),
    line=940,
    nearest={"c": "down"},
)

chapter.ours(
    Relation(
        "thm:regret_upper_bound/ucbvi-front",
        ForAll(S >= 1, b <= L, x >= 1, H >= 1),
        L * (1 + x) / 2 + H * (1 + L * x / 2) * (L + 3 * sqrt(S) / 2) <= a * L * (L + sqrt(S)) * x * H,
        says=r"""With $B_k = H_k(1 + L/(2(1-\beta)))$, which bounds the values of $M_k$, an episode of MB-UCBVI costs
        per visit at most what the paper's display says, $\frac{[[a]] L(L + \sqrt S)}{1-\beta} H$, where
        $L = L_K \ge [[b]]$; with $x = \frac{1}{1-\beta}$, $[[formula]]$.""",
        a=2,
        b="4/3",
    ),
    Solver(),
    line=1094,
    witnesses=[
        {S: fmpq(1), L: fmpq(4, 3), x: fmpq(1), H: fmpq(1)},
        {S: fmpq(1), L: fmpq(5, 4), x: fmpq(1), H: fmpq(1)},
    ],
    nearest={"a": "down", "b": "down"},
)

chapter.ours(
    Relation(
        "thm:regret_upper_bound/additive-states",
        ForAll(s >= 1, n >= 1, x >= 1, p >= 0, q >= 0),
        s**2 * x * (p**2 + q) <= c * s * x * (s**2 * n * p**2 * x**2 + s * sqrt(n) * q * x * sqrt(x)),
        says=r"""An additive term $S/(1-\beta)$ costs no more in MB-UCBVI's constant than $1/(1-\beta)$ at $S = 1$: with
        $s = \sqrt S$, $x = \frac{1}{1-\beta}$, $p = \log K$ and $q = \sqrt K(\log K)^{3/2}$ its quotient by the
        theorem's side is at most $1/(p^2 + q)$ over the logarithm: $[[formula]]$.""",
        c=1,
    ),
    Solver(),
    line=1086,
    nearest={"c": "down"},
)

ROOT_CASES = Family(
    "one episode",
    lambda: iter([(1, discount) for discount in (ZERO, fmpq(1, 2), fmpq(9, 10), fmpq(99, 100), fmpq(999, 1000))]),
)


def below_root_term(at: tuple[int, fmpq], d: object) -> Answer:
    """Hold E max H sqrt(sum of H), for one episode E H^(3/2), to the bound."""
    K, discount = at
    kept = 1 - discount
    truth = at_most(
        lambda: horizon_power(fmpq(3, 2), discount, K),
        lambda: (arb(K).log() + arb(rational(d))) * arb(K).sqrt() / (arb(kept) * arb(kept).sqrt()),
    )
    return answer(truth, K=K, beta=discount)


chapter.ours(
    Property(
        "thm:regret_upper_bound/sharper-root",
        below_root_term,
        over=ROOT_CASES,
        domain=r"$K \ge 1$, $0 \le \beta < 1$",
        says=r"""In the second term of $f$, $\log K$ can stand for $(\log K)^{3/2}$: $\mathbb{E}\big[\max_k H_k
        \sqrt{\sum_k H_k}\,\big] \le \sqrt K\,\frac{\log K + [[d]]}{(1-\beta)^{3/2}}$.""",
        d="12/5",
    ),
    Argument(
        Step(
            r"""Cauchy and Schwarz, for values $y$ and $z$ of probabilities $x$, with the sums $s$, $p$, $q$ of $xyz$,
            $xy^2$, $xz^2$:""",
            Invariant(p >= 0, q >= 0),
            claim=Process(
                "thm:regret_upper_bound/sharper-root#sums",
                s**2 <= p * q,
                start={s: 0, p: 0, q: 0},
                move={s: s + x * y * z, p: p + x * y**2, q: q + x * z**2},
                inputs=ForAll(x >= 0, y >= 0, z >= 0),
            ),
        ),
        Step("", Uses("thm:regret_upper_bound/moments")),
        Step("", Uses("thm:regret_upper_bound/reduction/harmonic")),
        Step(
            r"""With $x = \frac{1}{1-\beta}$, $L = \log K$, $u = h_1 \le 1 + L$ and $v = h_2 \le \frac74$, the second
            moment is at most $1 + 2(x - \frac12)u + (x - \frac12)^2(u^2 + v) \le x^2 (L + d)^2$.""",
            Solver(),
            1 + 2 * (x - HALF) * u + (x - HALF) ** 2 * (u**2 + v) <= x**2 * (L + d) ** 2,
            over=ForAll(x >= 1, L >= 0, u >= 0, u <= 1 + L, v >= 0, v <= Rational(7, 4)),
        ),
        conclusion=ByHand(
            r"""Cauchy and Schwarz with $y = \max_k H_k$ and $z^2 = \sum_k H_k$, whose expectation is $Kx$."""
        ),
    ),
    line=368,
    nearest={"d": "down"},
)
