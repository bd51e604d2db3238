"""The overview of the proof and Lemma `regret_decomposition`."""

from proofs_checks.claims.decomposition import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    overview,
    decomposition,
)
