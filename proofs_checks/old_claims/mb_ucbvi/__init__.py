"""The regret of MB-UCBVI."""

from proofs_checks.claims.mb_ucbvi import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    optimism,
    regret,
)
