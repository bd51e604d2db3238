"""Findings as plain data: exact numbers as ``"p/q"``, enclosures as their two ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import singledispatch
from itertools import takewhile
from typing import Any

from flint import arb, fmpq, fmpz

from theory import decimal_text, rational


@singledispatch
def plain(value: object) -> Any:
    """Return `value` as data that JSON can hold; ``plain.register`` adds a rule for another class.

    Examples
    --------
    >>> plain({"gap": fmpq(1, 3), "cases": 4})
    {'gap': '1/3', 'cases': 4}
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (fmpq, Fraction, fmpz, Decimal)):
        return str(value)
    if isinstance(value, arb):
        return {"enclosure": [value.lower().str(25, radius=False), value.upper().str(25, radius=False)]}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (Sequence, frozenset, set)):
        return [plain(each) for each in value]
    return str(value)


def enclosure_text(low: str, high: str) -> str:
    """Return the decimals that both ends of an enclosure share.

    Examples
    --------
    >>> print(enclosure_text("0.97103225920282349", "0.97103225920282360"))
    0.971032259202823...
    >>> print(enclosure_text("1.61697136e-35", "1.61697139e-35"))
    1.6169713...e-35
    >>> print(enclosure_text("959.2", "959.9"), enclosure_text("9591.2", "9598.1"))
    959... between 9591.2 and 9598.1
    """
    digits, e, power = low.partition("e")
    others, _, other_power = high.partition("e")
    if low == high:
        return (digits.rstrip("0").rstrip(".") if "." in digits else digits) + e + power
    shared = "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(digits, others, strict=False)))
    same = "." in shared and len(shared.strip("-0.")) >= 3 and power == other_power
    return f"{shared.rstrip('.')}...{e}{power}" if same else f"between {low} and {high}"


def flat_text(content: Any) -> str:
    """Return plain data as one line of text.

    Examples
    --------
    >>> flat_text({"K": 2, "row": ["1/2", "1/2"], "bound": {"enclosure": ["0.6931471", "0.6931472"]}})
    'K = 2, row = (1/2, 1/2), bound = 0.693147...'
    """
    if isinstance(content, Mapping):
        if set(content) == {"enclosure"}:
            return enclosure_text(*content["enclosure"])
        return ", ".join(
            f"{name}: {{{flat_text(value)}}}" if _is_nested(value) else f"{name} = {flat_text(value)}"
            for name, value in content.items()
        )
    if isinstance(content, list):
        return f"({', '.join(f'{{{flat_text(each)}}}' if _is_nested(each) else flat_text(each) for each in content)})"
    return str(content)


def _is_nested(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) != {"enclosure"}


def decimals(values: Mapping[str, object]) -> dict[str, str]:
    """Return a decimal for each exact number in `values` that is not an integer.

    Examples
    --------
    >>> decimals({"gap": fmpq(1, 3), "cases": 4})
    {'gap': '0.3333333333'}
    """
    return {
        name: decimal_text(rational(value))
        for name, value in values.items()
        if isinstance(value, (fmpq, Fraction)) and rational(value).q != 1
    }
