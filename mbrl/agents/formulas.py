"""A user's formulas in a learner: the bonus of MB-UCBVI, the radii of MB-UCRL2.

A formula is the function that ``python -m proofs_checks properties --replace bonus=mine:half`` takes. Its arguments are
called S, n, K, t and N, and a bonus has beta too (`MEANINGS`)::

    python -m mbrl run random-walk --agents mb-ucbvi,mb-ucbvi/bonus=mine:half --out half

The formula is compiled to machine code in floats: `sqrt`, `log` and `exp` of `theory.enclosures` become those of
`math`, fractions become quotients, and formulas of `theory.paper` become those of `mbrl.confidence`. If numba cannot
compile it, or the compiled function differs by more than 1e-9 from the given one on some counts, the given function is
called instead, with integers and an exact beta as by ``properties``. This is slower, and one line on stderr says so.
"""

from __future__ import annotations

import ctypes
import math
import warnings
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import product
from multiprocessing import parent_process
from types import FunctionType
from typing import Any, Final, TypeAlias

import numba
import numpy as np
from flint import arb, fmpq
from numba.core import types

from mbrl import confidence
from mbrl.agents.interface import Problem
from mbrl.importing import check_takes, described, import_attribute
from mbrl.kernels.compiling import INTERPRETED, OPTIONS, part, say_once
from theory import BanditError, rational
from theory.enclosures import exp, log, real_number, sqrt
from theory.errors import shown
from theory.paper import reward_radius, transition_radius, ucbvi_bonus

FormulaLike: TypeAlias = Callable[..., Any] | str | None
"""A function, or ``module:function``; None for the printed formula."""

MEANINGS: Final = {
    "S": "states of the largest arm",
    "n": "arms",
    "K": "episodes of the run",
    "t": "number of the episode's first step, counted from 1 over all episodes (t_k)",
    "N": "visits to the arm state before the episode",
    "beta": "discount",
}
"""What the arguments are."""

ARGUMENTS: Final = {
    "bonus": tuple(MEANINGS),
    **dict.fromkeys(("reward_radius", "row_radius"), tuple(MEANINGS)[:-1]),
}
"""The arguments of each formula, by its name."""

_SIGNATURE: Final = types.float64(*[types.float64] * 6)
_CLOSE: Final = 1e-9


class _CallableFromC(types.WrapperAddressProtocol):
    """A Python function that compiled code can call; after an error it is not called again."""

    def __init__(self, function: Callable[..., float]) -> None:
        self._function = function
        self.error: Exception | None = None
        self._in_c = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * 6)(self)

    def __call__(self, *arguments: float) -> float:
        if self.error is None:
            try:
                return self._function(*arguments)
            except Exception as error:  # any exception of the user's function: C knows none
                self.error = error
        return math.nan

    def __wrapper_address__(self) -> Any:
        return ctypes.cast(self._in_c, ctypes.c_void_p).value

    def signature(self) -> Any:
        return _SIGNATURE


