r"""The remarks on Theorem 1 (Section 5.1 and 5.2, abstract): the simplified bound, arms, and the gap to Theorem 2.

In formulas x = 1/(1-beta), and the logarithms are written out: log K, and log(SnK log K x) of the theorem.
"""

from __future__ import annotations

import sympy  # type: ignore[import-untyped]
from flint import fmpq
from sympy import Eq, Rational, log, sqrt

from proofs_checks.evidence import Algebra, Argument, Everywhere, LeastAt, Solver, Step
from proofs_checks.ledger import Cause, Chapter, Severity, survives
from proofs_checks.statements import Answer, Family, ForAll, Relation, answer
from proofs_checks.statements.symbols import K, L, S, a, b, c, d, e, n, p, q, s, u, v, x, y
from theory import ONE, ZERO
from theory.paper.regret import theorem_side

chapter = Chapter(under="eq:regret_tilde")
SIZES = ForAll(S >= 1, n >= 1, K >= 1, x >= 1)
FIRST, SECOND = S * n * x**2, sqrt(S * n * K) * x * sqrt(x)  # the terms of f without logarithms
LOG_K, LOG_ALL = log(K), log(S * n * K * log(K) * x)


def with_logs(arms: sympy.Expr) -> sympy.Expr:
    """Return f for so many arms."""
    z = LOG_K * x
    return S * arms * z**2 + sqrt(S * arms * K) * z * sqrt(z)


LOG_OF_K = Step("", LeastAt(u, 2), log(u) >= Rational(69, 100), over=ForAll(u >= 2), at={u: K})
LOG_OF_ALL = Step("", LeastAt(v, 1), log(v) >= 0, over=ForAll(v >= 1), at={v: S * n * K * LOG_K * x})

TERMS = {p: S * n * (LOG_K * x) ** 2, q: sqrt(S * n * K) * LOG_K * x * sqrt(LOG_K * x), y: sqrt(S) + LOG_ALL}

chapter.printed(
    Relation(
        "eq:regret_tilde/regime",
        SIZES,
        (K - c * S * n * x) * (SECOND - FIRST) >= 0,
        says=r"""Without its logarithms the first term of $f$ is at most the second exactly for $K \ge
        \frac{Sn}{1-\beta}$. [[ours]] Both differences have the same sign: $[[formula]]$.""",
        c=1,
    ),
    Solver(),
    line=384,
    witnesses=[{S: ONE, n: ONE, K: fmpq(401, 400) * 400, x: fmpq(400)}, {S: ONE, n: ONE, K: fmpq(399), x: fmpq(400)}],
    mutants=[{"c": "100/99"}],
    nearest={"c": "down"},
)

chapter.ours(
    Relation(
        "eq:regret_tilde/first-term",
        SIZES.where(K >= 2, S * n * x <= K),
        S * n * (c * LOG_K * x) ** 2 <= sqrt(S * n * K) * c * LOG_K * x * sqrt(c * LOG_K * x),
        says=r"""With its logarithms too, the first term of $f$ is at most the second: $[[formula]]$.""",
        c=1,
    ),
    Argument(
        Step("", LeastAt(u, 2), log(u) > 0, over=ForAll(u >= 2), at={u: K}),
        Step(
            "",
            Solver(),
            S * n * y**2 <= sqrt(S * n * K) * y * sqrt(y),
            over=ForAll(S >= 1, n >= 1, K >= 1, y > 0, S * n * y <= K),
            at={y: c * LOG_K * x},
        ),
    ),
    line=384,
    survives=survives(S * n * x * LOG_K <= K, says=r"$K \ge \frac{Sn\log K}{1-\beta}$"),
    witnesses=[{S: ONE, n: ONE, K: fmpq(3), x: fmpq(3)}, {S: ONE, n: ONE, K: fmpq(1000), x: fmpq(144)}],
    nearest={"c": "up"},
)

