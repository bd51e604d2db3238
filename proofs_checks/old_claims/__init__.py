"""All claims, in the order of the paper: importing this package enters them into the ledger."""

from proofs_checks.claims import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    literature,
    model,
    theorem_1,
    horizons,
    concentration,
    decomposition,
    double_sum,
    experiments,
)
