"""Variants of an entry: mutants, which have to fail; controls, which have to pass; the nearest false constants.

A mutant fails twice: a counterexample refutes it, and the entry's own evidence does not establish it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from flint import fmpq, fmpz
from sympy import nan, zoo  # type: ignore[import-untyped]

from proofs_checks.claimcheck.evidence import Enclosures, Grade, Outcome
from proofs_checks.claimcheck.ledger.book import Book
from proofs_checks.claimcheck.ledger.entry import Entry
from proofs_checks.claimcheck.statements import Relation, Report, Statement
from proofs_checks.claimcheck.verdicts import Verdict
from theory import decimal_text, rational
from theory.certified import Truth

_SIGNS = {"up": (1,), "down": (-1,), "": (-1, 1)}
NearestValues = Mapping[str, fmpq | None]

_POINTS = 150
_DIGITS = 17
_SHARES = (
    *(fmpq(1, d) for d in (10**6, 10**5, 10**4, 10**3, 200, 100, 50, 20, 10, 5, 3, 2)),
    *map(fmpq, (1, 2, 4, 10)),
)
_FAR = tuple(map(fmpq, (100, 10**3, 10**4, 10**5)))
"""Further distances at which a report is tried, as its claim may be as weak as "larger"."""
_FIRST = (9, 11, 15)
"""Places of the distances (1/5, 1/2, 10) up to which a search goes first; far out, a formula may have no value."""


@dataclass(frozen=True)
class VariantFinding:
    """The result of judging a variant.

    `established` says whether the entry's evidence establishes it, for a mutant with nothing drawn at random; `why`
    what went wrong, if anything did. The values are the counterexample to a mutant, or those that a control finds.
    """

    name: str
    is_mutant: bool
    verdict: Verdict
    established: bool
    why: str
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def as_it_should(self) -> bool:
        """Whether a mutant was refuted and not established, or a control established."""
        if self.is_mutant:
            return self.verdict is Verdict.FAILS and not self.established
        return self.established


def variants(entry: Entry, book: Book, nearest: NearestValues | None = None) -> Iterator[VariantFinding]:
    """Yield the result for each variant of an entry: its mutants, its nearest false values and its controls.

    A constant without a false value in the direction that the entry names yields a mutant that nothing refutes.
    `nearest` are the entry's `nearest_values`, if they have been computed already.
    """
    nearest = nearest_values(entry) if nearest is None else nearest
    brief = Book(book.registry, sampling=False, brief=True)  # equivalent: brief only saves time
    for name, parameters in false_variants(entry, nearest).items():
        statement = mutated(entry, parameters)
        found = book.judge_statement(statement, entry)
        alone = evidence_alone(entry, statement, brief)
        established = alone is not None and alone.established
        why = "" if found.verdict is Verdict.FAILS else f"no counterexample: {found.reason or found.verdict.value}"
        if why and isinstance(statement, Relation):
            known = (each for each in entry.candidates if statement.full_domain.contains(each))
            unclear = [each for each in known if statement.at(each).truth is Truth.UNDECIDED]
            advice = [] if entry.candidates else ["if you know one, give it: candidates=[...]"]
            why = "; ".join([why, *map(statement.why_undecided, unclear), *advice])
        why = "the evidence establishes it" if established else why
        yield VariantFinding(name, True, found.verdict, established, why, found.witness or {})
    for name, value in nearest.items():
        if value is None:
            why = "no value in this direction is refuted, within ten times the claimed one (10 if it is 0)"
            yield VariantFinding(f"{name}, {entry.nearest[name] or 'up or down'}", True, Verdict.UNDECIDED, False, why)
    for name, parameters in entry.controls.items():
        found = book.judge_statement(entry.statement.with_(**parameters), entry)
        # a statement that only fails has no evidence; its control passes if the same search does not refute it
        passes = found.verdict is Verdict.HOLDS or (entry.evidence is None and found.verdict is not Verdict.FAILS)
        why = "a counterexample refutes it" if found.verdict is Verdict.FAILS else found.reason
        yield VariantFinding(name, False, found.verdict, passes, why, found.values)


def mutated(entry: Entry, parameters: Any) -> Statement:
    """Return a mutant of the statement or, if the statement does not hold, of the part that survives."""
    return entry.part.with_(**parameters)


def evidence_alone(entry: Entry, statement: Statement, book: Book) -> Outcome | None:
    """Return the outcome of an entry's evidence alone, without a search; None if it has no evidence."""
    if entry.evidence is None:
        return None
    outcome = entry.evidence.establish(statement, book)
    return None if outcome.established and outcome.grade is Grade.CITED else outcome


def nearest_values(entry: Entry) -> NearestValues:
    """Return, for each constant that the entry names, the nearest value found false, or None."""
    return {name: nearest_value(entry, name, direction) for name, direction in entry.nearest.items()}


def nearest_refuted(entry: Entry) -> dict[str, str]:
    """Return the nearest false values as decimals (three digits for a report: values that change its verdict)."""
    digits = 3 if isinstance(entry.statement, Report) else 9
    claimed = entry.statement.parameters
    return {
        name: _told_apart(value, rational(claimed[name]), digits)
        for name, value in nearest_values(entry).items()
        if value is not None
    }