class Formula:
    r"""A user's replacement of a printed formula.

    Parameters
    ----------
    name : str
        One of `ARGUMENTS`.
    given
        The user's function; None for the printed formula.
    problem
        Source of the S, n, K and beta on which the compiled function is compared.
    radii
        The learner's option of this name.

    Attributes
    ----------
    function
        The function of six floats, for compiled code; None for the printed formula.
    fault : (6,)
        The arguments at which it was not finite, if there were any.

    Raises
    ------
    BanditError
        If `given` is no function of these arguments or cannot be imported; or with the radii of the appendix, whose
        :math:`\tau_k` is no integer.

    Examples
    --------
    >>> two = Problem(np.array([2, 2]), 0.5, 10)
    >>> Formula("bonus", lambda S, n, K, t, N, beta: Fraction(1, 2) / max(1, N), two).function(2, 2, 10, 1, 4, 0.5)
    0.125
    """

    def __init__(self, name: str, given: FormulaLike, problem: Problem, radii: str = "text") -> None:
        self.name, self.fault = name, np.zeros(6)
        self.function: Any = None
        if given is None:
            return
        if radii != "text":
            raise BanditError(f"{name} is a function of t_k: leave out radii={radii}")
        self._given: Any = import_attribute(given, name) if isinstance(given, str) else given
        if not callable(self._given):
            raise BanditError(f"{name} is a function of {', '.join(ARGUMENTS[name])}, not {shown(self._given)}")
        check_takes(self._given, ARGUMENTS[name], name, named=True)
        self.function = None if INTERPRETED else _compiled(self._given, ARGUMENTS[name])
        if self.function is None or not self._agrees(problem):
            self.function = _CallableFromC(self._exactly)
            if not INTERPRETED and parent_process() is None:  # workers need not say it too
                called = getattr(self._given, "__qualname__", repr(self._given))
                say_once(f"{name}: {called} cannot be compiled, and is called: episodes take longer")

    def check(self) -> None:
        """Raise `BanditError` if the function raised an error or returned a number that is not finite."""
        error = getattr(self.function, "error", None)
        if error is None and not self.fault.any():
            return
        arguments = dict(zip(ARGUMENTS["bonus"], self.fault.tolist(), strict=True))
        call = f"{self.name}({', '.join(f'{each}={arguments[each]:.12g}' for each in ARGUMENTS[self.name])})"
        said = " is not a finite number" if error is None else f" raised {described(error)}"
        raise BanditError(f"{call}: {error}" if isinstance(error, BanditError) else call + said)

    def _exactly(self, *numbers: float) -> float:
        """Return the value of the function at integers and an exact beta, as a float."""
        *counts, beta = numbers
        given: dict[str, Any] = dict(zip(ARGUMENTS["bonus"], map(int, counts), strict=False))
        if "beta" in ARGUMENTS[self.name]:
            given["beta"] = rational(Fraction(repr(float(beta))))
        value = self._given(**given)
        if isinstance(value, (float, np.floating)):
            return float(value)
        if isinstance(value, arb) and not value.is_finite():
            return math.nan
        try:
            between = real_number(value).enclosure(64)
        except BanditError:
            raise BanditError(f"returned {shown(value)}, and a number is wanted") from None
        return float(Fraction(str((between.low + between.high) / 2)))

    def _agrees(self, problem: Problem) -> bool:
        """Return whether the compiled function agrees with the given one wherever that is finite, on some counts."""
        for t, N in product((1.0, 7.0, 1e6), (0.0, 1.0, 2.0, 100.0)):
            point = (1.0 * problem.width, 1.0 * problem.arms, max(1.0, problem.episodes), t, N, problem.discount)
            with suppress(Exception):  # the given function may be written for floats alone; the loop tells its errors
                exact = self._exactly(*point)
                if math.isfinite(exact) and not abs(self.function(*point) - exact) <= _CLOSE * max(1.0, abs(exact)):
                    return False
        return True


@cache
def _compiled(given: Callable[..., Any], arguments: tuple[str, ...]) -> Any:
    """Return a function in floats as machine code, or None if numba cannot compile it."""
    try:
        printed = [floats for exact, floats in _float_versions() if exact is given]
        inner = printed[0] if printed else numba.njit(**OPTIONS)(_in_floats(getattr(given, "py_func", given)))
        text = f"lambda S, n, K, t, N, beta: float(inner({', '.join(f'{each}={each}' for each in arguments)}))"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return numba.cfunc(_SIGNATURE, error_model="numpy")(eval(text, {"inner": inner}))
    except Exception:  # numba raises many kinds of errors
        return None


def _in_floats(function: Any) -> Any:
    """Return a copy of a Python function that computes in floats, as do the functions and constants that it names.

    A recursive function stays as it is, and is not compiled.
    """

    def version(value: Any) -> Any:
        for exact, floats in _float_versions():
            if value is exact:
                return floats
        if isinstance(value, (Fraction, fmpq)):
            return float(Fraction(str(value)))
        if isinstance(value, FunctionType) and not value.__module__.startswith(("numba.", "numpy.", "mbrl.")):
            return function if value is function else numba.njit(**OPTIONS)(_in_floats(value))
        return value

    names = {name: function.__globals__[name] for name in function.__code__.co_names if name in function.__globals__}
    copied = dict(function.__globals__) | {name: version(value) for name, value in names.items()}
    made = FunctionType(function.__code__, copied, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


@cache
def _float_versions() -> tuple[tuple[Any, Any], ...]:
    of_rewards, of_rows, of_values = confidence.reward_radius, confidence.transition_radius, confidence.value_bonus

    @part
    def quotient(p: float, q: float = 1.0) -> float:
        return p / q

    @part
    def reward(S: float, n: float, K: float, t: float, N: float) -> float:
        return of_rewards(N, S * n, K, t)  # type: ignore[arg-type]  # compiled, of floats as well

    @part
    def row(S: float, n: float, K: float, t: float, N: float) -> float:
        return of_rows(N, S * n, S, K, t)  # type: ignore[arg-type]

    @part
    def bonus(S: float, n: float, K: float, t: float, N: float, beta: float) -> float:
        return of_values(N, S * n, K, t, beta)  # type: ignore[arg-type]

    of_math = ((sqrt, math.sqrt), (log, math.log), (exp, math.exp))
    paper = ((reward_radius, reward), (transition_radius, row), (ucbvi_bonus, bonus))
    return (*of_math, *((each, quotient) for each in (Fraction, fmpq, arb)), *paper)
