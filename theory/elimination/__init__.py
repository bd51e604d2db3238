"""Exact elimination of an arm in an order of its states: rates, and times until the arm leaves a set of states."""

from theory.elimination.levels import LARGE, rates_along, rates_and_drops

__all__ = ["LARGE", "rates_along", "rates_and_drops"]
