"""The regret of MB-UCRL2."""

from proofs_checks.claims.mb_ucrl2 import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    event,
    optimism,
    extended,
    regret,
)
