"""The formulas of the paper that can be replaced, and a set of them with some replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import flint
from flint import arb, fmpq

from mbrl.importing import check_takes, described
from theory import BanditError, Exact, ModelError, exact_discount, rational
from theory.enclosures import Enclosure, real_number
from theory.errors import shown
from theory.paper import (
    COUNTEREXAMPLE_DISCOUNT,
    COUNTEREXAMPLE_RADIUS,
    COUNTEREXAMPLE_REWARD_B,
    reward_radius,
    transition_radius,
    ucbvi_bonus,
)

BITS: Final = 128
"""Precision at which formulas are evaluated."""


@dataclass(frozen=True)
class Formula:
    """A formula, or a number, that can be replaced.

    Attributes
    ----------
    name : str
    arguments
        Of the function, by name; none for a number.
    says
        What it is, in a few words.
    printed
        The paper's (or, where the paper's is false, the repaired one).
    """

    name: str
    arguments: tuple[str, ...]
    says: str
    printed: Any

    @property
    def wanted(self) -> str:
        """What may take its place."""
        return f"a function {self.signature}" if self.arguments else "a number"

    @property
    def signature(self) -> str:
        """How it is called."""
        return f"{self.name}({', '.join(self.arguments)})" if self.arguments else self.name


def _failure(S: int, n: int, K: int, t: int) -> fmpq:
    return fmpq(1, S * n * K * t)


def _moment(alpha: fmpq, K: int, beta: fmpq) -> arb:
    power = arb(alpha)
    return ((arb(K).log() + (1 + power).gamma() ** (1 / power)) / (1 - arb(beta))) ** power


def _lower_bound(S: int, n: int, K: int, beta: fmpq) -> arb:
    return (arb(S * n * K) / (1 - arb(beta))).sqrt() / 60


_COUNTS = ("S", "n", "K", "t", "N")

FORMULAS: Final[Mapping[str, Formula]] = MappingProxyType(
    {
        formula.name: formula
        for formula in (
            Formula("bonus", (*_COUNTS, "beta"), "MB-UCBVI's bonus after N visits, at step t", ucbvi_bonus),
            Formula("deviation", (*_COUNTS, "beta"), "by how much its event lets values deviate", ucbvi_bonus),
            Formula("reward_radius", _COUNTS, "MB-UCRL2's radius of a mean reward", reward_radius),
            Formula("reward_deviation", _COUNTS, "by how much its event lets mean rewards deviate", reward_radius),
            Formula("row_radius", _COUNTS, "MB-UCRL2's L1 radius of a row", transition_radius),
            Formula("row_deviation", _COUNTS, "by how much its event lets rows deviate", transition_radius),
            Formula("failure", ("S", "n", "K", "t"), "how often one estimate may deviate by more", _failure),
            Formula("moment", ("alpha", "K", "beta"), "bound on E max_k H_k^alpha (repaired)", _moment),
            Formula("sum_horizon", (), "the factor 1 of S n max H in Lemma sum", fmpq(1)),
            Formula("sum_root", (), "the factor 2 of sqrt(S n K max H) in Lemma sum", fmpq(2)),
            Formula("lower_bound", ("S", "n", "K", "beta"), "Theorem 2's bound on the regret", _lower_bound),
            Formula("reward_b", (), "the reward 3.21 of Theorem 3's arm b", COUNTEREXAMPLE_REWARD_B),
            Formula("radius", (), "the L1 radius of Theorem 3's arm a", COUNTEREXAMPLE_RADIUS),
            Formula("discount", (), "the discount of Theorem 3", COUNTEREXAMPLE_DISCOUNT),
        )
    }
)


@dataclass(frozen=True)
class Formulas:
    """The paper's formulas, some of them replaced.

    Attributes
    ----------
    changed : by name
        Functions and numbers in place of the paper's.
    """

    changed: Mapping[str, Any]

    def ball(self, name: str, **arguments: Any) -> arb:
        """Return the value of a formula as a ball.

        Raises
        ------
        FormulaError
            If it raises an error, or what it returns is no finite number.
        """
        formula: Any = self.changed.get(name, FORMULAS[name].printed)
        with flint.ctx.workprec(BITS):
            try:
                value = formula(**arguments) if callable(formula) else formula
                if isinstance(value, arb) and value.is_finite():
                    return value
                found = real_number(value).enclosure(BITS)
            except BanditError as error:
                raise FormulaError(f"{_call(name, arguments)}: {error}") from None
            except Exception as error:
                raise FormulaError(f"{_call(name, arguments)}: {described(error)}") from None
            return arb(found.low).union(arb(found.high))

    def enclosure(self, name: str, **arguments: Any) -> Enclosure:
        """Return two rational ends between which the value of a formula lies."""
        return real_number(self.ball(name, **arguments)).enclosure(BITS)

    def number(self, name: str) -> fmpq:
        """Return a number, exactly.

        Raises
        ------
        FormulaError
            If it is replaced by something else.
        """
        try:
            return rational(self.changed.get(name, FORMULAS[name].printed))
        except BanditError as error:
            raise FormulaError(f"{name}: {error}") from None


def floor_of(ball: arb) -> int:
    """Return the largest integer that is certainly at most the value of `ball`, which is finite."""
    return int(real_number(ball).enclosure(BITS).low.floor())


class FormulaError(BanditError):
    """A formula that could not be evaluated; the text says with which arguments."""


def replaced(**formulas: Callable[..., Any] | Exact) -> Formulas:
    """Return the paper's formulas with some replaced.

    Raises
    ------
    BanditError
        For a name that is none of `FORMULAS`, a number where a function belongs, a function of other arguments, or a
        number that no model has.

    Examples
    --------
    >>> replaced(radius="1/10").number("radius")
    1/10
    >>> replaced(bonus=lambda **_: 1).ball("bonus", S=1, n=1, K=1, t=1, N=0, beta=0)
    1.00000000000000
    """
    for name, formula in formulas.items():
        if name not in FORMULAS:
            raise ModelError(f"no formula is called {name!r}; the formulas are {', '.join(FORMULAS)}")
        if bool(FORMULAS[name].arguments) != callable(formula):
            raise ModelError(f"{name}: {FORMULAS[name].wanted} is wanted, not {shown(formula)}")
        if callable(formula):
            check_takes(formula, FORMULAS[name].arguments, name, named=True)
        else:
            _check_number(name, Formulas({name: formula}).number(name))
    return Formulas(MappingProxyType(dict(formulas)))


def _check_number(name: str, number: fmpq) -> None:
    if name == "discount":
        exact_discount(number)
    if name == "radius" and number < 0:
        raise ModelError(f"radius: {number} is negative")


def _call(name: str, arguments: Mapping[str, Any]) -> str:
    return f"{name}({', '.join(f'{key}={value}' for key, value in arguments.items())})" if arguments else name
