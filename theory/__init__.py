"""Exact, certified and symbolic computation for discounted Markovian bandits.

Gittins indices, policy values, extended value iteration and the paper's bounds, in exact rational or certified ball
arithmetic. Nothing in this package decides anything in floating point.
"""

from theory.errors import BanditError, ModelError, NumberError, TooLargeError
from theory.gittins import gittins_indices, gittins_priority, is_gittins
from theory.model import Arm, ArmState, Bandit, GlobalState, Priority
from theory.model_file import model_text, parse_model, read_model
from theory.optimism import best_vertex, optimistic_value
from theory.paper_models import PAPER_MODELS, paper_model
from theory.rationals import decimal_text, rational
from theory.values import gittins_value, policy_value, priority_value

__all__ = [
    "PAPER_MODELS",
    "Arm",
    "ArmState",
    "Bandit",
    "BanditError",
    "GlobalState",
    "ModelError",
    "NumberError",
    "Priority",
    "TooLargeError",
    "best_vertex",
    "decimal_text",
    "gittins_indices",
    "gittins_priority",
    "gittins_value",
    "is_gittins",
    "model_text",
    "optimistic_value",
    "paper_model",
    "parse_model",
    "policy_value",
    "priority_value",
    "rational",
    "read_model",
]
