"""The printed table of Gittins indices, digit by digit (Appendix D.1)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from flint import fmpq

from proofs_checks.computations.rounding import rounds_to
from proofs_checks.evidence import Everywhere
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Family, Property, answer
from theory import gittins_indices, is_gittins, paper_model, rational
from theory.gittins import indices_by_definition

chapter = Chapter(under="fig:randomwalk/indices")

PRINTED = {
    (1, 1): "0.276", (1, 2): "0.2894", (1, 3): "0.392", (1, 4): "1.0",
    (2, 1): "0.35", (2, 2): "0.256", (2, 3): "0.2892", (2, 4): "0.7",
    (3, 1): "0.4", (3, 2): "0.250", (3, 3): "0.286", (3, 4): "0.65",
}  # fmt: skip
"""By arm and state."""
CELLS = Family(
    r"the three arms of Table 1, their four states each, $\beta = 0.99$",
    lambda: iter(PRINTED),
    complete=True,
)


@cache
def exact_indices() -> Mapping[tuple[int, int], fmpq]:
    """Return the index of each state by elimination, which the definition has to give too.

    Raises
    ------
    ArithmeticError
        If it does not, or the retirement problem refutes them.
    """
    bandit = paper_model("random-walk")
    found = {}
    for a, arm in enumerate(bandit.arms, 1):
        indices = gittins_indices(arm, bandit.discount)
        if indices != indices_by_definition(arm, bandit.discount) or not is_gittins(arm, bandit.discount, indices):
            raise ArithmeticError(f"arm {a}: the indices are not those of the definition")
        found.update({(a, x): index for x, index in enumerate(indices, 1)})
    return found


def rounded(cell: tuple[int, int], second: str) -> Answer:
    """Return whether an index rounds to what is printed, the second one of arm 1 as given."""
    printed = second if cell == (1, 2) else PRINTED[cell]
    exact = exact_indices()[cell]
    return answer(rounds_to(exact, printed), arm=cell[0], state=cell[1], exact=exact, printed=printed)


chapter.printed(
    Property(
        "fig:randomwalk/indices",
        rounded,
        over=CELLS,
        says=r"""Every Gittins index of the table is the exact one, rounded to the digits printed; that of state 2 of
        the first arm is $[[second]]$.""",
        second="0.2894",
    ),
    Everywhere(),
    line=1337,
    under="",
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="table-digit",
    mutants=[{"second": "0.2893"}],
    controls=[{"second": "0.2895"}],
)


def within_units(cell: tuple[int, int], c: object) -> Answer:
    """Return whether an index is within so many units of the last digit that is printed."""
    exact, text = exact_indices()[cell], PRINTED[cell]
    off = abs(exact - rational(text)) * 10 ** len(text.partition(".")[2])
    return answer(off <= rational(c), arm=cell[0], state=cell[1], exact=exact, printed=text, units_off=off)


chapter.ours(
    Property(
        "fig:randomwalk/indices/repair",
        within_units,
        over=CELLS,
        says="Every Gittins index of the table is within $[[c]]$ units of its last printed digit.",
        c=1,
    ),
    Everywhere(),
    line=1337,
    repairs="fig:randomwalk/indices",
    nearest={"c": "down"},
)

CAUSES = [
    Cause(
        "table-digit",
        Severity.SLIP,
        line=1337,
        title="One index of the table is cut off, not rounded",
        printed=r"$0.2894$ for state 2 of the first arm",
        why=r"The index is $39204/135433 = 0.28947\ldots$",
        instead=r"$0.2895$",
        follows="Nothing: the order of the indices stays.",
        witness="fig:randomwalk/indices",
    ),
]
