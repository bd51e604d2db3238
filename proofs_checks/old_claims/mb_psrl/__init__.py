"""The regret of MB-PSRL."""

from proofs_checks.claims.mb_psrl import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    posterior_sampling,
    steps,
    event,
    regret,
    bound,
)