chapter.printed(
    Relation(
        "eq:regret_tilde",
        SIZES.where(K >= 2, d * S * n * x <= K),
        (sqrt(S) + LOG_ALL) * with_logs(n)
        <= c * (1 + LOG_ALL) * (1 + sqrt(LOG_K)) * LOG_K * sqrt(LOG_K) * S**e * sqrt(n * K) * x * sqrt(x),
        says=r"""For $K \ge \frac{Sn}{1-\beta}$ the bound of MB-PSRL and MB-UCRL2 is
        $\frac{S\sqrt{nK}}{(1-\beta)^{3/2}}$ up to logarithms. [[ours]] With $x = \frac{1}{1-\beta}$, $[[formula]]$.""",
        c=1,
        d=1,
        e=1,
    ),
    Argument(
        LOG_OF_K,
        LOG_OF_ALL,
        Step(
            r"With $L = \log K$, the terms of $f$:",
            Solver(),
            S * n * (L * x) ** 2 <= sqrt(L) * sqrt(S * n * K) * L * x * sqrt(L * x),
            over=ForAll(S >= 1, n >= 1, K >= 1, x >= 1, L > 0, d * S * n * x <= K, d >= 1),
            at={L: LOG_K},
        ),
        Step(
            "A linear term $p$ and a root term $q$, with the factor in front of them:",
            Solver(),
            (sqrt(S) + v) * (p + q) <= (1 + v) * sqrt(S) * (1 + sqrt(L)) * q,
            over=ForAll(S >= 1, v >= 0, L > 0, p >= 0, q >= 0, p <= sqrt(L) * q),
            at={L: LOG_K, v: LOG_ALL, p: TERMS[p], q: TERMS[q]},
        ),
        Step(
            "",
            Algebra(),
            Eq(
                (1 + v) * (1 + sqrt(L)) * L * sqrt(L) * S * sqrt(n * K) * x * sqrt(x),
                (1 + v) * sqrt(S) * (1 + sqrt(L)) * sqrt(S * n * K) * L * x * sqrt(L * x),
                evaluate=False,
            ),
            over=ForAll(S >= 1, n >= 1, K >= 1, x >= 1, L > 0, v >= 0),
            at={L: LOG_K, v: LOG_ALL},
        ),
    ),
    line=386,
    under="thm:regret_upper_bound",
    mutants=[{"e": "1/2"}, {"d": "1/2"}],
    nearest={"c": "down"},
)

TWICE_THE_ARMS = Step(
    "",
    Algebra(sympy.expand_log),
    Eq(log(2 * v), log(2) + log(v), evaluate=False),
    over=ForAll(v > 0),
    at={v: S * n * K * LOG_K * x},
)
LOG_OF_2 = Step(
    "",
    Everywhere(),
    sympy.Le(log(2), Rational(7, 10), evaluate=False),
    sympy.Ge(log(2), Rational(69, 100), evaluate=False),
    over=ForAll(),
)
FROM_N_TO_2N = (sqrt(S) + log(2 * S * n * K * LOG_K * x)) * with_logs(2 * n), (sqrt(S) + LOG_ALL) * with_logs(n)

chapter.printed(
    Relation(
        "eq:regret_tilde/sub-linear",
        SIZES.where(K >= 2, 2 * S * n * x <= K),
        FROM_N_TO_2N[0] <= c * FROM_N_TO_2N[1],
        says=r"""The bound is sub-linear in the number of arms. [[ours]] Where $K \ge \frac{Sn}{1-\beta}$ for $n$ and
        for $2n$, it grows at most $[[c]]$ times from $n$ to $2n$: with $x = \frac{1}{1-\beta}$, $[[formula]]$.""",
        c=2,
    ),
    Argument(
        LOG_OF_K,
        LOG_OF_ALL,
        TWICE_THE_ARMS,
        LOG_OF_2,
        Step(
            r"With $L = \log K$, the terms of $f$:",
            Solver(),
            sqrt(2) * S * n * (L * x) ** 2 <= sqrt(L) * sqrt(S * n * K) * L * x * sqrt(L * x),
            over=ForAll(S >= 1, n >= 1, K >= 1, x >= 1, L > 0, 2 * S * n * x <= K),
            at={L: LOG_K},
        ),
        Step(
            "A linear term $p$ and a root term $q$, with the factor $y$ in front of them:",
            Solver(),
            (y + Rational(7, 10)) * (2 * p + sqrt(2) * q) <= 2 * y * (p + q),
            over=ForAll(L > 0, y >= 2 * (1 + sqrt(L)), p >= 0, q >= 0, sqrt(2) * p <= sqrt(L) * q),
            at={L: LOG_K, **TERMS},
        ),
    ),
    line=391,
    survives=survives(
        sqrt(S) + LOG_ALL >= 2 + 2 * sqrt(LOG_K),
        says=r"$\sqrt S + \log\frac{SnK\log K}{1-\beta} \ge 2 + 2\sqrt{\log K}$",
    ),
    severity=Severity.EDGE,
    cause="sublinear-in-arms",
    nearest={"c": "down"},
)

