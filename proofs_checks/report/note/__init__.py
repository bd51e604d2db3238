"""The bounds of this project as a paper: LaTeX with its numbers from the ledger, and a PDF where LaTeX is installed.

It needs only Debian's packages ``texlive-latex-recommended``, ``texlive-fonts-recommended`` and ``lmodern``.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flint import fmpq
from jinja2 import Environment, StrictUndefined

from mbrl.experiments.intervals import interval
from proofs_checks.claimcheck.evidence import Grade
from proofs_checks.claimcheck.ledger import Registry
from proofs_checks.paper.beyond.entries import INFORMATIVE, POWERS, minimax_over_trivial
from proofs_checks.paper.beyond.swept import FAR, SCALED, quotient, recorded_sweep
from proofs_checks.paper.recorded import VARIANCES, recorded_run
from proofs_checks.paper.recorded.sweep import LEARNERS as SWEPT
from proofs_checks.paper.recorded.sweep import LONG_SIMULATIONS, MIDDLE, SIMULATIONS, TIMED
from proofs_checks.paper.shared.best_learners import on_absorbing_priors, on_motionless_priors
from proofs_checks.paper.shared.recorded_experiments import final_regret, generator
from proofs_checks.report.pictures import draw_picture
from theory import BanditError, rational
from theory.terminal.outputs import check_folder, writing

TEMPLATE = Path(__file__).with_name("sharper.tex")
ENTRIES = {
    "beyond:upper": "Theorem 1",
    "conc:V/hull": "the hull of $S$ functions",
    "beyond:upper/event": "the event of the bonus",
    "beyond:upper/recursion": "the recursion",
    "beyond:upper/moves": "the event of moves",
    "beyond:upper/frozen-counts": "frozen counts",
    "beyond:lower/absorbing": "Theorem 2",
    "beyond:lower/absorbing/best-learner": "the first table",
    "beyond:lower/motionless": "Theorem 3",
    "beyond:lower/motionless/best-learner": "the first table",
    "beyond:lower/corollary": "both together",
    "beyond:local-variance": "local variances, one arm",
    "beyond:local-variance/measured": "the second table",
    "beyond:open/local-variance": "the bound they should give",
    "beyond:open/printed-bonus": "a lower bound for MB-UCBVI",
    "beyond:total-variance": "Theorem 5, true model",
    "beyond:total-variance/step": "Theorem 5, any tables",
    "beyond:prevailing": "prevailing variables",
    "beyond:prevailing/arm-by-arm": "Lemma 4",
    "beyond:minimax": "Theorem 6",
    "beyond:minimax/optimism": "its step 2",
    "beyond:minimax/one-step": "its step 3",
    "beyond:minimax/informative": "where it says something",
    "beyond:minimax/measured": "the experiments",
    "beyond:minimax/logarithms": "no logarithm",
    "beyond:open/mb-psrl": "MB-PSRL without $\\sqrt S$",
    "beyond:open/mb-ucrl2": "MB-UCRL2 without $\\sqrt S$",
}
"""The entries that the note shows, each with its name in the note."""

CONSTANTS = {
    "c": ("beyond:upper", "c"),
    "d": ("beyond:upper", "d"),
    "informative": ("beyond:upper/informative", "K"),
    "absorbing": ("beyond:lower/absorbing", "c"),
    "motionless": ("beyond:lower/motionless", "c"),
    "corollary": ("beyond:lower/corollary", "c"),
    "local": ("beyond:local-variance", "c"),
    "mc": ("beyond:minimax", "c"),
    "md": ("beyond:minimax", "d"),
    "mf": ("beyond:minimax", "f"),
    "mg": ("beyond:minimax", "g"),
    "proved": ("thm:regret_upper_bound/ucbvi", "C"),
}
"""The numbers of the note, by name: an entry and one of its parameters."""

QUOTIENTS = {
    "q_proved": (*MIDDLE, "mb-minimax", "mb-ucbvi"),
    "q_alike": (*MIDDLE, *SCALED),
    "q_far": (*FAR, *SCALED),
    "q_psrl": (*MIDDLE, "mb-psrl", "mb-ucbvi"),
}
"""Ratios of mean regrets: S, n, B, a learner, and the learner that it is divided by."""
SCENARIOS = ("random-walk", "task-scheduling")
LEARNERS = {"mb-ucbvi": "MB-UCBVI", "mb-ucbvi-bernstein": "with local variances", "mb-psrl": "MB-PSRL"}
"""Learners of the second table: name in the recorded runs, name in the note."""


class NoteError(BanditError):
    """A note that LaTeX does not compile."""


def constants(registry: Registry) -> dict[str, object]:
    """Return the numbers of the note, taken from the ledger's statements.

    Examples
    --------
    >>> from proofs_checks.paper import registry
    >>> constants(registry())["c"]
    4
    """
    return {name: registry[entry].statement.parameters[key] for name, (entry, key) in CONSTANTS.items()}


def note_text(entries: Sequence[Mapping[str, Any]], constants: Mapping[str, object]) -> str:
    """Return the note as LaTeX, from the contents of its entries and the numbers that `constants` returns."""
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
        {"id": each, "what": what, "verdict": found[each]["verdict"], "grade": found[each]["effective_evidence"] or ""}
        for each, what in ENTRIES.items()
    ]
    runs = [[told, *(_mean_regret(scenario, name) for scenario in SCENARIOS)] for name, told in LEARNERS.items()]
    compared = [
        {"size": each, "regret": each.least, "quotient": each.quotient(rational(constants[prior]))}
        for prior, sizes in (("absorbing", on_absorbing_priors()), ("motionless", on_motionless_priors()))
        for each in sizes
    ]
    in_kernel, minimax_in_kernel = (
        found[each]["effective_evidence"] == Grade.KERNEL.value for each in ("beyond:local-variance", "beyond:minimax")
    )
    times = recorded_sweep()["microseconds"]
    return names.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        entries=rows,
        runs=runs,
        compared=compared,
        in_kernel=in_kernel,
        minimax_in_kernel=minimax_in_kernel,
        informative_rows=[_informative_row(*row) for row in INFORMATIVE.values()],
        simulations=SIMULATIONS,
        learners=[r"\shortstack[r]{" + SWEPT[each].replace(", ", r",\\") + "}" for each in TIMED],
        times=[[*size.split(","), *(times[size][each] for each in TIMED)] for size in times],
        **{name: quotient(*each).written(".3g") for name, each in QUOTIENTS.items()},
        far=FAR[2],
        long_simulations=LONG_SIMULATIONS,
        **constants,
    )


def _mean_regret(scenario: str, learner: str) -> str:
    """Return the mean regret in the recorded runs, with its 95% interval over simulations."""
    regrets = final_regret(recorded_run(scenario, VARIANCES), learner)
    return str(interval(regrets, generator(f"mean of {scenario} {learner}"))).partition(", 95%")[0]


def _informative_row(S: int, n: int, B: int, K: int, u: int) -> list[str]:
    """Return a row of the table of the least K at which the minimax learner's bound is below K B."""
    over = (float(minimax_over_trivial(S, n, 10**power, 1 - fmpq(1, B)).mid()) for power in (3, 6, 9, 12))
    written = [f"{each:,.0f}" if each >= 100 else f"{each:.3g}" for each in over]
    until = "at none" if u < POWERS[0] else f"$10^{{{u}}}$"
    return [*(f"${str(each).replace(',', '{,}')}$" for each in (S, n, B, *written, f"{K:,}")), until]


def write_note(folder: Path, entries: Sequence[Mapping[str, Any]], constants: Mapping[str, object]) -> Path:
    """Write ``sharper.tex`` and its pictures into a folder, and ``sharper.pdf`` if there is a ``pdflatex``.

    Return the path of the PDF, or of the LaTeX file. If LaTeX refuses the note, raise a `NoteError`.
    """
    check_folder(folder)
    source = folder / "sharper.tex"
    with writing(source):
        folder.mkdir(parents=True, exist_ok=True)
        source.write_text(note_text(entries, constants), encoding="utf-8")
    for name in ("bounds", "learners"):
        draw_picture(name, folder / f"{name}.pdf")
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
