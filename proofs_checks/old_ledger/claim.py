"""One entry of the ledger: a statement of the paper, apart from the check that can refute it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from proofs_checks.ledger.finding import Evidence, Finding, Verdict

if TYPE_CHECKING:
    from proofs_checks.ledger.book import Book

Check: TypeAlias = "Callable[..., Finding]"
"""``check(book, **parameters) -> Finding``: the parameters' defaults are the claim as stated."""

Variant: TypeAlias = "Mapping[str, Any]"
"""Parameters that make another statement of the claim."""


@dataclass(frozen=True)
class Claim:
    """A claim of the paper, or a repair of one, with its check.

    Attributes
    ----------
    id
        The paper's label, with a suffix where a label carries several claims.
    section
        Where it stands in the paper.
    statement, domain
        What is claimed, over which parameters. Says nothing of how it is checked.
    verdict, evidence
        What the check is recorded to find.
    check
        Computes a finding; its keyword parameters vary the statement.
    mutants
        Deliberately false variants, each of which the check must refute.
    controls
        True variants, each of which the check must confirm; needed where the claim itself does not hold.
    repairs
        The claims whose repair this entry is.
    printed
        Whether the paper makes the claim. False for what it leaves open and the ledger asks: a sharper constant,
        another reading. A repair is never printed.
    """

    id: str
    section: str
    statement: str
    domain: str
    verdict: Verdict
    evidence: Evidence
    check: Check = field(repr=False)
    mutants: Mapping[str, Variant]
    controls: Mapping[str, Variant]
    repairs: tuple[str, ...] = ()
    printed: bool = True

    def __post_init__(self) -> None:
        """Refuse entries whose check could not be told from one that never fails, or always does."""
        if not self.mutants:
            raise ValueError(f"claim {self.id}: a check that cannot fail is a defect; give a mutant")
        if self.verdict is not Verdict.HOLDS and not self.controls:
            raise ValueError(f"claim {self.id}: does not hold as stated, so give a true variant as a control")

    def find(self, book: Book, **variant: object) -> Finding:
        """Run the check, on the claim as stated or on a variant.

        Raises
        ------
        TypeError
            If the check does not return a `Finding`.
        """
        finding = self.check(book, **variant)
        if not isinstance(finding, Finding):
            raise TypeError(f"the check of {self.id} returned {finding!r}, not a Finding")
        return finding
