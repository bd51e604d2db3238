"""Conventions that the paper leaves open or states twice, each named once: an entry says which it takes.

Entries that rest on each other take the same choice, or say why they need not. Of each convention the first choice is
the fair one: what the paper's words, formulas and algorithms mean together. Formulas stand between dollar signs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Reading: TypeAlias = "Mapping[str, str]"
"""The choices that matter to an entry, by the name of the convention."""

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
        "from 2": r"$k \ge 2$ and $k' \ge 1$: the logarithms are defined",
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


def check_reading(reading: Reading) -> None:
    """Refuse a convention or a choice that has no name here.

    Raises
    ------
    ValueError
        For an unknown name.

    Examples
    --------
    >>> check_reading({"clock": "t_k"})
    >>> check_reading({"clock": "noon"})
    Traceback (most recent call last):
    ValueError: reading: 'clock' is t_k or tau_k, not 'noon'
    """
    for name, choice in reading.items():
        if name not in CONVENTIONS:
            raise ValueError(f"reading: no convention is called {name!r}; there are {', '.join(CONVENTIONS)}")
        if choice not in CONVENTIONS[name]:
            raise ValueError(f"reading: {name!r} is {' or '.join(CONVENTIONS[name])}, not {choice!r}")
