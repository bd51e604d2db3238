"""An entry of the ledger: a statement, its origin, its expected verdict, and its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sympy  # type: ignore[import-untyped]

from proofs_checks.claimcheck.evidence import LARGEST_COUNT, AnyOf, Evidence, Grade
from proofs_checks.claimcheck.evidence.argument import equal
from proofs_checks.claimcheck.statements import Place, Relation, Report, Statement
from proofs_checks.claimcheck.statements.statement import names_in
from proofs_checks.claimcheck.verdicts import Origin, Severity, Verdict


class Survives:
    """The part of a claim that holds although the whole does not.

    Without conditions and parameters, the evidence covers the part that the words describe, and nothing is known to be
    wrong outside it.

    Parameters
    ----------
    *conditions
        For relations: further conditions on the domain.
    says
        For other statements: the part in words, formulas between dollar signs.
    **parameters
        For other statements: the parameters that restrict the claim to the part.

    Raises
    ------
    ValueError
        If neither conditions nor words are given.
    """

    def __init__(self, *conditions: sympy.Rel, says: str = "", **parameters: object) -> None:
        if not conditions and not says:
            raise ValueError("survives: give conditions, or words and, if any, parameters that restrict the claim")
        self.conditions = conditions
        self.says = " ".join(says.split())
        self.parameters = parameters

    @property
    def in_words_only(self) -> bool:
        """Whether words alone describe the part, so that no program can tell which instances lie outside it."""
        return not self.conditions and not self.parameters

    def words(self, statement: Statement) -> str:
        """Return the part in words, formulas between dollar signs."""
        if self.says:
            return self.says
        return f"${self.of(statement).domain_latex.strip('$')}$"

    def of(self, statement: Statement) -> Statement:
        """Return the statement, restricted to the part that holds."""
        if isinstance(statement, Relation) and self.conditions:
            return statement.restricted(*self.conditions)
        return statement.with_(**self.parameters)


@dataclass(frozen=True)
class Entry:
    """A statement of the paper, or one of ours about it.

    Attributes
    ----------
    statement
    evidence
        Evidence for the statement, or for the part of it that survives; None if the statement only fails.
    refutation
        For a statement that fails: the theorem of the kernel that refutes it, besides the witness; or the entry that
        the witness rests on, as `Uses`.
    origin, place
    under
        Id of the entry above: a theorem has its lemmas under it, a lemma its displays. "" at the top.
    verdict
        The expected verdict; a run computes the verdict, and reports if it is another.
    survives
        For a statement that fails: the part that holds.
    cause, severity
        Why a claim of the paper does not hold, and how much that matters: by default the severity of the cause.
    repairs
        The entries that this one replaces.
    candidates
        Instances that the search for a counterexample tries first, the most telling ones.
    mutants
        Parameters near the claimed ones for which a counterexample refutes the statement and the evidence fails.
    controls
        Parameters that make a false statement true.
    nearest
        Parameters whose nearest refuted value is sought, each with the direction in which the claim becomes stronger:
        "down", "up", or "" for either.
    withdrawn
        Why the entry was withdrawn; "" for entries that stand.
    max_instances
        Largest number of instances that the search for a counterexample tries; fewer where one takes long.
    """

    statement: Statement
    origin: Origin
    place: Place | None
    evidence: Evidence | None = None
    under: str = ""
    verdict: Verdict = Verdict.HOLDS
    survives: Survives | None = None
    severity: Severity | None = None
    cause: str = ""
    repairs: tuple[str, ...] = ()
    candidates: tuple[Any, ...] = ()
    mutants: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    controls: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    nearest: Mapping[str, str] = field(default_factory=dict)
    withdrawn: str = ""
    max_instances: int = LARGEST_COUNT
    refutation: Evidence | None = None

    @property
    def id(self) -> str:
        """The permanent name."""
        return self.statement.id

    @cached_property
    def part(self) -> Statement:
        """The statement or, if it does not hold as a whole, the part that survives."""
        return self.statement if self.survives is None else self.survives.of(self.statement)

    @property
    def recorded_grade(self) -> Grade | None:
        """The recorded grade: "kernel" if the entry names theorems for everything it says; otherwise None.

        An entry that fails has the grade of the theorems that refute it.
        """
        if self.verdict is Verdict.FAILS or self.evidence is None:
            return Grade.KERNEL if getattr(self.refutation, "grade", None) is Grade.KERNEL else None
        ways = self.evidence.ways if isinstance(self.evidence, AnyOf) else (self.evidence,)
        return Grade.KERNEL if any(getattr(each, "grade", None) is Grade.KERNEL for each in ways) else None

    def __post_init__(self) -> None:
        """Refuse entries that are incomplete for their expected verdict, or that name unknown parameters."""
        for found in (self._misnomers, self._problems):  # problems are looked for only if all names are right
            for problem in found():
                raise ValueError(f"{self.id}: {problem}")

    def _misnomers(self) -> Iterator[str]:
        """Yield arguments of the wrong type, such as a verdict in quotes, and names of unknown parameters."""
        kinds: tuple[tuple[str, object, type, str], ...] = (
            ("verdict", self.verdict, Verdict, ", ".join(map(str, Verdict))),
            ("severity", self.severity, Severity, ", ".join(map(str, Severity))),
            ("evidence", self.evidence, Evidence, "an object such as Everywhere(), not its class"),
            ("survives", self.survives, Survives, f"Survives({self.survives})"),
        )
        for name, given, kind, instead in kinds:
            if given is not None and not isinstance(given, kind):
                yield f"{name}: {given!r} is none; write {instead}"
        parameters = self.statement.parameters
        if isinstance(self.statement, Relation):
            bound = {*map(str, self.statement.domain.variables), *parameters}
            for name in sorted(names_in(*self.statement.formulas) - bound):
                yield f"{name} is neither a variable of the domain nor a parameter"
        for name in self.nearest:
            if name in parameters and not self.statement.says_parameter(name):
                yield f"nearest: the printed claim does not show {name}; write [[{name}]] in its place"
        restricted = {} if self.survives is None else {"survives": self.survives.parameters}
        for what, names in [
            *self.mutants.items(),
            *self.controls.items(),
            *restricted.items(),
            ("nearest", self.nearest),
        ]:
            for name in names:
                if name not in parameters:
                    yield f"{what}: no parameter is called {name!r}; there are {', '.join(parameters) or 'none'}"

    def _problems(self) -> Sequence[str]:
        found: list[str] = []
        does_not_hold = self.verdict in (Verdict.FAILS, Verdict.SMALLER_DOMAIN)
        if self.withdrawn:
            return found
        if self.origin is not Origin.OURS and self.place is None:
            found.append("a claim of the paper needs its place")
        proved_in_part = self.survives is not None and self.survives.in_words_only
        if self.origin is not Origin.OURS and does_not_hold and not self.cause and not proved_in_part:
            found.append("a claim of the paper that does not hold needs a cause")
        if self.origin is Origin.OURS and self.severity:
            found.append("only a claim of the paper has a severity")
        if self.verdict is Verdict.SMALLER_DOMAIN and self.survives is None:
            found.append("say which part survives")
        if self.verdict is Verdict.HOLDS and self.evidence is None:
            undecided = "verdict=Verdict.UNDECIDED, from proofs_checks.claimcheck.ledger"
            found.append(f"a claim that holds needs evidence: by=..., or {undecided}")
        if self.refutation is not None and not does_not_hold:
            found.append("a claim that holds has no refutation")
        can_vary = bool(self.statement.parameters) or self.origin is not Origin.OURS
        if does_not_hold and can_vary and not self.controls and self.survives is None:
            name = next(iter(self.statement.parameters), "c")
            found.append(
                f"it does not hold as stated, so give a value with which it holds, true={{{name!r}: ...}}, "
                "or the part that holds, survives=Survives(...)"
            )
        if isinstance(self.statement, Report) and self.verdict in (Verdict.FAILS, Verdict.HOLDS):
            found.append("a report about a run agrees, differs, or is not comparable")
        for claim, several in ((self.part, self.mutants), (self.statement, self.controls)):
            for what, varied in several.items():
                if all(_same(value, claim.parameters[name]) for name, value in varied.items()):
                    found.append(f"{what}: this variant is the claim itself")
        return found


def _same(one: object, other: object) -> bool:
    """Whether two values of a parameter are equal; texts as written, since the digits of a printed number count.

    >>> _same(1, "1"), _same("0.10", "0.1"), _same("1.0", 1), _same("all", "all"), _same((1, 2), 3)
    (True, False, True, True, False)
    """
    return one == other if isinstance(one, str) and isinstance(other, str) else equal(one, other)