chapter.ours(
    Relation(
        "eq:regret_tilde/super-linear",
        SIZES.where(K >= 2, (sqrt(S) + LOG_ALL) * sqrt(K) <= 2 * sqrt(S * n * LOG_K * x)),
        FROM_N_TO_2N[0] >= c * FROM_N_TO_2N[1],
        says=r"""With many arms for the episodes, the bound grows at least $[[c]]$ times from $n$ to $2n$: its first
        term is linear in $n$, times a logarithm. With $x = \frac{1}{1-\beta}$, $[[formula]]$.""",
        c=2,
    ),
    Argument(
        LOG_OF_K,
        LOG_OF_ALL,
        TWICE_THE_ARMS,
        LOG_OF_2,
        Step(
            r"With $L = \log K$, the terms of $f$:",
            Solver(),
            y * sqrt(S * n * K) * L * x * sqrt(L * x) <= 2 * S * n * (L * x) ** 2,
            over=ForAll(S >= 1, n >= 1, K >= 1, x >= 1, L > 0, y >= 0, y * sqrt(K) <= 2 * sqrt(S * n * L * x)),
            at={L: LOG_K, y: TERMS[y]},
        ),
        Step(
            "A linear term $p$ and a root term $q$, with the factor $y$ in front of them:",
            Solver(),
            (y + Rational(69, 100)) * (2 * p + sqrt(2) * q) >= 2 * y * (p + q),
            over=ForAll(y >= 1, p >= 0, q >= 0, y * q <= 2 * p),
            at=TERMS,
        ),
    ),
    line=391,
    witnesses=[{S: ONE, n: fmpq(1000), K: fmpq(2), x: ONE}],
    nearest={"c": "up"},
)

chapter.printed(
    Relation(
        "eq:regret_tilde/ucbvi",
        ForAll(s >= 1, x >= 1, y > 0),
        y / (1 + y) * (s + y) * x**p <= s * y * x,
        s * y * x <= c * y * (s + y) * x**p,
        says=r"""The bound of MB-UCBVI has an extra factor $\frac{1}{1-\beta}$, up to logarithms. [[ours]] With $s =
        \sqrt S$, $x = \frac{1}{1-\beta}$ and $y$ the theorem's logarithm, the quotient of $s y x$ by $(s + y)
        x^{[[p]]}$ is between $\frac{y}{1+y}$ and $y$: $[[formula]]$.""",
        p=1,
        c=1,
    ),
    Solver(),
    line=389,
    mutants=[{"p": 0}, {"p": 2}],
)

# -- beside the lower bound, and beside the general algorithms

LOWER = sqrt(S * n * K * x)  # Theorem 2's, without its constant
UPPER = S * sqrt(n * K) * x ** Rational(3, 2)

chapter.printed(
    Relation(
        "thm:lower_bound/gap",
        SIZES.where(p >= 0),
        Eq(UPPER * x**p, S**a * x**b * LOWER, evaluate=False),
        says=r"""Logarithms left out, the lower bound of Theorem 2 differs from the bound of Theorem 1 by a factor
        $\sqrt S/(1-\beta)$. [[ours]] Constants left out too, for $K \ge \frac{Sn}{1-\beta}$, by
        $S^{[[a]]}/(1-\beta)^{[[b]]}$. With $x = \frac{1}{1-\beta}$, $p = 0$ for MB-PSRL and MB-UCRL2 and $p = 1$ for
        MB-UCBVI: $[[formula]]$.""",
        a="1/2",
        b=1,
    ),
    Argument(Step("", Algebra(), Eq(UPPER, S**a * x**b * LOWER, evaluate=False), over=SIZES)),
    line=449,
    survives=survives(p <= 0, says="MB-PSRL and MB-UCRL2"),
    severity=Severity.SLIP,
    cause="ucbvi-gap",
    witnesses=[{S: ONE, n: ONE, K: ONE, x: fmpq(2), p: ONE}, {S: fmpq(2), n: ONE, K: ONE, x: fmpq(2), p: fmpq(0)}],
    mutants=[{"a": 1}],
    nearest={"b": "down"},
)

