"""Event E^V of Lemma `concentration` with its radius as printed: four bounds on the probability that it fails."""

from __future__ import annotations

import sympy  # type: ignore[import-untyped]
from sympy import E, Eq, exp, log, sqrt

from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import (
    LOG,
    MEAN_STEPS,
    PRE_DRAWN,
    SIZES,
    TAU,
    VALUES,
    Y,
    in_the_mean,
    leaving,
)
from proofs_checks.claims.appendix_a_upper_bounds.concentration.value_steps import (
    COVERED,
    E_V,
    FEW_STEPS,
    IN_RANGE,
    ONE_OBSERVATION,
    S_FUNCTIONS,
    SAME,
)
from proofs_checks.computations.deviation_cases import of_means
from proofs_checks.computations.deviation_families import (
    constant_apart,
    few_steps,
    functions_of_k_and_log,
    long_episodes,
)
from proofs_checks.evidence import Algebra, Argument, ByHand, LeastAt, Solver, Step, Uses
from proofs_checks.ledger import Chapter
from proofs_checks.statements import ForAll
from proofs_checks.statements.symbols import K, S, beta, c, ell, k, mu, n, s, u, w, x, y

chapter = Chapter(under="lem:concentration")
REPAIRS = ("conc:V", "conc:V/union")


def as_exponentials(formula: sympy.Expr) -> sympy.Expr:
    """Return a formula with its powers that have a symbol above written as exponentials."""
    return formula.replace(
        lambda each: each.is_Pow and each.exp.free_symbols, lambda each: exp(each.exp * log(each.base))
    )


chapter.ours(
    leaving(
        "conc:V/repair-probability",
        VALUES,
        of_means,
        functions_of_k_and_log,
        r"""$\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le \frac{[[*c]]F}{K\log(K(k-1))}$ with $F = 1$ for $n = 1$
        or $S = 1$ and $F = S$ otherwise, if $\hat r = 1/2$ and $\hat Q$ is a probability row where $N = 0$; so at
        most $S/K$ for $K \ge 3$. Event $\mathcal{E}^H_{k-1}$ is not used. $\mathcal{E}^V_{k-1}$ is"""
        + " "
        + E_V,
    ),
    Argument(
        *ONE_OBSERVATION,
        *S_FUNCTIONS,
        PRE_DRAWN,
        MEAN_STEPS,
        in_the_mean(S * 2 / Y, c * S / (K * LOG)),
        in_the_mean(2 / Y, c / (K * LOG)),
        COVERED,
        conclusion=ByHand(
            r"""Each of the $S$ functions leaves the radius at $\ell$ with probability at most $2/y$, $y =
            2SnK\tau_k$. For $n = 1$ there is one function, $V^*$, and for $S = 1$ a constant."""
        ),
    ),
    line=655,
    repairs=REPAIRS,
    nearest={"s": "down", "c": "down"},
)

chapter.ours(
    leaving(
        "conc:V/constant",
        VALUES,
        of_means,
        constant_apart,
        r"""$\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le [[*c]]\frac{S - 1 + y^{1 -
        1/(1-\beta)^2}}{K\log(K(k-1))}$ with $y = 2SnK\tau_k$: for the constant function among the $S$ the deviation
        is that of $\hat r$, whose range is $1-\beta$ times the one allowed for;"""
        + " "
        + SAME,
    ),
    Argument(
        *ONE_OBSERVATION,
        *S_FUNCTIONS,
        PRE_DRAWN,
        MEAN_STEPS,
        Step(
            r"For the constant function Hoeffding's bound is $2 y^{-1/(1-\beta)^2}$.",
            Algebra(as_exponentials),
            Eq(
                2 * exp(-2 * ell * (s * sqrt(log(y) / (2 * ell)) / (1 - beta)) ** 2),
                2 * y ** (-1 / (1 - beta) ** 2),
                evaluate=False,
            ),
            over=ForAll(ell >= 1, y > 1, beta >= 0, beta < 1),
        ),
        Step(
            r"This is $2/y$ times $y^{1 - 1/(1-\beta)^2}$.",
            Algebra(),
            Eq(y ** (-x), y ** (1 - x) / y, evaluate=False),
            over=ForAll(y > 0, x >= 1),
        ),
        in_the_mean((S - 1 + w) * 2 / Y, c * (S - 1 + w) / (K * LOG)),
        COVERED,
        conclusion=ByHand(
            r"""Of the $S$ functions $S - 1$ leave the radius at $\ell$ with probability at most $2/y$, the constant
            one with probability at most $2w/y$, $w = y^{1 - 1/(1-\beta)^2}$."""
        ),
    ),
    line=655,
    repairs=REPAIRS,
    nearest={"s": "down"},
)

