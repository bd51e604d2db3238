"""Exact elimination of an arm in an order of its states: rates, and times until the arm leaves a set of states."""

from theory.elimination.levels import LARGE, rates_along, rates_and_drops
from theory.elimination.sparse import BorderedMinors, sparse_minors

__all__ = ["LARGE", "BorderedMinors", "rates_along", "rates_and_drops", "sparse_minors"]
