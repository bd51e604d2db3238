"""Causes: the mistakes behind the claims that do not hold, each counted once however many entries it touches."""

from __future__ import annotations

from dataclasses import dataclass, field

from proofs_checks.claimcheck.verdicts import Severity


@dataclass(frozen=True)
class Cause:
    """One mistake of the paper, told as its authors would want to hear of it.

    Attributes
    ----------
    id
        A short name.
    severity
        The worst severity of the entries that it touches.
    line
        Line of the paper's source with the mistake.
    title
        The mistake in a few words.
    printed
        The paper's text, in words and LaTeX between dollar signs; by default the text that the witness quotes.
    why
        Why the text is wrong, the most damaging witness first.
    instead
        The replacement in LaTeX, as ``Line 809: ...`` for each replaced line; ``Line 118 (regret)`` if another cause
        replaces another part of the line. A text that names no line replaces `line`.
    follows
        Whether later statements of the paper change, and which.
    witness
        Entry with the most telling witness.
    checked
        Entries that establish the replacement; by default the repairs of the entries that the cause touches.
    wording
        Why the replacement needs no check, if it needs none: it says less than the printed text, for example.
    see
        The cause whose replacement covers this one.
    """

    id: str
    severity: Severity
    line: int
    title: str
    printed: str = field(default="", kw_only=True)
    why: str
    instead: str
    follows: str
    witness: str
    checked: tuple[str, ...] = ()
    wording: str = ""
    see: str = ""

    def __post_init__(self) -> None:
        """Join the lines of multi-line texts."""
        for name in ("title", "printed", "why", "instead", "follows", "wording"):
            object.__setattr__(self, name, " ".join(getattr(self, name).split()))
