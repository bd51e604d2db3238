"""The questions of the soak, each with its routes."""

from typing import Final

from proofs_checks.trials.soak.routes.indices import INDICES, ORDER
from proofs_checks.trials.soak.routes.optimism import OPTIMISTIC_VALUE, OPTIMISTIC_VALUE_OF_AN_ORDER
from proofs_checks.trials.soak.routes.values import OPTIMAL_VALUE, VALUE_OF_AN_ORDER, VISITS

QUESTIONS: Final = (
    INDICES,
    ORDER,
    OPTIMAL_VALUE,
    VALUE_OF_AN_ORDER,
    VISITS,
    OPTIMISTIC_VALUE,
    OPTIMISTIC_VALUE_OF_AN_ORDER,
)