chapter.ours(
    leaving(
        "conc:V/few-steps",
        VALUES,
        of_means,
        few_steps,
        r"""$\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le [[*c]]\frac{k-1+\beta}{(1-\beta)nK\log(K(k-1))}$,
        whatever $S$ is;"""
        + " "
        + SAME,
    ),
    Argument(
        *ONE_OBSERVATION,
        *S_FUNCTIONS,
        Step("", Uses("conc:pre-drawn")),
        Step(
            r"""Given the lengths, play meets at most $T = t_k - 1$ arm states. Which one is the $i$-th new one is
            decided by what the others showed and by the learner, so that its own sequence is independent of that.""",
            ByHand(),
        ),
        Step("", Uses("eq:V-vs_R/moments")),
        Step(
            r"""With $T = t_k - 1$, $\mathbb{E}[T^2] = (k-1)\mathbb{E}[H^2] + (k-1)(k-2)\mathbb{E}[H]^2 =
            \frac{(k-1)(k-1+\beta)}{(1-\beta)^2}$.""",
            Algebra(),
            Eq(
                (k - 1) * (1 + beta) / (1 - beta) ** 2 + (k - 1) * (k - 2) / (1 - beta) ** 2,
                (k - 1) * (k - 1 + beta) / (1 - beta) ** 2,
                evaluate=False,
            ),
            over=ForAll(k >= 2, beta >= 0, beta < 1),
        ),
        Step(
            r"In the mean, $T$ arm states, $T$ values of $\ell$ and $S$ functions give what is claimed.",
            Solver(),
            S * 2 / Y * (k - 1) * (k - 1 + beta) / (1 - beta) ** 2 <= c * FEW_STEPS / K,
            over=SIZES,
        ),
        COVERED,
        conclusion=ByHand(
            r"""So some $\ell \le T$ of the $i$-th one leaves the radius with probability at most $S T \cdot 2/y$,
            for each $i \le T$."""
        ),
    ),
    line=655,
    repairs=REPAIRS,
    nearest={"s": "down", "c": "down"},
)

chapter.ours(
    leaving(
        "conc:V/long-episodes",
        VALUES,
        of_means,
        long_episodes,
        r"""$\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le [[*c]]\frac{S e (1 + \Lambda\log(1 +
        2\mu/\Lambda))}{K\tau_k}$ with $\Lambda = \log(2SnK\tau_k)$ and $\mu = \frac{k-1}{1-\beta}$;"""
        + " "
        + SAME,
    ),
    Argument(
        IN_RANGE,
        Step("", Uses("cited:hoeffding-maximal")),
        *S_FUNCTIONS,
        Step("", Uses("conc:pre-drawn")),
        MEAN_STEPS,
        Step(r"$\Lambda > 1$.", Uses("conc:domain/least")),
        Step(
            r"For $\ell \le \Lambda/2$ the radius is at least the range.",
            Solver(),
            s * sqrt(x / (2 * ell)) >= 1,
            over=ForAll(ell >= 1, x > 1, 2 * ell <= x),
        ),
        Step(
            r"""To leave it in the block $(u, \frac{\Lambda}{\Lambda-1}u]$, the centred sum has to reach there the
            radius times $u$ at $u$; the maximal inequality bounds the probability by $e^{1-\Lambda}$.""",
            Solver(),
            exp(-2 * (s * sqrt(u * x / 2)) ** 2 / (x / (x - 1) * u)) <= exp(1 - x),
            over=ForAll(x > 1, u > 0),
        ),
        Step(
            r"""$\log\frac{\Lambda}{\Lambda-1} \ge \frac1\Lambda$, so that $1 + \Lambda\log(1 + 2T/\Lambda)$ blocks
            cover $(\Lambda/2, T]$.""",
            Solver(),
            log(x / (x - 1)) >= 1 / x,
            over=ForAll(x > 1),
        ),
        Step(
            r"Their number is concave in $T$, below its tangent at $\mu = \mathbb{E}[T]$.",
            LeastAt(u, mu),
            log(1 + 2 * u / x) <= log(1 + 2 * mu / x) + 2 * (u - mu) / (x + 2 * mu),
            over=ForAll(x > 1, mu > 0, u >= 0),
        ),
        Step(
            r"In the mean, the blocks of $nS$ arm states with $S$ functions each give what is claimed.",
            Solver(),
            n * S * S * 2 * E / Y * w <= c * S * E * w / (K * TAU),
            over=SIZES.where(w >= 1),
        ),
        COVERED,
        conclusion=ByHand(
            r"""In each block of $\ell$ each function of each arm state leaves the radius with probability at most
            $2e^{1-\Lambda} = 2e/y$; the lengths are independent of the sequences."""
        ),
    ),
    line=655,
    repairs=REPAIRS,
    nearest={"s": "down"},
)
