"""The printed table of Gittins indices (`fig:randomwalk`), digit by digit."""

from __future__ import annotations

from collections.abc import Mapping

from flint import fmpq

from proofs_checks.computations.rounding import rounds_to
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide
from theory import decimal_text, gittins_indices, is_gittins, paper_model, rational

SECTION = "Table of Gittins indices"
DOMAIN = "the random walk of scenario 1, beta = 0.99"

PRINTED = {
    "a1s1": "0.276", "a1s2": "0.2894", "a1s3": "0.392", "a1s4": "1.0",
    "a2s1": "0.35", "a2s2": "0.256", "a2s3": "0.2892", "a2s4": "0.7",
    "a3s1": "0.4", "a3s2": "0.250", "a3s3": "0.286", "a3s4": "0.65",
}  # fmt: skip


def exact_indices() -> dict[str, fmpq]:
    """Return the index of each state of scenario 1, certified by the retirement problem."""
    bandit = paper_model("random-walk")
    found: dict[str, fmpq] = {}
    for arm in bandit.arms:
        indices = gittins_indices(arm, bandit.discount)
        if not is_gittins(arm, bandit.discount, indices):
            raise ArithmeticError("indices without a certificate")
        found.update(zip(arm.states, indices, strict=True))
    return found


@claim(
    "fig:randomwalk/indices",
    section=SECTION,
    statement="Every Gittins index of the table is the exact one rounded to the digits printed.",
    domain=DOMAIN,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"0.391 in state 3 of arm 1": {"printed": {**PRINTED, "a1s2": "0.2895", "a1s3": "0.391"}}},
    controls={"0.2895 in state 2 of arm 1": {"printed": {**PRINTED, "a1s2": "0.2895"}}},
)
def table_rounded(book: Book, printed: Mapping[str, str] = PRINTED) -> Finding:
    found = exact_indices()
    off = {
        name: {"exact": found[name], "decimal": decimal_text(found[name]), "printed": text}
        for name, text in printed.items()
        if not rounds_to(found[name], text)
    }
    return decide(not off, Evidence.CERTIFIED, **(off or found))


@claim(
    "fig:randomwalk/indices/repair",
    section=SECTION,
    statement="Every Gittins index of the table is within one unit of its last printed digit.",
    domain=DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={"0.390 in state 3 of arm 1": {"printed": {**PRINTED, "a1s3": "0.390"}}},
    repairs=("fig:randomwalk/indices",),
)
def table_within_a_unit(book: Book, printed: Mapping[str, str] = PRINTED) -> Finding:
    found = exact_indices()
    off = {
        name: {"exact": found[name], "printed": text}
        for name, text in printed.items()
        if abs(found[name] - rational(text)) >= fmpq(1, 10 ** len(text.partition(".")[2]))
    }
    return decide(not off, Evidence.CERTIFIED, **(off or found))
