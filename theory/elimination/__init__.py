"""The exact elimination of an arm in an order of its states: rates, and the times until sets of states are left."""

from theory.elimination.levels import MODULAR_FROM, rates_along, rates_and_drops
from theory.elimination.modular import BorderedMinors, bordered_minors

__all__ = ["MODULAR_FROM", "BorderedMinors", "bordered_minors", "rates_along", "rates_and_drops"]
