"""Episodes of geometric length and event E^H."""

from proofs_checks.claims.horizons import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    horizons,
    steps,
    event,
    consequences,
)
