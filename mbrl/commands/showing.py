"""Options and output shared by the experiments' commands: tables in two forms, figures, the progress of a run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import click
import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from mbrl.experiments.intervals import Interval
from theory.terminal.console import console, table

if TYPE_CHECKING:
    from mbrl.experiments import runner
    from mbrl.experiments.summary import AgentSummary

_FEW = 8
"""Number of simulations up to which each one is printed."""

directory_argument: Callable[[Callable[..., None]], Callable[..., None]] = click.argument(
    "directory", metavar="DIR", type=click.Path(path_type=Path)
)
json_option: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)
markdown_option: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--markdown", is_flag=True, help="Print tables in Markdown, whole at any width."
)

INCHES: Final = MappingProxyType({"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72.27})
"""Inches per unit; a point is TeX's, in which LaTeX prints the width of its columns."""

_LEAST: Final = 2.0
_LARGEST: Final = 40.0
_WIDTH: Final = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*([a-z]*)")


class Width(click.ParamType):  # type: ignore[type-arg]  # it is generic in newer versions only
    """A length with its unit.

    Examples
    --------
    >>> [round(Width().convert(text, None, None), 3) for text in ("8cm", "3.5in", "241.0 pt")]
    [3.15, 3.5, 3.335]
    """

    name = "width"

    def convert(self, value: str | float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the width in inches."""
        written = _WIDTH.fullmatch(str(value).strip().lower())
        if written is None or written[2] not in INCHES:
            self.fail(f"{value!r} is no width: write a number and one of {', '.join(INCHES)}, as in 8cm", param, ctx)
        inches = float(written[1]) * INCHES[written[2]]
        if not _LEAST <= inches <= _LARGEST:
            within = f"{_LEAST:g} to {_LARGEST:g} inches, or {_LEAST * 2.54:g} to {_LARGEST * 2.54:g} cm"
            self.fail(f"{value} is too {'narrow' if inches < _LEAST else 'wide'}: give {within}", param, ctx)
        return inches


def sheet_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a figure's sheet, which it receives as `sheet`, the arguments of a `Sheet`.

    The code that draws makes the `Sheet` itself, since that needs matplotlib.
    """

    @click.option("--width", type=Width(), metavar="WIDTH", help="Width of the figures: 8cm, 80mm, 3.25in or 241pt.")
    @click.option(
        "--font", metavar="FAMILY", help='Font of all texts, such as serif or "DejaVu Sans"; --style sets its size.'
    )
    @click.option("--no-title", is_flag=True, help="Leave out titles and notes, which a caption can say.")
    @click.option(
        "--style",
        metavar="STYLE",
        help="Name or file of a matplotlib style, which overrides ours, such as a file with the line font.size: 9; its "
        "axes.prop_cycle colours learners of yours.",
    )
    @wraps(command)
    def with_sheet(width: float | None, font: str | None, no_title: bool, style: str | None, **others: Any) -> None:
        command(sheet={"width": width, "font": font, "titles": not no_title, "style": style}, **others)

    return with_sheet


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "", markdown: bool = False
) -> None:
    r"""Print a table for a terminal, or in Markdown.

    Examples
    --------
    >>> print_table(("a", "b"), [("1|2", "3")], title="t", markdown=True)
    **t**
    <BLANKLINE>
    | a | b |
    | --- | --- |
    | 1\|2 | 3 |
    <BLANKLINE>
    """
    if not markdown:
        made = table(*columns, title=title)
        for row in rows:
            made.add_row(*row)
        console().print(made)
        return
    lines = [columns, ["---"] * len(columns), *rows]
    written = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    click.echo("\n".join([*([f"**{title}**", ""] if title else []), *written, ""]))


def print_note(text: str, *, markdown: bool = False) -> None:
    """Print a sentence below a table."""
    if markdown:
        click.echo(f"{text}\n")
    else:
        console().print(text)


@contextmanager
def shown_progress(name: str, wanted: bool = True) -> Iterator[Callable[[runner.Progress], None]]:
    """Show the progress on stderr, if `wanted`, in a terminal or a notebook, and remove it at the end."""
    screen = console(stderr=True)
    columns = (
        TextColumn(name),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=screen, transient=True, disable=not (wanted and screen.is_terminal)) as bar:
        shown = bar.add_task(name, total=None)

        def watch(progress: runner.Progress) -> None:
            bar.update(shown, total=progress.total, completed=progress.done)

        yield watch


