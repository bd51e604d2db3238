"""``python -m mbrl paper``: a run compared with the paper's printed curves."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from mbrl.agents.options import split_name
from mbrl.commands.showing import (
    directory_argument,
    json_option,
    markdown_option,
    print_note,
    print_table,
    sheet_options,
    too_few,
)
from mbrl.experiments.intervals import shown_share
from theory.terminal.console import print_json
from theory.terminal.outputs import check_folder


@click.command("paper")
@directory_argument
@click.option("--points", is_flag=True, help="Print every point of every curve.")
@sheet_options
@markdown_option
@json_option
def paper_command(directory: Path, points: bool, sheet: dict[str, Any], markdown: bool, as_json: bool) -> None:
    """Compare a finished run with the paper's printed curves, and draw them over it, into DIR/figures.

    Learners with options, such as other readings of the text ("run --readings"), are compared with the curves of
    the learner without.

    A printed mean over n simulations agrees if it lies in the central 99% of means over n of our simulations, up to
    the error of reading it off the figure. A whole curve agrees if at least 0.5% of resampled curves deviate as
    much below ours, and as many above. A comparison takes --episodes 3000 and --simulations 10 (of random-models
    50), or more simulations; with less nothing is drawn. The column "detectable" has the smallest shares of our
    mean by which a whole curve must lie below it, or above it, to be refused.
    """
    from mbrl.experiments.dataset import read_results  # noqa: PLC0415
    from mbrl.figures.printed import draw_printed  # noqa: PLC0415
    from mbrl.figures.style import Sheet  # noqa: PLC0415
    from mbrl.paper.comparison import LEAST_UNITS, compare  # noqa: PLC0415
    from mbrl.paper.printed import printed_curves  # noqa: PLC0415

    regret = read_results(directory)
    check_folder(directory / "figures")
    curves = [curve for curve in printed_curves() if curve.scenario == regret.attributes["scenario"]]
    found = [
        compare(curve, regret, agent)
        for curve in curves
        for agent in [each for each in regret.agents if split_name(each)[0] == curve.agent] or [curve.agent]
    ]
    paths = draw_printed(regret, found, directory / "figures", Sheet(**sheet))
    if as_json:
        content = [
            asdict(each) | {"points": [asdict(point) | {"verdict": point.verdict} for point in each.points]}
            for each in found
        ]
        print_json({"curves": content, "figures": list(map(str, paths))})
        return
    if not found:
        click.echo(f"the paper has no figure of {regret.attributes['scenario']}")
        return
    rows = []
    for each in found:
        shown: tuple[str, ...] = ("", "", each.reason)
        if each.worst is not None:
            below, above = each.detectable
            where = f"episode {each.worst.episode}: printed {each.worst.printed:g} ± {each.worst.error:g}"
            shown = (
                shown_share(each.p_value),
                f"-{below:.0%}, +{above:.0%}",
                f"{where}, ours {each.worst.ours.estimate:.1f}",
            )
        rows.append((each.figure, each.agent, each.verdict, *shown))
    columns: tuple[str, ...] = ("figure", "agent", "verdict", "p-value", "detectable", "where it is furthest off")
    print_table(columns, rows, markdown=markdown)
    if points:
        rows = [
            (
                each.figure,
                each.agent,
                str(point.episode),
                f"{point.printed:g} ± {point.error:g}",
                point.ours.written(".1f", reason=False),
                f"{point.least:.1f} to {point.most:.1f}",
                point.verdict,
            )
            for each in found
            for point in each.points
        ]
        columns = ("figure", "agent", "episode", "printed", "ours", "99% of such means", "verdict")
        print_table(columns, rows, markdown=markdown)
        few = too_few({"mean": [point.ours for each in found for point in each.points]}, "95% intervals: ")
        if few:
            print_note(f"{few}.", markdown=markdown)
    for path in paths:
        click.echo(path, err=markdown)
    if not paths:
        least = LEAST_UNITS * curves[0].simulations // curves[0].units
        needed = f"--episodes 3000 and --simulations {least} or more"
        click.echo(f"nothing is drawn: run a learner of the figures with {needed}", err=markdown)
