"""The output of ``parametric``: the pieces of (0, 1) of every arm, and which arm is played in each global state."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from itertools import chain, groupby, pairwise, product
from typing import Any

from flint import fmpz_poly

from theory.commands.enclosed import enclosure_content
from theory.commands.report import names_of, print_table
from theory.errors import shortened
from theory.model import Arm, Bandit, GlobalState
from theory.parametric import (
    ONE_POINT,
    ZERO_POINT,
    AlgebraicNumber,
    Combination,
    ParametricBandit,
    ParametricIndices,
    Pieces,
    RationalFunction,
    RealNumber,
)
from theory.rationals import decimal_text
from theory.terminal.console import console

_DIGITS = 10
_ISOLATING_DIGITS = 12
_REAL_DIGITS = 15
_BITS = 128
_SHORT = 5  # digits of a real coefficient in a table
_LARGEST_PRODUCT = 256


def parametric_content(found: ParametricBandit, checked: int) -> dict[str, Any]:
    """Return the indices and orders for all discounts as a JSON object.

    A polynomial is a list of coefficients in the discount, the constant first: integers, or enclosures of real numbers.
    An end that is ``undecided`` is an interval in which two indices may cross. ``arms`` holds the indices, ``limits``
    their limits at 0 and 1 by arm, ``priority`` the order of all arm states, and ``played`` the arm (from 1) that is
    played in the initial state and, while they are few, in every global state.
    """
    bandit = found.bandit
    return {
        "arms": [
            {
                "states": list(names.states),
                "pieces": [
                    {
                        **ends,
                        "order": [names.states[x] for x in piece.order],
                        "indices": {names.states[x]: _function(index) for x, index in enumerate(piece.indices)},
                    }
                    for ends, piece in zip(_ends(arm.breakpoints), arm.pieces, strict=True)
                ],
            }
            for names, arm in zip(bandit.arms, found.arms, strict=True)
        ],
        "limits": [
            {
                at: dict(zip(names.states, map(_content, limits), strict=True))
                for at, limits in (("at_0", arm.limits_at_0), ("at_1", arm.limits_at_1))
            }
            for names, arm in zip(bandit.arms, found.arms, strict=True)
        ],
        "priority": [
            {**ends, "order": [bandit.name(state) for state in piece.order]}
            for ends, piece in zip(_ends(found.breakpoints), found.pieces, strict=True)
        ],
        "played": [
            {"state": names_of(bandit, state), "pieces": _played(found, state)} for state in _states_to_show(bandit)
        ],
        "checked_discounts": checked,
    }


def _played(found: ParametricBandit, state: GlobalState) -> list[dict[str, Any]]:
    runs = found.played(state)
    between = _ends(tuple(low for low, _, _ in runs[1:]))
    return [{**ends, "arm": arm + 1} for ends, (_, _, arm) in zip(between, runs, strict=True)]


def _states_to_show(bandit: Bandit) -> list[GlobalState]:
    """Return all global states if they are few, and otherwise only the initial one, if there is one.

    Examples
    --------
    >>> still = {size: Arm(rewards=[0] * size, transitions=[{x: 1} for x in range(size)]) for size in (16, 257)}
    >>> len(_states_to_show(Bandit([still[16], still[16]], 0))), _states_to_show(Bandit([still[257]], 0))
    (256, [])
    """
    if bandit.number_of_global_states <= _LARGEST_PRODUCT:
        return list(product(*(range(size) for size in bandit.sizes)))
    return [] if bandit.initial is None else [bandit.initial]


def print_parametric(found: ParametricBandit, checked: int) -> None:
    """Print the pieces, breakpoints and indices of every arm, and the priority order, as tables."""
    out = console()
    bandit = found.bandit
    points = f"{checked} discount{'' if checked == 1 else 's'}"
    exactly = "exactly" if all(isinstance(arm.arm, Arm) for arm in found.arms) else "with enclosed coefficients"
    out.print(f"Gittins indices for all discounts b in (0, 1), {exactly}; computed anew at {points} and found the same")
    for number, (names, arm) in enumerate(zip(bandit.arms, found.arms, strict=True), start=1):
        out.print(f"\narm {number}", style="bold")
        _print_orders(arm, names.states.__getitem__)
        _print_functions(names.states, arm)
    if len(bandit.arms) > 1:
        out.print("\nall arms", style="bold")
        _print_orders(found, bandit.name)
        _print_played(found)
    if not all(point.is_decided for point in chain(found.breakpoints, *(arm.breakpoints for arm in found.arms))):
        out.print("\nWhere a breakpoint is undecided, numbers are too close together to say whether the states cross.")
    out.print("\nWhole numerators and denominators: --json.")


def _print_played(found: ParametricBandit) -> None:
    """Print where the arm played depends on the discount, and the arm played in the initial state.

    Examples
    --------
    >>> from theory.parametric import parametric_bandit
    >>> one, two = (Arm(rewards=[reward], transitions=[[1]]) for reward in (0, 1))
    >>> _print_played(parametric_bandit(Bandit([one, two], 0)))
    <BLANKLINE>
    in every global state one arm is played for all discounts
    >>> _print_played(parametric_bandit(Bandit([one, two], 0, initial=(0, 0))))
    <BLANKLINE>
    in every global state one arm is played for all discounts
    <BLANKLINE>
    played in (a1s1, a2s1) for all discounts: arm 2
    """
    out, bandit = console(), found.bandit
    shown = _states_to_show(bandit)
    runs = {state: found.played(state) for state in shown}
    moving = [state for state in shown if len(runs[state]) > 1]
    rows = []
    places = _places(found.breakpoints)
    for state in moving:
        first, *others = runs[state]
        text = "".join(f", from {places[low]} arm {a + 1}" for low, _, a in others)
        rows.append((", ".join(names_of(bandit, state)), f"arm {first[2] + 1}{text}"))
    if moving:
        out.print("\nglobal states in which the arm that is played depends on the discount:")
        print_table(("global state", "played"), rows)
    elif len(shown) == bandit.number_of_global_states:
        out.print("\nin every global state one arm is played for all discounts")
    start = bandit.initial
    if start is not None and start not in moving:
        ((_, _, arm),) = found.played(start)
        out.print(f"\nplayed in ({', '.join(names_of(bandit, start))}) for all discounts: arm {arm + 1}")


def _print_orders(found: Pieces[Any], name: Callable[[Any], str]) -> None:
    """Print the order of the states on every piece, and the breakpoints with the states that tie there."""
    places = _places(found.breakpoints)
    ends = zip(pairwise(places.values()), found.pieces, strict=True)
    rows = [(low, high, " ".join(map(name, piece.order))) for (low, high), piece in ends]
    print_table(("b from", "to", "order of the states, the highest index first"), rows)
    rows = []
    for number, point in enumerate(found.breakpoints):
        before, sign = ("", " = ") if point.is_decided else ("undecided: ", " ? ")
        tied = before + "; ".join(sign.join(map(name, group)) for group in found.ties_at(number))
        rows.append((places[point], shortened(_polynomial_text(point.polynomial), 60), tied))
    if rows:
        console().print()
        print_table(("breakpoint", "root of", "states that tie there"), rows)


def _print_functions(names: tuple[str, ...], found: ParametricIndices) -> None:
    rows = []
    places = _places(found.breakpoints)
    for x, name in enumerate(names):
        runs = [list(run) for _, run in groupby(found.pieces, lambda piece: piece.indices[x])]  # noqa: B023
        for run in runs:
            ends = places[run[0].low], places[run[-1].high]
            at_0 = _decimal(found.limits_at_0[x]) if run is runs[0] else ""
            at_1 = _decimal(found.limits_at_1[x]) if run is runs[-1] else ""
            rows.append((name, *ends, shortened(_function_text(run[0].indices[x]), 60), at_0, at_1))
    console().print()
    print_table(("state", "b from", "to", "Gittins index", "limit at 0", "limit at 1"), rows)


def _places(breakpoints: tuple[AlgebraicNumber, ...]) -> dict[AlgebraicNumber, str]:
    """Return 0, the breakpoints and 1 as decimals, with enough digits to tell them apart."""
    digits = _DIGITS
    while True:
        texts = ["0", *(point.decimal(digits) for point in breakpoints), "1"]
        if len(set(map(Decimal, texts))) == len(texts):
            return dict(zip((ZERO_POINT, *breakpoints, ONE_POINT), texts, strict=True))
        digits *= 2


def _ends(breakpoints: tuple[AlgebraicNumber, ...]) -> list[dict[str, Any]]:
    """Return the ends of every piece: disjoint isolating intervals, and minimal polynomials.

    Examples
    --------
    The root of 2 b^2 = 1 and its decimals, rounded up, which the first twelve digits do not tell apart.

    >>> from flint import fmpq
    >>> near = AlgebraicNumber.from_rational(fmpq(707106781187, 10**12))
    >>> root = AlgebraicNumber(fmpz_poly([-1, 0, 2]), fmpq(1, 2), near.high)
    >>> near.is_decided = False
    >>> _, between, _ = _ends((root, near))
    >>> between["from"]["interval"]  # 0.707106781186547524400844 and 5
    ['176776695296636881100211/250000000000000000000000', '141421356237309504880169/200000000000000000000000']
    >>> between["to"]["polynomial"], between["to"]["undecided"]
    ([-707106781187, 1000000000000], True)
    """
    digits = _ISOLATING_DIGITS
    while True:
        intervals = [point.decimal_interval(digits) for point in breakpoints]
        if all(one[1] < other[0] for one, other in pairwise(intervals)):
            break
        digits *= 2
    shown = [
        {
            "interval": [str(low), str(high)],
            "polynomial": _coefficients(point.polynomial),
            **({} if point.is_decided else {"undecided": True}),
        }
        for (low, high), point in zip(intervals, breakpoints, strict=True)
    ]
    zero, one = {"interval": ["0", "0"], "polynomial": [0, 1]}, {"interval": ["1", "1"], "polynomial": [-1, 1]}
    return [{"from": low, "to": high} for low, high in zip([zero, *shown], [*shown, one], strict=True)]


def _function(index: RationalFunction) -> dict[str, list[Any]]:
    return {"numerator": _coefficients(index.numerator), "denominator": _coefficients(index.denominator)}


def _coefficients(polynomial: fmpz_poly | Combination) -> list[Any]:
    """Return the coefficients, the constant one first; the polynomial 0 has one coefficient.

    Examples
    --------
    >>> _coefficients(fmpz_poly([3, 0, -1])), _coefficients(fmpz_poly([]))
    ([3, 0, -1], [0])
    """
    if isinstance(polynomial, Combination):
        exact = [(each, each.as_rational) for each in polynomial.coeffs()]
        return [_content(each) if whole is None else int(whole.p) for each, whole in exact]
    return [int(each) for each in polynomial.coeffs()] or [0]


def _content(value: Any) -> Any:
    """Return a number of a model as text; for a real number, the decimals between which it lies.

    Examples
    --------
    >>> from flint import fmpq
    >>> from theory.enclosures import real_number
    >>> _content(RealNumber([real_number("1"), real_number("pi")], [fmpq(0), fmpq(2)]))  # 6.2831853071795865
    {'enclosure': ['6.2831853071795864', '6.2831853071795865']}
    """
    exact = value.as_rational if isinstance(value, RealNumber) else value
    return str(exact) if exact is not None else enclosure_content(value.enclosure(_BITS), _REAL_DIGITS)


def _decimal(value: Any, digits: int = _DIGITS) -> str:
    return value.decimal(digits) if isinstance(value, RealNumber) else decimal_text(value, digits)


def _function_text(index: RationalFunction) -> str:
    top, bottom = _polynomial_text(index.numerator), _polynomial_text(index.denominator)
    return top if bottom == "1" else " / ".join(f"({text})" if " " in text else text for text in (top, bottom))


def _polynomial_text(polynomial: fmpz_poly | Combination) -> str:
    """Return a polynomial in b, the constant first."""
    text = ""
    for power, coefficient in enumerate(polynomial.coeffs()):
        shown = _decimal(coefficient, _SHORT) if isinstance(coefficient, RealNumber) else str(coefficient)
        if shown == "0":
            continue
        variable = "" if power == 0 else "b" if power == 1 else f"b^{power}"
        size = shown.removeprefix("-")
        size = size if size != "1" or power == 0 else ""
        sign = ("-" if shown[0] == "-" else "") if not text else " - " if shown[0] == "-" else " + "
        text += sign + " ".join(part for part in (size, variable) if part)
    return text or "0"
