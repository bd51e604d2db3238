"""Tables, posteriors, scenarios and recorded runs."""

from proofs_checks.claims.experiments import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    tables,
    posteriors,
    simulated_values,
    scenarios,
    runs,
)
