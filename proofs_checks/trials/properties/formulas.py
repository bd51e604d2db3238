"""The formulas of the paper that a user can replace.

A formula is evaluated in balls of `BITS` bits, so that no rounding decides a comparison. `sqrt`, `log` and `exp` are
the functions of `math` for the numbers that a formula takes: integers, fractions and balls.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

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
    lower_bound_squared,
    reward_radius,
    sharper_bound_short,
    transition_radius,
    ucbvi_bonus,
)

BITS: Final = 128
"""Precision at which formulas are evaluated."""

Point: TypeAlias = dict[str, Any]
"""An instance that consists of numbers: those that formulas take as arguments, and others, by name."""

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {"S": "int", "n": "int", "K": "int", "t": "int", "N": "int", "beta": "flint.fmpq", "alpha": "flint.fmpq"}
)
"""The type of each argument of a formula."""
RETURNS: Final = 'a flint.arb, int, Fraction, flint.fmpq, or text such as "1/2" or "sqrt(log(20)/2)"; no float'
HOW_TO_WRITE: Final = (
    "write fractions as flint.fmpq(1, 2), and take sqrt, log and exp from proofs_checks.trials.properties, "
    "not from math"
)


@dataclass(frozen=True)
class Formula:
    """A formula, with the names of its arguments, or a number, which has none; `says` describes it in a few words.

    `printed` is the paper's function or number (a repaired one, if the paper's is false).
    """

    name: str
    arguments: tuple[str, ...]
    says: str
    printed: Any

    @property
    def wanted(self) -> str:
        """A few words on what may replace the formula."""
        return f"a function {self.signature}" if self.arguments else "a number"

    @property
    def signature(self) -> str:
        """The formula's name with its arguments."""
        return f"{self.name}({', '.join(self.arguments)})" if self.arguments else self.name


def _failure(S: int, n: int, K: int, t: int) -> fmpq:
    return fmpq(1, S * n * K * t)


def _moment(alpha: fmpq, K: int, beta: fmpq) -> arb:
    power = arb(alpha)
    return ((arb(K).log() + (1 + power).gamma() ** (1 / power)) / (1 - arb(beta))) ** power


def _lower_bound(S: int, n: int, K: int, beta: fmpq) -> arb:
    return (arb(S * n * K) / (1 - arb(beta))).sqrt() / 60


def _sharper_lower(S: int, n: int, K: int, beta: fmpq) -> arb:
    return arb(lower_bound_squared(S, n, K, beta)).sqrt()


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
            Formula("upper_bound", ("S", "n", "K", "beta"), "our bound on MB-UCBVI's regret", sharper_bound_short),
            Formula("sharper_lower", ("S", "n", "K", "beta"), "our bound on every learner's regret", _sharper_lower),
            Formula("frozen", (), "the factor 1 of f(0)/(1-beta) in the sum over frozen counts", fmpq(1)),
            Formula("reward_b", (), "the reward 3.21 of Theorem 3's arm b", COUNTEREXAMPLE_REWARD_B),
            Formula("radius", (), "the L1 radius of Theorem 3's arm a", COUNTEREXAMPLE_RADIUS),
            Formula("discount", (), "the discount of Theorem 3", COUNTEREXAMPLE_DISCOUNT),
        )
    }
)


