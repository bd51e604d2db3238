"""Differential fuzzing of the exact core: independent computations of one answer, compared on random models.

A *question* is a quantity, and a *route* is one way to compute it (`proofs_checks.trials.soak.routes`): an exact
method, certified enclosures, floats with error bounds, another program. Every pair of routes is compared on every model
that both take, and each model with a disagreement is shrunk::

    python -m proofs_checks soak --minutes 60 --seed 7 --out found

To add a route, declare it beside the others, with its name, a function from a bandit to its answer, and the largest
bandit that it takes.
"""
