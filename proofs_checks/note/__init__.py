"""The sharper bounds as a short note: LaTeX with its numbers from the ledger, and a PDF where LaTeX is installed.

Debian's packages ``texlive-latex-recommended``, ``texlive-fonts-recommended`` and ``lmodern`` are all that it needs.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from flint import arb
from jinja2 import Environment, StrictUndefined

from proofs_checks.ledger import Registry
from proofs_checks.pictures import draw_picture
from theory import BanditError, nearest_float
from theory.outputs import check_folder, writing
from theory.paper import AbsorbingPrior, absorbing_bound_squared, absorbing_regret

TEMPLATE = Path(__file__).with_name("sharper.tex")
ENTRIES = {
    "beyond:upper": "Theorem 1",
    "conc:V/hull": "the hull of $S$ functions",
    "beyond:upper/event": "the event of the bonus",
    "beyond:upper/recursion": "the recursion",
    "beyond:upper/moves": "the event of moves",
    "beyond:upper/frozen-counts": "frozen counts",
    "beyond:lower/absorbing": "Theorem 2",
    "beyond:lower/motionless": "Theorem 3",
    "beyond:lower/corollary": "both together",
}
"""The entries that the note shows, and what it calls them."""
COMPARED = ((2, 2, "1/2", "3/8", 8, 11), (3, 2, "1/2", "3/8", 16, 11), (2, 3, "1/2", "3/8", 12, 11))
"""S, n, beta, Delta, K, and the plays after which the dynamic program stops counting."""


CONSTANTS = {
    "c": ("beyond:upper", "c"),
    "d": ("beyond:upper", "d"),
    "absorbing": ("beyond:lower/absorbing", "c"),
    "motionless": ("beyond:lower/motionless", "c"),
    "corollary": ("beyond:lower/corollary", "c"),
}
"""The numbers of the note: entries and their parameters."""


class NoteError(BanditError):
    """A note that LaTeX does not compile."""


def constants(registry: Registry) -> dict[str, object]:
    """Return the numbers of the note as the statements of the ledger have them.

    Examples
    --------
    >>> from proofs_checks.claims import registry
    >>> constants(registry())["c"]
    4
    """
    return {name: registry[entry].statement.parameters[key] for name, (entry, key) in CONSTANTS.items()}


@cache
def best_learners() -> list[dict[str, Any]]:
    """Return what the best learner's regret is at least on the prior, beside the bound.

    Examples
    --------
    >>> [float(row["quotient"]) > 1.4 for row in best_learners()]
    [True, True, True]
    """
    rows = []
    for S, n, beta, delta, K, depth in COMPARED:
        low = absorbing_regret(AbsorbingPrior(S=S, n=n, discount=beta, delta=delta), K, depth).low
        quotient = arb(low) / arb(absorbing_bound_squared(S, n, K, beta)).sqrt()
        rows.append(
            {"S": S, "n": n, "beta": beta, "K": K}
            | {"regret": _down(nearest_float(low), 3), "quotient": _down(float(quotient.mid()), 2)}
        )
    return rows


def _down(value: float, digits: int) -> str:
    return f"{int(value * 10**digits) / 10**digits:.{digits}f}"


def note_text(entries: Sequence[Mapping[str, Any]], constants: Mapping[str, object]) -> str:
    """Return the note as LaTeX: entries as the ledger judged them, constants as its statements have them."""
    names = Environment(
        block_start_string="<<%",
        block_end_string="%>>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<<#",
        comment_end_string="#>>",
        undefined=StrictUndefined,
        autoescape=False,
    )
    found = {entry["id"]: entry for entry in entries}
    rows = [
        {"id": each, "what": what, "verdict": found[each]["verdict"], "grade": found[each]["effective_evidence"]}
        for each, what in ENTRIES.items()
    ]
    return names.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        entries=rows, rows=best_learners(), **constants
    )


def write_note(folder: Path, entries: Sequence[Mapping[str, Any]], constants: Mapping[str, object]) -> Path:
    """Write ``sharper.tex`` and its picture into a folder, and ``sharper.pdf`` if there is a ``pdflatex``.

    Returns
    -------
    Path
        The PDF, or the LaTeX where there is none.

    Raises
    ------
    ModelError
        If the folder cannot be written.
    NoteError
        If LaTeX refuses the note.
    """
    check_folder(folder)
    source = folder / "sharper.tex"
    with writing(source):
        folder.mkdir(parents=True, exist_ok=True)
        source.write_text(note_text(entries, constants), encoding="utf-8")
    draw_picture("bounds", folder / "bounds.pdf")
    if shutil.which("pdflatex") is None:
        return source
    for _ in range(2):  # the second run knows the numbers of theorems
        done = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name],
            cwd=folder,
            capture_output=True,
            check=False,
        )
        if done.returncode:
            raise NoteError(f"{source}: LaTeX refuses it; see {source.with_suffix('.log')}")
    return source.with_suffix(".pdf")