def print_summary(
    title: str, episodes: int, summaries: Sequence[AgentSummary], versus: str | None = None, *, markdown: bool = False
) -> None:
    """Print the table of learners.

    Examples
    --------
    >>> from mbrl.experiments.summary import AgentSummary
    >>> from mbrl.experiments.intervals import Interval
    >>> made = [Interval(k, k - 0.25, k + 0.5, 2) for k in (3.0, 2.0, 1.5, 1.25)]
    >>> times = {"toy": 0.1, "fast": 0.00123}
    >>> toy, fast = (AgentSummary(each, 6, 2, *made[:2], 1.0, 5.0, 7.0, *made[2:], times[each]) for each in times)
    >>> print_summary("t", 9, [toy, fast], "toy", markdown=True)
    **t**
    <BLANKLINE>
    | agent | mean regret | median | 10% to 90% | largest | ms per episode | mean / toy | median / toy |
    | --- | --- | --- | --- | --- | --- | --- | --- |
    | toy | 3.0 [2.8, 3.5] | 2.0 [1.8, 2.5] | 1.0 to 5.0 | 7.0 | 0.100 | 1 | 1 |
    | fast | 3.0 [2.8, 3.5] | 2.0 [1.8, 2.5] | 1.0 to 5.0 | 7.0 | 0.0012 | 1.50 [1.25, 2.00] | 1.25 [1.00, 1.75] |
    <BLANKLINE>
    Regret cumulated over 9 episodes; 6 simulations, of 2 models that they share. In brackets: 95% intervals over \
models. Time: the median, to plan and learn. Learners share each simulation's model, and the lengths and initial \
states of its episodes; plans, next states and rewards are drawn for each by itself.
    <BLANKLINE>
    """
    columns = ["agent", "mean regret", "median", "10% to 90%", "largest", "ms per episode"]
    compared = [f"mean / {versus}", f"median / {versus}"] if versus else []
    rows = [
        (
            line.agent,
            line.mean.written(".1f", reason=False),
            line.median.written(".1f", reason=False),
            f"{line.lower_decile:.1f} to {line.upper_decile:.1f}",
            f"{line.largest:.1f}",
            f"{line.milliseconds:.2g}" if line.milliseconds < 0.1 else f"{line.milliseconds:.3f}",
            *(
                "1" if line.agent == versus else each.written(".2f", reason=False)
                for each in (line.ratio, line.median_ratio)[: len(compared)]
            ),
        )
        for line in summaries
    ]
    print_table([*columns, *compared], rows, title=title, markdown=markdown)
    one, *_ = summaries  # all have the same simulations
    over, units = f"{one.simulations} simulation{'s' if one.simulations > 1 else ''}", "simulations"
    if one.units < one.simulations:
        over, units = f"{over}, of {one.units} models that they share", "models"
    few = too_few(
        {
            "mean": [line.mean for line in summaries],
            "median": [line.median for line in summaries],
            "ratio of medians": [line.median_ratio for line in summaries if versus],
        },
        "; ",
    )
    print_note(
        f"Regret cumulated over {episodes} episodes; {over}. In brackets: 95% intervals over {units}{few}. Time: the "
        "median, to plan and learn."
        + " Learners share each simulation's model, and the lengths and initial states of its episodes; plans, next "
        "states and rewards are drawn for each by itself." * bool(versus),
        markdown=markdown,
    )
    if alike := [line.agent for line in summaries if line.median.alike and line.steady]:
        print_note(
            f"{', '.join(alike)}: the same regret in every episode, so what was seen changed nothing; of equal "
            "indices the model's first arm is played.",
            markdown=markdown,
        )


def too_few(columns: Mapping[str, Sequence[Interval]], before: str) -> str:
    """Return `before` and the numbers of units that missing intervals need, by column; "" if none is missing.

    Examples
    --------
    >>> one, other = (Interval(3.0, float("nan"), float("nan"), 5, least) for least in (80, 6))
    >>> too_few({"mean": [one, one], "median": [other]}, "; "), too_few({"mean": [Interval(3, 2, 4, 90, 80)]}, "; ")
    ('; none of a mean below n = 80, of a median below n = 6', '')
    """
    least = {name: each.least for name, column in columns.items() for each in column if each.too_few}
    return f"{before}none " + ", ".join(f"of a {name} below n = {n}" for name, n in least.items()) if least else ""


def of_simulations(numbers: Sequence[float], form: str) -> str:
    """Return the numbers of up to eight simulations, or median and quantiles of more; "-" stands for infinity.

    Examples
    --------
    >>> never = float("nan")
    >>> of_simulations([1000, never, *range(6)], ".0f"), of_simulations([*range(8), never], ".0f")
    ('1000, -, 0, 1, 2, 3, 4, 5', '4 (10% to 90%: 0 to 7)')
    """

    def written(number: float) -> str:
        return f"{number:{form}}" if isfinite(number) else "-"

    if len(numbers) <= _FEW:
        return ", ".join(map(written, numbers))
    known = np.where(np.isnan(numbers), np.inf, numbers)
    low, middle, high = (written(float(np.quantile(known, q, method="lower"))) for q in (0.1, 0.5, 0.9))
    return f"{middle} (10% to 90%: {low} to {high})"
