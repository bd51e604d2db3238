"""Lemma `bayesian`: given the observations, the true model and the sampled one have one law (Section A.3)."""

from __future__ import annotations

from proofs_checks.computations.posterior_cases import SMALL, same_after_exchange, same_law
from proofs_checks.evidence import Argument, ByHand, InKernel, Step
from proofs_checks.ledger import Chapter
from proofs_checks.statements import Property

chapter = Chapter(under="lem:bayesian")
FINITE, ANY = {"prior": "finite"}, {"prior": "any"}
LEARNERS = r"""priors on finitely many models; observations of finitely many values, given any lengths of the
episodes; any learner, which may draw its choices at random by what it has observed and from samples of posteriors"""

chapter.printed(
    Property(
        "lem:bayesian",
        same_law,
        over=SMALL,
        domain=r"""any prior, with regular conditional laws; any learner, which may draw its choices at random by what
        it has observed and from samples of posteriors""",
        says=r"""$\mathbb{E}[g(\mathcal{O}_{k-1}, M)] = \mathbb{E}[g(\mathcal{O}_{k-1}, [[sample]])]$ for every function
        $g$, where $M_k$ is drawn from the posterior given $\mathcal{O}_{k-1}$, under the prior that $M$ is drawn from.
        (The odds of the first model are $[[w]]$ times what the learner's prior says.)""",
        reading=ANY,
        sample="M_k",
        w=1,
    ),
    Argument(
        Step(
            "For priors on finitely many models, and observations of finitely many values:",
            InKernel("posterior_sampling", sample="M_k", w=1),
            claim=Property(
                "lem:bayesian#finite", same_law, over=SMALL, domain=LEARNERS, says="The same.", sample="M_k", w=1
            ),
        ),
        conclusion=ByHand(
            r"""For other priors: $M_k$ is drawn from the regular conditional law of $M$ given $\mathcal{O}_{k-1}$, and
            both sides are the mean of the integral of $g(\mathcal{O}_{k-1}, \cdot)$ by that law."""
        ),
    ),
    line=858,
    under="",
    mutants=[{"sample": "M_{k-1}"}],
    nearest={"w": "up"},
)

chapter.ours(
    Property(
        "lem:bayesian/exchangeable",
        same_after_exchange,
        over=SMALL,
        domain=LEARNERS,
        says=r"""The law of $(\mathcal{O}_{k-1}, M_1, \ldots, M_{k-1}, M, M_k)$ does not change when $M$ and
        $[[sample]]$ change places: given $\mathcal{O}_{k-1}$ and the earlier samples, which count among the learner's
        choices, $M$ and $M_k$ are independent with one law.""",
        reading=FINITE,
        sample="M_k",
    ),
    InKernel("exchangeable", sample="M_k"),
    line=863,
    mutants=[{"sample": "M_{k-1}"}],
)
