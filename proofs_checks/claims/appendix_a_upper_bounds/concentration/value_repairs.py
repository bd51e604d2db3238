"""Event E^V of Lemma `concentration` with other radii: a logarithm for S functions, and the main text's t_k."""

from __future__ import annotations

from typing import Any

from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import (
    FIRST_TOO,
    LOG,
    MAIN_TEXT,
    MEAN_STEPS,
    PRE_DRAWN,
    TAU,
    VALUES,
    given_lengths,
    in_the_mean,
    leaving,
)
from proofs_checks.claims.appendix_a_upper_bounds.concentration.value_steps import (
    COVERED,
    ONE_OBSERVATION,
    S_FUNCTIONS,
)
from proofs_checks.computations.deviation_cases import of_means_at_t, of_means_of_functions, of_means_of_functions_at_t
from proofs_checks.computations.deviation_families import functions_of_k, of_k, of_k_and_log
from proofs_checks.evidence import Argument, ByHand, Step
from proofs_checks.ledger import Chapter
from proofs_checks.statements.symbols import K, S, c, n, x

chapter = Chapter(under="lem:concentration")
REPAIRS = ("conc:V", "conc:V/union")
AT_T: dict[str, Any] = {"domain": FIRST_TOO, "reading": MAIN_TEXT}
EACH = r"Each of the $S$ functions leaves the radius at $\ell$ with probability at most $2/y$, "
LARGER_Y = 2 * S**2 * n * K * TAU

chapter.ours(
    leaving(
        "conc:V/repair-logarithm",
        VALUES,
        of_means_of_functions,
        of_k_and_log,
        r"""With $[[*s]]\frac{1}{1-\beta}\sqrt{\frac{\log(2S^2nK\tau_k)}{2\max\{1, N\}}}$ as the radius in
        $\mathcal{E}^V_{k-1}$, and estimates as in `conc:V/repair-probability`, it fails with probability at most
        $\frac{[[c]]}{K\log(K(k-1))}$, so at most $2/K$, for every number of arms and states.""",
    ),
    Argument(
        *ONE_OBSERVATION,
        *S_FUNCTIONS,
        PRE_DRAWN,
        MEAN_STEPS,
        in_the_mean(S * 2 / LARGER_Y, c / (K * LOG)),
        COVERED,
        conclusion=ByHand(EACH + r"$y = 2S^2nK\tau_k$. The radius is at least the printed one where $N = 0$."),
    ),
    line=655,
    repairs=REPAIRS,
    nearest={"s": "down", "c": "down"},
)


def given_time(*quantities: Step) -> Argument:
    """Return the argument for a radius with t_k, where N >= 1."""
    return Argument(
        *ONE_OBSERVATION,
        *S_FUNCTIONS,
        PRE_DRAWN,
        *quantities,
        conclusion=ByHand(
            EACH
            + r"""given the lengths, with $t_k$ in $y$; for $n = 1$ there is one function, $V^*$, and for $S = 1$ a
            constant. Then the mean over the lengths."""
        ),
    )


chapter.ours(
    leaving(
        "conc:V/repair-main-text",
        VALUES,
        of_means_at_t,
        functions_of_k,
        r"""With $[[*s]]\frac{1}{1-\beta}\sqrt{\frac{\log(2SnKt_k)}{2N}}$, the main text's bonus, as the radius in
        $\mathcal{E}^V_{k-1}$, some estimate with $N \ge 1$ leaves it with probability at most $[[*c]]F/K$, with $F
        = 1$ for $n = 1$ or $S = 1$ and $F = S$ otherwise. The first episode is no exception.""",
        **AT_T,
    ),
    given_time(given_lengths(S * 2 / (2 * S * n * K * x), c * S / K), given_lengths(2 / (2 * S * n * K * x), c / K)),
    line=348,
    repairs=REPAIRS,
    nearest={"s": "down"},
)

chapter.ours(
    leaving(
        "conc:V/repair-main-text/logarithm",
        VALUES,
        of_means_of_functions_at_t,
        of_k,
        r"""With $[[*s]]\frac{1}{1-\beta}\sqrt{\frac{\log(2S^2nKt_k)}{2N}}$ as the radius in
        $\mathcal{E}^V_{k-1}$, some estimate with $N \ge 1$ leaves it with probability at most $[[c]]/K$, for every
        number of arms and states.""",
        **AT_T,
    ),
    given_time(given_lengths(S * 2 / (2 * S**2 * n * K * x), c / K)),
    line=348,
    repairs=REPAIRS,
    nearest={"s": "down"},
)
