"""Exact, certified and symbolic computation for discounted Markovian bandits.

Gittins indices, policy values, extended value iteration and the paper's bounds, in exact rational or certified ball
arithmetic. Nothing in this package decides anything in floating point.

The public names are in this package and in `theory.gittins`, `theory.values`, `theory.optimism`, `theory.enclosures`,
`theory.parametric`, `theory.certified`, `theory.bayes` and `theory.random_models`; `theory.paper` serves the paper
alone. `DecisionProcess` does all exact policy iteration. An exact number is an integer, a `Fraction`, a `Decimal`, an
`fmpq`, a SymPy rational, or text such as "1/3" or "0.99".

Functions raise `NumberError` for what is no exact number (a float, say), `ModelError` for what is outside the stated
domain, and `TooLargeError` where an exact method would take too long. Each is a `BanditError`, which is a `ValueError`.

Two results need no discount: `parametric_indices(arm).limits_at_1` are the largest mean rewards per step until a
stopping time (the last piece orders the states for all discounts close to 1), and `finite_horizon_value` is the total
reward of a policy over a number of steps. Arms that move while not played (restless bandits) are out of scope.

A public name that computes is imported when it is first used, so that a command loads only what it uses.
"""

from typing import TYPE_CHECKING, Any

from theory.errors import BanditError, ModelError, NumberError, TooLargeError
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

if TYPE_CHECKING:
    from theory.certificates import index_certificate, value_certificate
    from theory.decision_process import Action, DecisionProcess, Solution
    from theory.domain import check_counts, check_probability, exact_discount
    from theory.enclosures import enclosed_indices, enclosed_value
    from theory.export import prism_model
    from theory.gittins import gittins_index, gittins_indices, gittins_priority, is_gittins
    from theory.model import Arm, ArmState, Bandit, GlobalState, Priority
    from theory.model_file import model_content, model_text, parse_model, read_model
    from theory.model_table import bandit_from_table
    from theory.optimism import best_vertex, optimistic_value
    from theory.paper.models import PAPER_MODELS, paper_model
    from theory.parametric import parametric_indices
    from theory.reward_laws import RewardLaw
    from theory.state_table import read_indices, read_priority
    from theory.stopping import StoppedChain, expectation, stopped_chain
    from theory.table import csv_columns
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
    "csv_columns",
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
    "read_indices",
    "read_model",
    "read_priority",
    "retirement_function",
    "stopped_chain",
    "sympy_rational",
    "value_certificate",
    "value_of_float",
]

_NAMES_OF = {
    "theory.certificates": ("index_certificate", "value_certificate"),
    "theory.decision_process": ("Action", "DecisionProcess", "Solution"),
    "theory.domain": ("check_counts", "check_probability", "exact_discount"),
    "theory.enclosures": ("enclosed_indices", "enclosed_value"),
    "theory.export": ("prism_model",),
    "theory.gittins": ("gittins_index", "gittins_indices", "gittins_priority", "is_gittins"),
    "theory.model": ("Arm", "ArmState", "Bandit", "GlobalState", "Priority"),
    "theory.model_file": ("model_content", "model_text", "parse_model", "read_model"),
    "theory.model_table": ("bandit_from_table",),
    "theory.optimism": ("best_vertex", "optimistic_value"),
    "theory.paper.models": ("PAPER_MODELS", "paper_model"),
    "theory.parametric": ("parametric_indices",),
    "theory.reward_laws": ("RewardLaw",),
    "theory.state_table": ("read_indices", "read_priority"),
    "theory.stopping": ("StoppedChain", "expectation", "stopped_chain"),
    "theory.table": ("csv_columns",),
    "theory.values": (
        "finite_horizon_value",
        "gittins_value",
        "optimal_value",
        "policy_value",
        "priority_value",
        "retirement_function",
    ),
}
_MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names}


def __getattr__(name: str) -> Any:
    from importlib import import_module  # noqa: PLC0415

    if name not in _MODULE_OF:
        raise AttributeError(f"module 'theory' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_MODULE_OF[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
