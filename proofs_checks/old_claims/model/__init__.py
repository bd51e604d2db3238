"""The model, its optimal policies, Gittins indices and finite horizons."""

from proofs_checks.claims.model import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    definitions,
    finite_horizon,
)