chapter.ours(
    Relation(
        "thm:lower_bound/gap/ucbvi",
        SIZES,
        Eq(UPPER * x, S**a * x**b * LOWER, evaluate=False),
        says=r"""For MB-UCBVI the gap is $S^{[[a]]}/(1-\beta)^{[[b]]}$: with $x = \frac{1}{1-\beta}$, $[[formula]]$.""",
        a="1/2",
        b=2,
    ),
    Algebra(),
    line=449,
    repairs="thm:lower_bound/gap",
    witnesses=[{S: fmpq(2), n: ONE, K: ONE, x: fmpq(2)}],
    mutants=[{"a": 1}],
    nearest={"b": "down"},
)

chapter.printed(
    Relation(
        "abstract/gap",
        SIZES,
        Eq(S * sqrt(n * K), S**a * sqrt(S * n * K), evaluate=False),
        says=r"""As functions of $S$, $n$ and $K$, for a fixed $\beta$ and logarithms left out, the regrets $\tilde
        O(S\sqrt{nK})$ match the lower bound $\Omega(\sqrt{SnK})$ up to the factor $\sqrt S$. [[ours]] Taken as
        $S^{[[a]]}$: $[[formula]]$. (In $\beta$ they differ by the factors of `thm:lower_bound/gap`.)""",
        a="1/2",
    ),
    Algebra(),
    line=104,
    witnesses=[{S: fmpq(2), n: ONE, K: ONE, x: ONE}],
    nearest={"a": "down"},
)

chapter.ours(
    Relation(
        "eq:regret_tilde/vanilla",
        ForAll(S >= 2, n >= 2),
        c * S**2 < S**n,
        says=r"""$S\sqrt{nK}$ is below both bounds of the general algorithms, $S^n\sqrt{nK}$ and $\sqrt{nS^nK}$ for
        $S^n$ states and $n$ actions, factors of $\frac{1}{1-\beta}$ and logarithms left out: below the second exactly
        where $[[formula]]$, and then below the first.""",
        c=1,
    ),
    LeastAt(n, 3, steps=True),
    line=391,
    survives=survives(n >= 3),
    witnesses=[{S: fmpq(2), n: fmpq(2)}],
    nearest={"c": "up"},
)

at = chapter.heading("thm:regret_upper_bound")
SIZES_OF_BOUND = ((4, 3, 3000, fmpq(99, 100)), (2, 2, 10**6, fmpq(1, 2)))


def less_than_double(sizes: tuple[int, int, int, fmpq], of: str) -> Answer:
    """Return whether MB-UCBVI's bound less than doubles where one number is doubled."""
    S, n, K, beta = sizes
    twice = {"states per arm": (2 * S, n, K), "arms": (S, 2 * n, K), "episodes": (S, n, 2 * K)}[of]
    before, after = theorem_side(S, n, K, beta, 2), theorem_side(*twice, beta, 2)
    return answer(bool(after < 2 * before), S=S, n=n, K=K, beta=beta, bound=before, with_twice_as_many=after)


at.printed(118).property("sec:intro/sub-linear",
    r"""The bound on the regret of MB-UCBVI is sub-linear in the number of [[of]]. [[ours]] It less than doubles where
    that number is doubled.""",
    less_than_double, over=Family("two cases", lambda: iter(SIZES_OF_BOUND)), of="states per arm",
    fails="linear-in-states", severity=Severity.SLIP, true=[{"of": "arms"}, {"of": "episodes"}])


def minimax_is_a_number(quantity: str) -> Answer:
    """Return whether two runs of a learner have one value, in the first episode with arms of rewards 1 and 0."""
    regrets = {"arm 1 is drawn": ZERO, "arm 2 is drawn": ONE}
    if "mathbb" in quantity:
        mean = sum(regrets.values(), ZERO) / 2
        regrets = dict.fromkeys(regrets, mean)
    return answer(len(set(regrets.values())) == 1, **{name: str(value) for name, value in regrets.items()})


