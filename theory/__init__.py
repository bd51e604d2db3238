"""Exact, certified and symbolic computation for discounted Markovian bandits.

Gittins indices, policy values, extended value iteration and the paper's bounds, in exact rational or certified ball
arithmetic. Nothing in this package decides anything in floating point.

The public faces are this package and the packages inside it: `theory.gittins`, `theory.values`, `theory.optimism`,
`theory.enclosures`, `theory.parametric`, `theory.certified`, `theory.bayes`, `theory.random_models`, and `theory.paper`
for what serves the paper alone. `DecisionProcess` is what all exact policy iteration is done with. What they take as an
exact number is an integer, a `Fraction`, a `Decimal`, an `fmpq`, a SymPy rational, or text such as "1/3" or "0.99".

All refuse in the same words: `NumberError` for what is no exact number (a float, say), `ModelError` for what is outside
the stated domain, `TooLargeError` where an exact method would take too long; each is a `BanditError`, a `ValueError`.

Without a discount: `parametric_indices(arm).limits_at_1` are the largest mean rewards per step until a stopping time,
and its last piece has the order for all discounts close enough to 1; `finite_horizon_value` is the total reward of a
policy over a number of steps. Arms that move while they are not played (restless bandits) are out of scope.
"""

from theory.certificates import index_certificate, value_certificate
from theory.decision_process import Action, DecisionProcess, Solution
from theory.domain import check_counts, check_probability, exact_discount
from theory.enclosures import enclosed_indices, enclosed_value
from theory.errors import BanditError, ModelError, NumberError, TooLargeError
from theory.export import prism_model
from theory.gittins import gittins_index, gittins_indices, gittins_priority, is_gittins
from theory.model import Arm, ArmState, Bandit, GlobalState, Priority
from theory.model_file import model_content, model_text, parse_model, read_model
from theory.model_table import bandit_from_table
from theory.optimism import best_vertex, optimistic_value
from theory.paper.models import PAPER_MODELS, paper_model
from theory.parametric import parametric_indices
from theory.rationals import (
    ONE,
    ZERO,
    Exact,
    decimal_text,
    fraction,
    nearest_float,
    rational,
    rationals,
    sympy_rational,
    value_of_float,
)
from theory.reward_laws import RewardLaw
from theory.stopping import StoppedChain, expectation, stopped_chain
from theory.values import (
    finite_horizon_value,
    gittins_value,
    optimal_value,
    policy_value,
    priority_value,
    retirement_function,
)

__all__ = [
    "ONE",
    "PAPER_MODELS",
    "ZERO",
    "Action",
    "Arm",
    "ArmState",
    "Bandit",
    "BanditError",
    "DecisionProcess",
    "Exact",
    "GlobalState",
    "ModelError",
    "NumberError",
    "Priority",
    "RewardLaw",
    "Solution",
    "StoppedChain",
    "TooLargeError",
    "bandit_from_table",
    "best_vertex",
    "check_counts",
    "check_probability",
    "decimal_text",
    "enclosed_indices",
    "enclosed_value",
    "exact_discount",
    "expectation",
    "finite_horizon_value",
    "fraction",
    "gittins_index",
    "gittins_indices",
    "gittins_priority",
    "gittins_value",
    "index_certificate",
    "is_gittins",
    "model_content",
    "model_text",
    "nearest_float",
    "optimal_value",
    "optimistic_value",
    "paper_model",
    "parametric_indices",
    "parse_model",
    "policy_value",
    "priority_value",
    "prism_model",
    "rational",
    "rationals",
    "read_model",
    "retirement_function",
    "stopped_chain",
    "sympy_rational",
    "value_certificate",
    "value_of_float",
]
