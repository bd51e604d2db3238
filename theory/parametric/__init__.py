"""Gittins indices and optimal priority orders as functions of the discount, exactly, for all discounts in (0, 1)."""

from theory.parametric.algebraic import ONE_POINT, ZERO_POINT, AlgebraicNumber
from theory.parametric.arm import LARGEST_ARM, ParametricIndices, Pieces, parametric_indices
from theory.parametric.bandit import ParametricBandit, parametric_bandit
from theory.parametric.certificate import certify, checked_discounts, refutation
from theory.parametric.rational_function import RationalFunction
from theory.parametric.real import Combination, RealNumber, RealRoot
from theory.parametric.sweep import Piece

__all__ = [
    "LARGEST_ARM",
    "ONE_POINT",
    "ZERO_POINT",
    "AlgebraicNumber",
    "Combination",
    "ParametricBandit",
    "ParametricIndices",
    "Piece",
    "Pieces",
    "RationalFunction",
    "RealNumber",
    "RealRoot",
    "certify",
    "checked_discounts",
    "parametric_bandit",
    "parametric_indices",
    "refutation",
]
