"""High precision, with guarantees: indices, values and extended value iteration for numbers known up to enclosures.

A number is text such as ``"sqrt(log(20)/2)"`` or ``"0.318 +/- 0.001"``, a `flint.arb`, or an mpmath number with an
error. Each result encloses the truth, and has the digits asked for if the bandit's numbers are known well enough. An
order of states is certain, or names its undecided pairs.
"""

from theory.enclosures.conversion import Real, real_number
from theory.enclosures.digits import LARGEST_DIGITS
from theory.enclosures.enclosure import Enclosure
from theory.enclosures.expressions import Expression
from theory.enclosures.functions import exp, log, sqrt
from theory.enclosures.indices import EnclosedIndices, enclosed_indices
from theory.enclosures.model import EnclosedArm, EnclosedBandit
from theory.enclosures.model_file import parse_enclosed_model, read_enclosed_model
from theory.enclosures.order import Order, decide_order
from theory.enclosures.parsing import parse_number
from theory.enclosures.product import EnclosedOptimisticValue, enclosed_optimistic_value
from theory.enclosures.values import enclosed_value

__all__ = [
    "LARGEST_DIGITS",
    "EnclosedArm",
    "EnclosedBandit",
    "EnclosedIndices",
    "EnclosedOptimisticValue",
    "Enclosure",
    "Expression",
    "Order",
    "Real",
    "decide_order",
    "enclosed_indices",
    "enclosed_optimistic_value",
    "enclosed_value",
    "exp",
    "log",
    "parse_enclosed_model",
    "parse_number",
    "read_enclosed_model",
    "real_number",
    "sqrt",
]
