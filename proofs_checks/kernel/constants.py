"""The numbers of theorems: what a claim says of a constant is read from the statement that the kernel accepted.

A number stands in a theorem if its recorded statement has it: as ``5 / 2``, as the divisor in ``x / 2``, or as the
least natural number above a bound (``1 < K`` has 2). 0 and 1 need not be written: a term or a factor may be absent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache

from proofs_checks.kernel.record import record
from proofs_checks.kernel.sources import FOLDER, source_files, without_comments
from theory import BanditError, fraction

DEFINED: Mapping[str, tuple[str, ...]] = {
    "M1_in_set": ("a_radius",),
    "extended_is_above_on_average": ("a_radius",),
    "lower_bound_fails": ("printed",),
    "moment_as_printed": ("lemma_moment_for",),
    "optimism_fails": ("a_radius",),
    "recursion": ("cost",),
    "strict_inequalities": ("b_rewards",),
    "unfolded_at": ("cost",),
}
"""Theorems whose numbers stand in definitions that they use."""

SHARPER: Mapping[tuple[str, str], str] = {
    ("psrl_event", "9"): "5",
    ("radius_at_least", "0.1"): "1/5",
    ("ucrl2_event", "5"): "3",
}
"""Theorems that say more than a claim with this number: the number that stands there."""

UNNEEDED = {
    ("lower_bound_fails", "3598"),  # the printed claim, which fails, has no such bound: the part that survives has it
    ("printed_series_fails", "1/3"),  # the printed series is refuted by a discount, which only the proof names
}
"""Numbers of claims that the theorem refuting them has no need of."""

_NUMBER = re.compile(r"(?<![\w.'])(\d+)(?:\s*/\s*(\d+))?(?![\w'])")
_DEFINITION = re.compile(r"(?:Definition|Fixpoint|Notation)\s+([\w']+).*?\.(?=\s|$)")


@cache
def numbers_of(theorem: str) -> frozenset[Fraction]:
    """Return the numbers that stand in a theorem.

    Examples
    --------
    >>> Fraction(5, 2) in numbers_of("mb_psrl_regret"), Fraction(12, 5) in numbers_of("mb_psrl_regret")
    (True, False)
    """
    statements = {each["name"]: each["statement"] for each in record()["theorems"]}
    return numbers_in(" ".join([statements[theorem], *(_definition(name) for name in DEFINED.get(theorem, ()))]))


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


def unstated(theorems: Iterable[str], values: Mapping[str, object]) -> list[str]:
    """Return the numbers among a claim's parameters that stand in none of the theorems it rests on.

    Examples
    --------
    >>> unstated(["mb_psrl_regret"], {"C": "5/2"}), unstated(["mb_psrl_regret"], {"C": "12/5"})
    ([], ['C = 12/5'])
    """
    theorems = list(theorems)
    stand = {Fraction(0), Fraction(1)}.union(*map(numbers_of, theorems))
    found = []
    for name, value in values.items():
        try:
            number = fraction(str(value))
        except BanditError:
            continue  # words, which a person reads
        readings = [SHARPER[theorem, str(value)] for theorem in theorems if (theorem, str(value)) in SHARPER]
        unneeded = any((theorem, str(value)) in UNNEEDED for theorem in theorems)
        if not unneeded and stand.isdisjoint({number, *map(fraction, readings)}):
            found.append(f"{name} = {value}")
    return found


@cache
def _definition(name: str) -> str:
    texts = (without_comments((FOLDER / file).read_text(encoding="utf-8")) for file in source_files())
    return " ".join(found[0] for text in texts for found in _DEFINITION.finditer(text) if found[1] == name)
