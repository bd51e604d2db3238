"""The paper that the claims are about: its outline, and the conventions that it leaves open or states in two ways.

``outline.json`` has the outline: each heading, theorem, display and paragraph of the source.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from proofs_checks.claimcheck import ledger, plain
from proofs_checks.claimcheck.ledger import Source
from proofs_checks.claimcheck.statements import Outline
from proofs_checks.kernel.evidence import InKernel
from theory import Bandit, model_content

OUTLINE = Outline(Path(__file__).with_name("outline.json"))

CONVENTIONS: Mapping[str, Mapping[str, str]] = {
    "next state": {
        "observed": "the state that the played arm moved to, which the learner sees within the episode, at its last "
        "step too (Section 4, Algorithm 1)",
        "literal": r"$X_{t+1}$, which at the last step of an episode is the next episode's first state, drawn from "
        r"$\rho$ (the formula of $\hat Q$ in Section A.2)",
    },
    "no visit": {
        "any estimate": "where $N = 0$ the estimate is any mean in [0, 1] and any probability row",
        "zero": "where $N = 0$ the quotient 0/0 is read as 0: a mean 0 and a row of zeros",
    },
    "clock": {
        "t_k": "radii and bonuses use $t_k$, the number of steps so far plus one, which the learner knows (Section 4)",
        "tau_k": r"radii and bonuses use $\tau_k = (k-1)\log(K(k-1))/(1-\beta)$ through $L_{k-1}$ (Appendix A)",
    },
    "first episodes": {
        "from 2": r"$k \ge 2$: the logarithms are defined",
        "from 1": r"$k = 1$ too, where $\log 0$ is printed",
    },
    "plausible rewards": {
        "within [0, 1]": "the models of the confidence set are bandits of the paper: mean rewards in [0, 1]",
        "within the radius": "mean rewards anywhere within the radius around the estimate, as the set is displayed",
    },
    "prior": {
        "any": "any prior, with regular conditional laws",
        "finite": "a prior on finitely many bandits, rewards of finitely many values",
    },
    "mean rewards": {
        "in [0, 1]": "mean rewards in [0, 1], as Section 2 defines a Markovian bandit",
        "real": "any real mean rewards, as in the counterexample of Appendix C",
    },
}
"""Each convention with its choices. The first choice is the fair one, which agrees best with the paper's words,
formulas and algorithms together. Formulas stand between dollar signs."""

PAPER = Source(OUTLINE, CONVENTIONS, InKernel)

Chapter = partial(ledger.Chapter, PAPER)
"""A function that makes a chapter of entries about this paper."""

plain.plain.register(Bandit, model_content)
