"""Causes: the mistakes behind the claims that do not hold, each counted once however many entries it touches."""

from __future__ import annotations

from dataclasses import dataclass, field

from proofs_checks.claimcheck.verdicts import Severity


@dataclass(frozen=True)
class Cause:
    """One mistake of the paper, as its authors would want to be told of it.

    Attributes
    ----------
    id
        A short name.
    severity
        The worst that it does.
    line
        The line of the paper's source where it is made.
    title
        In a few words.
    printed
        What is printed, in words and LaTeX between dollar signs; what the witness quotes, where nothing is said.
    why
        Why not: the most damaging witness first.
    instead
        What to print instead, in LaTeX: ``Line 809: ...``, and so for each line that is replaced; ``Line 118 (regret)``
        where another cause replaces another part of it. Without a line, that of the cause.
    follows
        Whether anything that follows changes.
    witness
        The entry whose witness is the most telling one.
    checked
        The entries that establish what to print instead; those that repair what the cause touches, where none is named.
    wording
        Where there is nothing to establish: why, such as that it says less than what is printed.
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
