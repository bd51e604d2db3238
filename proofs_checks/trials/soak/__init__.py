"""Differential fuzzing of the exact core: independent computations of one answer, compared on random models.

A *question* is a quantity, and a *route* is one way to compute it (`proofs_checks.trials.soak.routes`): an exact
method, certified enclosures, floats with error bounds, another program. Every pair of routes is compared on every model
that both take, and each model with a disagreement is shrunk::

    python -m proofs_checks soak --minutes 60 --seed 7 --out found

To add a route, declare it beside the others, with its name, a function from a bandit to its answer, and the largest
bandit that it takes.
"""

from proofs_checks.trials.soak.comparison import Disagreement, Question, Route, Tally, compare, point, within
from proofs_checks.trials.soak.found import smallest_models
from proofs_checks.trials.soak.models import Kind, random_model
from proofs_checks.trials.soak.routes import QUESTIONS
from proofs_checks.trials.soak.running import Soaked, compare_all, soak

__all__ = [
    "QUESTIONS",
    "Disagreement",
    "Kind",
    "Question",
    "Route",
    "Soaked",
    "Tally",
    "compare",
    "compare_all",
    "point",
    "random_model",
    "smallest_models",
    "soak",
    "within",
]
