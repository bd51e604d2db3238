"""What the commands of the experiments share: the option ``--json``, the progress of a run, the table of learners."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isnan
from typing import TYPE_CHECKING

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from theory.console import console, table

if TYPE_CHECKING:
    from mbrl.experiments import runner
    from mbrl.experiments.summary import AgentSummary

json_option: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)


@contextmanager
def shown_progress(name: str) -> Iterator[Callable[[runner.Progress], None]]:
    """Show the progress on stderr where that is a terminal."""
    screen = console(stderr=True)
    columns = (
        TextColumn(name),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        shown = bar.add_task(name, total=None)

        def watch(progress: runner.Progress) -> None:
            bar.update(shown, total=progress.total, completed=progress.done)

        yield watch


def print_summary(title: str, episodes: int, summaries: Sequence[AgentSummary], versus: str | None = None) -> None:
    """Print the table of learners."""
    columns = ["agent", "mean regret", "median", "10% to 90%", "largest", "ms per episode"]
    rows = table(*columns, *([f"mean / {versus}"] if versus else []), title=title)
    for line in summaries:
        rows.add_row(
            line.agent,
            with_interval(line.final_regret, line.mean_low, line.mean_high, ".1f"),
            with_interval(line.median, line.median_low, line.median_high, ".1f"),
            f"{line.lower_decile:.1f} to {line.upper_decile:.1f}",
            f"{line.largest:.1f}",
            f"{line.milliseconds:.3f}",
            *([with_interval(line.ratio, line.ratio_low, line.ratio_high, ".2f")] if versus else []),
        )
    console().print(rows)
    one = summaries[0]
    over = f"{one.simulations} simulations"
    if one.units < one.simulations:
        over += f", of {one.units} models that they share"
    console().print(
        f"Regret cumulated over {episodes} episodes; {over}. In brackets: 95% bootstrap intervals over "
        f"{'models' if one.units < one.simulations else 'simulations'}. Time: the median, to plan and learn."
    )


def with_interval(number: float, low: float, high: float, form: str) -> str:
    """Return a number with its interval in brackets, where it has one."""
    if isnan(number):
        return "-"
    return f"{number:{form}}" + ("" if isnan(low) else f" [{low:{form}}, {high:{form}}]")
