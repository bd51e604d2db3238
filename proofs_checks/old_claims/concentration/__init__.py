"""Lemma `concentration`: events E^r, E^Q and E^V."""

from proofs_checks.claims.concentration import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    union_bounds,
    observations,
    events,
    printed_route,
    value_event,
    value_probability,
    value_episodes,
)