def _told_apart(value: fmpq, claimed: fmpq, digits: int) -> str:
    """Return `value` as a decimal of so many digits, or of as many as it takes to differ from `claimed`."""
    text = decimal_text(value, digits)
    return text if rational(text) != claimed else _told_apart(value, claimed, 2 * digits)


def nearest_value(entry: Entry, name: str, direction: str) -> fmpq | None:
    """Return the false value of a parameter nearest to the claimed one, to about two digits, or None.

    For a report about a run, it is the nearest value with another verdict: agrees, differs or not comparable.

    An instance that refutes a value mostly refutes all values further away. So each instance first tries the largest
    distance still open, and most instances try no other; the smaller distances are tried if this finds nothing.
    """
    varied = _Varied(entry, name)
    for last in varied.places:
        best: _Bracket | None = None
        for sign in _SIGNS[direction]:
            best = varied.nearest(last if best is None else best.place - 1, sign) or best
        if best is not None:
            return varied.claimed + best.far
    return None


class _Bracket(NamedTuple):
    """A refuted distance `far` from the claimed value, its place among the shares, and a nearer one not refuted."""

    place: int
    near: fmpq
    far: fmpq


class _Varied:
    """The variants of an entry in one parameter, by the distance of its value from the claimed one."""

    def __init__(self, entry: Entry, name: str) -> None:
        self.statement = entry.part
        self.name = name
        self.claimed = rational(self.statement.parameters[name])
        self._variants: dict[tuple[fmpz, fmpz], Statement] = {}  # by p and q, since hashing an fmpq is slow
        self._instances: list[Any]
        if isinstance(self.statement, Report):
            self.shares = (*_SHARES, *_FAR)
            self.places: tuple[int, ...] = tuple(range(len(self.shares)))
            self._agreement = self.statement.compared().agreement
            self._instances = [None]
        else:
            self.shares = _SHARES
            self.places = (*_FIRST, *range(len(_SHARES)))
            known = islice(self.statement.instances(), min(_POINTS, entry.max_instances))
            critical = entry.evidence.critical(self.statement) if isinstance(entry.evidence, Enclosures) else ()
            within = [*known, *critical]
            self._instances, self._within = [*entry.candidates, *within], set(map(id, within))

    def nearest(self, last: int, sign: int) -> _Bracket | None:
        """Return the nearest refuted distance on one side among the shares up to the `last`; None if there is none."""
        best: _Bracket | None = None
        for instance in self._instances if last >= 0 else ():
            if self._refutes(instance, self._distance(last, sign) if best is None else best.near):
                best = self._nearest_at(instance, last if best is None else best.place, sign)
                if not best.near:
                    break
        return best

    def _nearest_at(self, instance: Any, last: int, sign: int) -> _Bracket:
        place = next((each for each in range(last) if self._refutes(instance, self._distance(each, sign))), last)
        near, far = self._distance(place - 1, sign) if place else fmpq(0), self._distance(place, sign)
        while near and abs(far - near) > abs(far) / 20:
            middle = (near + far) / 2
            near, far = (near, middle) if self._refutes(instance, middle) else (middle, far)
        return _Bracket(place, near, far)

    def _distance(self, place: int, sign: int) -> fmpq:
        share, claimed = self.shares[place], self.claimed
        if isinstance(self.statement, Report) and claimed > 0 > sign:  # a factor or a share stays one
            return claimed / (1 + share) - claimed
        return sign * share * (abs(claimed) or 1)

    def _refutes(self, instance: Any, apart: fmpq) -> bool:
        varied = self._variants.get((apart.p, apart.q))
        if varied is None:
            varied = self._variants[apart.p, apart.q] = self.statement.with_(**{self.name: self.claimed + apart})
        if isinstance(varied, Report):
            return varied.compared().agreement is not self._agreement
        return self._applies(varied, instance) and varied.at(instance).false

    def _applies(self, varied: Statement, instance: Any) -> bool:
        """Return whether an instance lies in the variant's domain, which may depend on the varied parameter."""
        if not isinstance(varied, Relation) or not isinstance(self.statement, Relation):
            return True
        if any(each.has(zoo, nan) for each in varied.relations):  # 1/c has no value at c = 0, wherever it is looked at
            return False
        same = varied.full_domain is self.statement.full_domain and id(instance) in self._within
        return same or varied.full_domain.contains(instance)


def false_variants(entry: Entry, nearest: NearestValues | None = None) -> dict[str, Mapping[str, object]]:
    """Return the parameters of all variants meant to be false: the mutants, and the nearest refuted values."""
    found: dict[str, Mapping[str, object]] = dict(entry.mutants)
    if isinstance(entry.statement, Report):
        return found  # the verdict nearest to ours may be that nothing can be said
    for name, value in (nearest_values(entry) if nearest is None else nearest).items():
        if value is not None:
            text = decimal_text(value, _DIGITS)
            found[f"{name} = {text}{'' if rational(text) == value else '...'}"] = {name: value}
    return found
