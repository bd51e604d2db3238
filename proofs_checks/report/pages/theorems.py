"""Summaries of the theorems: for each, its established parts, constants and readings, and the mistakes it has.

Summaries are not written by hand, but chosen from the ledger's entries by their places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from proofs_checks.claimcheck.ledger.registry import Registry
from proofs_checks.paper.shared.source import CONVENTIONS, OUTLINE
from proofs_checks.report.pages.unicode_math import unicode_text

Entry = Mapping[str, Any]

_VERDICTS = {
    "holds": ("holds", "hold"),
    "holds in part": ("holds in part", "hold in part"),
    "fails": ("fails", "fail"),
    "undecided": ("is undecided", "are undecided"),
}
_SEVERITIES = {
    "major": ("statement that is wrong", "statements that are wrong"),
    "gap": ("gap", "gaps"),
    "edge": ("edge case", "edge cases"),
    "slip": ("slip", "slips"),
}
_LEARNERS = {"psrl": "MB-PSRL", "ucrl2": "MB-UCRL2", "ucbvi": "MB-UCBVI"}
"""Learners by their parts of Theorem 1."""
_PROOFS = {"Theorem 1": ("5.1", "A"), "Theorem 2": ("5.2", "B"), "Theorem 3": ("6", "C")}
"""The sections in which each theorem is stated, explained and proved."""
_STANDING = ("holds", "holds in part")


@dataclass(frozen=True)
class TheoremSummary:
    """The summary of one theorem; tuples are in the order of the ledger, but mistakes the most severe first.

    ``claims`` are the paper's other claims in the theorem or about it, ``established`` replaces the theorem or goes
    beyond it, ``repaired_steps`` replaces a failing step of its proof. ``constants`` are rows of learner, constant of
    the printed proof, constant that suffices, and entry (for Theorem 1), ``readings`` are name, choice, and meaning of
    the choice. ``causes`` are mistakes in its statement, section or proof, or that touch an entry it rests on.
    """

    name: str
    theorem: Entry
    claims: tuple[Entry, ...]
    established: tuple[Entry, ...]
    repaired_steps: tuple[Entry, ...]
    constants: tuple[Mapping[str, str], ...]
    readings: tuple[tuple[str, str, str], ...]
    causes: tuple[Mapping[str, Any], ...]
    cited: tuple[str, ...]

    @property
    def in_short(self) -> str:
        """The status of the theorem in two or three sentences."""
        domain = self.theorem["smaller_domain"]
        whole = f"{self.name} {self.theorem['verdict']}{f', for {domain}' if domain else ''}"
        verdicts = Counter(entry["verdict"] for entry in self.claims)
        parts = " and ".join(f"{count} {_VERDICTS[verdict][count > 1]}" for verdict, count in verdicts.items())
        severities = Counter(cause["severity"] for cause in self.causes)
        mistakes = ", ".join(f"{count} {_SEVERITIES[severity][count > 1]}" for severity, count in severities.items())
        hand = self.theorem["by_hand_below"]
        rest = [f"{hand} {'step' if hand == 1 else 'steps'} by hand"] if hand else []
        rest += [f"what is taken from the literature ({'; '.join(self.cited)})"] if self.cited else []
        if rest:
            proof = f"Its proof, repaired, is checked but for {' and '.join(rest)}"
        elif self.theorem["evidence"] == "kernel":
            proof = "The kernel accepts a proof of it; each step of the printed one has an entry that says if it holds"
        else:
            proof = "All of its proof is checked"
        return (
            f"{whole}{f'; of its {len(self.claims)} parts {parts}' if len(self.claims) > 1 else ''}. {proof}. "
            f"{len(self.causes)} mistakes of the paper touch its statement or its proof: {mistakes}."
        )

    @property
    def in_parts(self) -> bool:
        """Whether the theorem rests on its own parts, so that its statement need not be repeated."""
        return any(entry["id"] in self.theorem["depends_on"] for entry in self.claims)


def theorem_summaries(
    entries: Sequence[Entry], causes: Sequence[Mapping[str, Any]], registry: Registry
) -> list[TheoremSummary]:
    """Return a summary of each theorem, in order, from the contents of entries and of causes (`errata.all_causes`)."""
    known = {entry["id"]: entry for entry in entries}
    return [
        _summary(entry, known, causes, registry)
        for entry in entries
        if _place(entry).startswith("Theorem") and entry["location"]["label"] == entry["id"]
    ]


def _summary(
    theorem: Entry, known: Mapping[str, Entry], causes: Sequence[Mapping[str, Any]], registry: Registry
) -> TheoremSummary:
    name = _place(theorem)
    below = [known[claim_id] for claim_id in registry.below(theorem["id"]) if claim_id in known]
    here = [entry for entry in below if _place(entry) == name and entry["verdict"] != "withdrawn"]
    claims = [entry for entry in here if entry["origin"] == "printed" and entry is not theorem]
    standing = [
        entry
        for entry in below
        if entry["origin"] == "ours" and entry["verdict"] in _STANDING and "/constant" not in entry["id"]
    ]
    established = [entry for entry in standing if _place(entry) == name]
    repaired_steps = [entry for entry in standing if _place(entry) != name and _repairs_a_failure(entry, known)]
    resting = {other for entry in (theorem, *below) for other in entry["foundations"]}
    touched = {entry["cause"] for entry in [*below, *(known[other] for other in resting if other in known)]}
    shown = (theorem, *claims, *established, *repaired_steps)
    readings = {(reading, choice) for entry in shown for reading, choice in entry["reading"].items()}
    return TheoremSummary(
        name,
        theorem,
        tuple(claims),
        tuple(established),
        tuple(repaired_steps),
        tuple(_constants(theorem, known)),
        tuple((reading, choice, unicode_text(CONVENTIONS[reading][choice])) for reading, choice in sorted(readings)),
        tuple(cause for cause in causes if cause["id"] in touched or _stands_in(_PROOFS.get(name, ()), cause)),
        tuple(" ".join(known[other]["by"].split()) for other in theorem["cited"] if other in known),
    )


def _stands_in(sections: Sequence[str], cause: Mapping[str, Any]) -> bool:
    lines = (cause["location"]["line"], *cause["also_at"])
    found = [OUTLINE.at(line).section for line in lines]
    return any(section in sections or section.partition(".")[0] in sections for section in found)


def _place(entry: Entry) -> str:
    return str((entry["location"] or {}).get("environment", ""))


def _repairs_a_failure(entry: Entry, known: Mapping[str, Entry]) -> bool:
    """Return whether an entry repairs an entry that does not hold, of a severity above an edge or a slip.

    Examples
    --------
    >>> found = (("major", "fails"), ("gap", "fails"), ("gap", "holds"), ("edge", "fails"))
    >>> known = {str(number): dict(zip(("severity", "verdict"), each)) for number, each in enumerate(found)}
    >>> [_repairs_a_failure({"repairs": [each]}, known) for each in (*known, "unknown")]
    [True, True, False, False, False]
    """
    repaired = [known[other] for other in entry["repairs"] if other in known]
    return any(each["severity"] in ("major", "gap") and each["verdict"] != "holds" for each in repaired)


def _constants(theorem: Entry, known: Mapping[str, Entry]) -> Iterator[dict[str, str]]:
    """Yield the constants of Theorem 1 for each learner: those of the printed proof, and those that suffice."""
    for part, learner in _LEARNERS.items():
        if entry := known.get(f"{theorem['id']}/constant-{part}/printed"):
            yield {
                "learner": learner,
                "printed": str(entry["parameters"]["C"]),
                "for_two_arms": str(entry["parameters"]["D"]),
                "will_do": str(theorem["parameters"][part]),
                "id": entry["id"],
            }
