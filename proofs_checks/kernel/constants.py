"""The numbers in theorems: a claim's constants are compared with the statement that the kernel accepted.

A theorem has a number if its recorded statement does: as ``5 / 2``, as the divisor in ``x / 2``, or as the least
natural number above a bound (``1 < K`` has 2). Every theorem has 0 and 1, as a term or a factor may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache

from proofs_checks.kernel.record import record
from proofs_checks.kernel.sources import source, source_files, without_comments
from theory import BanditError, fraction

DEFINED: Mapping[str, tuple[str, ...]] = {
    "M1_in_set": ("a_radius",),
    "extended_is_above_on_average": ("a_radius",),
    "moment_as_printed": ("lemma_moment_for",),
    "optimism_fails": ("a_radius",),
    "recursion": ("cost",),
    "strict_inequalities": ("b_rewards",),
    "unfolded_at": ("cost",),
}
"""Definitions that have the numbers of a theorem, by theorem."""

SHARPER: Mapping[tuple[str, str], str] = {
    ("psrl_event", "9"): "5",
    ("radius_at_least", "0.1"): "1/5",
    ("ucrl2_event", "5"): "3",
}
"""For a theorem stronger than a claim with some number: the number in the theorem."""

UNNEEDED = {
    ("lower_bound_fails", "3598"),  # the printed claim, which fails, has no such bound: the part that survives has it
    ("printed_series_fails", "1/3"),  # the printed series is refuted by a discount, which only the proof names
}
"""Numbers of a claim that the theorem which refutes the claim does not need."""

PLACES: Mapping[str, Mapping[str, str]] = {
    "chebyshev_of_visits": {"c": "<= {} * (((1 + beta)", "d": "<= {} * INR #|S0| / INR K"},
    "lower_bound_fails": {"c": "(1 / {} *"},
    "mb_psrl_regret": {"first": "({} < K)%N", "psrl": "<= {} * (sqrt (", "C": "<= {} * (sqrt ("},
    "mb_ucrl2_regret": {"first": "({} < K)%N", "ucrl2": "<= {} * (sqrt (", "C": "<= {} * (sqrt ("},
    "minimax_regret": {"g": "Rk := {} + ln", "c": "<= {} * (1 /", "d": "+ {} * (1 /", "f": "+ {} * (INR"},
    "psrl_bound": {"d": "+ {} * (1 /"},
    "sharper": {"c": "<= {} * (1 /", "d": "+ {} * (INR"},
    "stochastic_bandit": {"c": "(1 / {} *", "a": "sqrt {} *"},
    "stochastic_bandit_in_range": {"c": "(1 / {} *", "a": "<= {} * INR K"},
    "theorem_2": {"c": "(1 / {} *", "a": "sqrt {} *"},
    "theorem_2_as_printed": {"c": "(1 / {} *", "a": "<= {} * INR K"},
    "theorem_2_farther": {"c": "(1 / {} *", "a": "<= {} * INR K"},
    "theorem_2_sharper": {"c": "(1 / {} *", "a": "<= {} * INR K"},
    "theorem_needle": {"a": "(1 - {} * (INR K", "d": "({} * #|S0|"},
    "too_many_arms": {"c": "< 1 / {} *", "a": "-> {} * INR K"},
    "ucrl2_bound": {"d": "+ {} * (1 /"},
    "ucbvi_printed": {"first": "({} < K)%N", "ucbvi": "<= {} * (sqrt (", "C": "<= {} * (sqrt ("},
    "visits_reach_half_often": {"a": "({} * #|S0|", "b": "-> {} <= schedules"},
}
"""The place ``{}`` of a parameter in a theorem, if the claim has another parameter with which it may be confused."""

_NUMBER = re.compile(r"(?<![\w.'])(\d+)(?:\s*/\s*(\d+))?(?![\w'])")
_DEFINITION = re.compile(r"(?:Definition|Fixpoint|Notation)\s+([\w']+).*?\.(?=\s|$)")


def numbers_in(text: str) -> frozenset[Fraction]:
    """Return the numbers of a statement in Rocq.

    Examples
    --------
    >>> sorted(map(str, numbers_in("(1 < K)%nat -> x <= 5 / 2 * y / 3")))
    ['1', '1/2', '1/3', '2', '3', '5', '5/2']
    """
    found = {Fraction(1, int(divisor)) for divisor in re.findall(r"/\s*(\d+)", text) if int(divisor)}
    found |= {Fraction(int(bound) + 1) for bound in re.findall(r"\((\d+) < ", text)}
    for number, divisor in _NUMBER.findall(text):
        found |= {Fraction(int(number)), *([Fraction(int(divisor))] if divisor else [])}
        if divisor and int(divisor):
            found.add(Fraction(int(number), int(divisor)))
    return frozenset(found)


def number_at(place: str, theorem: str) -> Fraction:
    """Return the number at a place of a theorem, which has no other there; for ``({} < K)``, the least K.

    Examples
    --------
    >>> number_at("+ {} * (INR", "sharper")
    Fraction(16, 1)
    """
    before, after = map(re.escape, place.split("{}"))
    found = {
        number.replace(" ", "") for number in re.findall(rf"{before}(\d+(?: ?/ ?\d+)?){after}", _statement(theorem))
    }
    if len(found) != 1:
        raise ValueError(f"{theorem}: expected one number at {place!r}, found {', '.join(sorted(found)) or 'none'}")
    return Fraction(found.pop()) + place.startswith("({} <")


def unstated(theorems: Iterable[str], values: Mapping[str, object]) -> list[str]:
    """Return the numbers among a claim's parameters that its theorems lack, or have at other places.

    Examples
    --------
    >>> unstated(["mb_psrl_regret"], {"C": "5/2"}), unstated(["mb_psrl_regret"], {"C": "12/5"})
    ([], ['C = 12/5'])
    >>> unstated(["ucrl2_bound"], {"c": 1, "d": 2}), unstated(["ucrl2_bound"], {"c": 1, "d": 1})
    ([], ['d = 1'])
    """
    theorems = list(theorems)
    stand = {Fraction(0), Fraction(1)}.union(*(numbers_in(_statement(theorem)) for theorem in theorems))
    found = []
    for name, value in values.items():
        try:
            number = fraction(str(value))
        except BanditError:
            continue  # words, which only a reader can compare
        named = [(theorem, str(value)) for theorem in theorems]
        places = [theorem for theorem in theorems if name in PLACES.get(theorem, {})]
        if places:
            stated = number in {number_at(PLACES[theorem][name], theorem) for theorem in places}
        else:
            sharper = {fraction(SHARPER[each]) for each in named if each in SHARPER}
            stated = not UNNEEDED.isdisjoint(named) or not stand.isdisjoint({number, *sharper})
        if not stated:
            found.append(f"{name} = {value}")
    return found


@cache
def _statement(theorem: str) -> str:
    """Return a theorem's recorded statement, followed by the definitions that have its numbers."""
    statement = next(each["statement"] for each in record()["theorems"] if each["name"] == theorem)
    return " ".join(" ".join([statement, *map(_definition, DEFINED.get(theorem, ()))]).split())


@cache
def _definition(name: str) -> str:
    texts = (without_comments(source(file)) for file in source_files())
    return " ".join(found[0] for text in texts for found in _DEFINITION.finditer(text) if found[1] == name)