at.printed(435).property("thm:lower_bound/minimax",
    r"""A minimax lower bound is a bound of the number $\inf_{\mathcal{L}}\sup_M [[quantity]]$. [[ours]] For a learner
    that draws its first arm by a fair coin, $\beta = 0$.""",
    minimax_is_a_number, quantity=r"\mathrm{Reg}(K, \mathcal{L}, M)", fails="mean-left-out", severity=Severity.SLIP,
    true={"quantity": r"\mathbb{E}[\mathrm{Reg}(K, \mathcal{L}, M)]"}, under="thm:lower_bound")

CAUSES = [
    Cause(
        "mean-left-out",
        Severity.SLIP,
        line=1015,
        title="A mean is left out",
        printed=r"$\mathrm{Reg}(K, \text{MB-UCRL2}, M) \le C'(\cdots)$, and $\inf\sup_M \mathrm{Reg}(K, \cdot, M)$",
        why=r"""The regret is a random variable. With an arm of Bernoulli rewards of mean $\frac12$ and one that pays
        $\frac14$, $S = 1$, $\beta = 0$, $K = 10^{13}$, all rewards of the first arm are $0$ with positive probability;
        then it is played less than $1000$ times, and the regret is above $2.4 \cdot 10^{12}$, the bound with $C' =
        30.407$ below $8 \cdot 10^{11}$.""",
        instead=r"""$\mathbb{E}[\mathrm{Reg}(K, \text{MB-UCRL2}, M)] \le C'(\cdots)$, and $\inf\sup_M
        \mathbb{E}[\mathrm{Reg}(K, \cdot, M)]$""",
        follows="Nothing: Theorem 1 is stated for the mean.",
        witness="ucrl2/last-display/run",
    ),
    Cause(
        "linear-in-states",
        Severity.SLIP,
        line=118,
        title="No bound is sub-linear in the number of states",
        printed="the regret of MB-UCBVI is sub-linear in the number of states per arm",
        why=r"""By eq. (7) the bounds of MB-PSRL and MB-UCRL2 are linear in $S$; in that of MB-UCBVI $\sqrt S f$ stands
        for $S\sqrt{nK}$ and $S^{3/2}n$, logarithms left out.""",
        instead="sub-linear in the number of episodes and of arms",
        follows="Nothing.",
        witness="sec:intro/sub-linear",
    ),
    Cause(
        "sublinear-in-arms",
        Severity.EDGE,
        line=391,
        title="The bound is sub-linear in the number of arms only where there are few of them for the episodes",
        printed="This regret bound is sub-linear in the number of arms.",
        why=r"""The first term of $f$ is linear in $n$, and the logarithm grows with it: where $(\sqrt S +
        \log\frac{SnK\log K}{1-\beta})\sqrt K \le 2\sqrt{Sn\log K/(1-\beta)}$, the bound more than doubles from $n$
        to $2n$. For $K \ge \frac{Sn}{1-\beta}$ it is at most $\tilde O(\sqrt n)$, and from $n$ to $2n$ it more than
        doubles for few episodes only, such as $S = n = 1$, $\beta = 0$, $K = 2$.""",
        instead=r"""For $K \ge \frac{Sn}{1-\beta}$ this regret bound grows like $\sqrt n$ with the number of arms,
        up to logarithms. (So too in lines 116, 118 and 529.)""",
        follows="Nothing.",
        witness="eq:regret_tilde/sub-linear",
    ),
    Cause(
        "ucbvi-gap",
        Severity.SLIP,
        line=449,
        title="The gap to the lower bound is larger for MB-UCBVI",
        printed=r"""The lower bound of Theorem 2 differs from the bound of Theorem 1 by a factor
        $\sqrt S/(1-\beta)$.""",
        why=r"""So do the bounds of MB-PSRL and MB-UCRL2; that of MB-UCBVI has an extra factor $\frac{1}{1-\beta}$, and
        differs by $\sqrt S/(1-\beta)^2$.""",
        instead=r"""differs from the bounds of Theorem 1 by a factor $\sqrt S/(1-\beta)$ for MB-PSRL and MB-UCRL2, and
        $\sqrt S/(1-\beta)^2$ for MB-UCBVI""",
        follows="Nothing.",
        witness="thm:lower_bound/gap",
    ),
]