@dataclass(frozen=True)
class Formulas:
    """The paper's formulas; `changed` has the functions and numbers in place of some of them, by name."""

    changed: Mapping[str, Any]

    def ball(self, name: str, **arguments: Any) -> arb:
        """Return the value of a formula as a ball; it takes those of the arguments that are its own.

        Raises
        ------
        FormulaError
            If the formula raises an error, or returns neither an exact number nor a ball.
        UndefinedError
            If the formula's value is not finite for these arguments.
        """
        formula: Any = self.changed.get(name, FORMULAS[name].printed)
        taken = {each: arguments[each] for each in FORMULAS[name].arguments}
        call = f"{name}({', '.join(f'{key}={value}' for key, value in taken.items())})" if taken else name
        with flint.ctx.workprec(BITS):
            try:
                value = formula(**taken) if callable(formula) else formula
            except (Exception, SystemExit) as error:
                raise FormulaError(f"{call} raised {described(error)}{_advice(error)}") from None
            except KeyboardInterrupt as error:  # the formula may run forever
                place = described(error).removeprefix("KeyboardInterrupt")
                raise KeyboardInterrupt(f"interrupted within {call}{place}") from None
            if isinstance(value, arb):
                if not value.is_finite():
                    raise UndefinedError(f"{call} is not a finite number.")
                return value
            if value is None or isinstance(value, (float, tuple, list)):  # of a pair real_number makes a ball
                what = "nothing: is a return missing?" if value is None else f"the float {value}: {HOW_TO_WRITE}"
                if isinstance(value, (tuple, list)):
                    what = f"{shown(value)}: one number is wanted"
                raise FormulaError(f"{call} returned {what}{_place(formula)}")
            try:
                found = real_number(value).enclosure(BITS)
            except BanditError as error:
                raise FormulaError(f"{call} returned {shown(value)}: {error}{_place(formula)}") from None
            return arb(found.low).union(arb(found.high))

    def enclosure(self, name: str, **arguments: Any) -> Enclosure:
        """Return two rational ends between which the value of a formula lies."""
        return real_number(self.ball(name, **arguments)).enclosure(BITS)

    def number(self, name: str) -> fmpq:
        """Return the exact value of a number.

        Raises
        ------
        FormulaError
            If its replacement is not a number.
        """
        try:
            return rational(self.changed.get(name, FORMULAS[name].printed))
        except BanditError as error:
            raise FormulaError(f"{name}: {error}") from None


def floor_of(ball: arb) -> int:
    """Return the largest integer that is certainly at most the value of `ball`, which is finite."""
    return int(real_number(ball).enclosure(BITS).low.floor())


def in_digits(ball: arb) -> str:
    """Return the middle of a ball in six digits."""
    return ball.str(6, radius=False)


class FormulaError(BanditError):
    """A user's formula raises an error or returns no number; the text says where."""


class UndefinedError(BanditError):
    """A formula has no finite value for some arguments; the text names them."""


def replaced(**formulas: Callable[..., Any] | Exact) -> Formulas:
    """Return the paper's formulas with some replaced.

    Raises
    ------
    BanditError
        If a name is not in `FORMULAS`, a replacement is a number in place of a function or takes other arguments, or no
        model can have the number.

    Examples
    --------
    >>> replaced(radius="1/10").number("radius")
    1/10
    >>> replaced(bonus=lambda **_: 1).ball("bonus", S=1, n=1, K=1, t=1, N=0, beta=0)
    1.00000000000000
    """
    for name, formula in formulas.items():
        if name not in FORMULAS:
            constants = "; for constants of Theorem 1 see show thm:regret_upper_bound" if name.startswith("C") else ""
            raise ModelError(f"no formula is called {name!r}; the formulas are {', '.join(FORMULAS)}{constants}")
        if bool(FORMULAS[name].arguments) != callable(formula):
            raise ModelError(f"{name}: {FORMULAS[name].wanted} is wanted, not {shown(formula)}")
        if callable(formula):
            check_takes(formula, FORMULAS[name].arguments, name, named=True)
        else:
            number = Formulas({name: formula}).number(name)
            if name == "discount":
                exact_discount(number)
            if name == "radius" and number < 0:
                raise ModelError(f"radius: {number} is negative")
    return Formulas(MappingProxyType(dict(formulas)))


def _advice(error: BaseException) -> str:
    """Return how to write a formula if the error may come from a function of `math` or a float; "" otherwise."""
    return f"; {HOW_TO_WRITE}" if isinstance(error, (TypeError, BanditError)) else ""


def _place(formula: Any) -> str:
    """Return the file and line of a function; "" if it has none."""
    try:
        return f" ({inspect.getsourcefile(formula)}, line {inspect.getsourcelines(formula)[1]}, {formula.__name__})"
    except (TypeError, OSError, AttributeError):
        return ""
