"""``python -m mbrl paper | readings``: runs compared with the paper's printed curves, and effects of its readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mbrl.commands.results_folder import ResultsFolder
from mbrl.commands.sheet import sheet_options
from mbrl.commands.showing import (
    json_option,
    markdown_option,
    print_note,
    print_table,
    shown_progress,
    too_few,
)
from mbrl.experiments.intervals import Interval, shown_share
from mbrl.experiments.scenarios import find_scenario
from mbrl.experiments.settings import Request, make_settings
from mbrl.experiments.store import check_folder_of_results, read_settings
from theory.terminal.console import OutputFolder, Whole, jobs_option, number_of_jobs, print_json
from theory.terminal.outputs import check_folder

if TYPE_CHECKING:
    from mbrl.paper.comparison import Comparison
    from mbrl.paper.readings import Effect

_SHOWN = 6
"""Number of combinations of readings that are printed without ``--all``."""


@click.command("paper")
@click.argument("directory", metavar="DIR", type=ResultsFolder())
@click.option("--points", is_flag=True, help="Print every point of every curve.")
@sheet_options
@markdown_option
@json_option
def paper_command(directory: Path, points: bool, sheet: dict[str, Any], markdown: bool, as_json: bool) -> None:
    """Compare a finished run with the paper's printed curves, and draw them over it, into DIR/figures.

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
    found = [compare(curve, regret) for curve in curves]
    paths = draw_printed(regret, found, directory / "figures", Sheet(**sheet))
    if as_json:
        print_json({"curves": [_content(comparison) for comparison in found], "figures": list(map(str, paths))})
        return
    if not found:
        click.echo(f"the paper has no figure of {regret.attributes['scenario']}")
        return
    _print_curves(found, markdown)
    if points:
        _print_points(found, markdown)
    for path in paths:
        click.echo(path, err=markdown)
    if not paths:
        least = LEAST_UNITS * curves[0].simulations // curves[0].units
        needed = f"--episodes 3000 and --simulations {least} or more"
        click.echo(f"nothing is drawn: run a learner of the figures with {needed}", err=markdown)


@click.command("readings")
@click.argument("scenario", metavar="SCENARIO")
@click.option("--out", required=True, metavar="DIR", type=OutputFolder(), help="Folder of the results.")
@click.option("--simulations", type=Whole(), metavar="N", help="Number of simulations. [default: the paper's]")
@click.option("--episodes", type=Whole(), metavar="K", help="Episodes per simulation. [default: the paper's]")
@click.option("--seed", type=Whole(), metavar="S", help="Seed of all random draws.")
@click.option("--agents", metavar="A,B", help="Only these learners, without options. [default: all of its figures]")
@jobs_option
@click.option("--all", "everything", is_flag=True, help="Print all combinations of readings.")
@markdown_option
@json_option
def readings_command(
    scenario: str,
    out: Path,
    simulations: int | None,
    episodes: int | None,
    seed: int | None,
    agents: str | None,
    jobs: int | None,
    everything: bool,
    markdown: bool,
    as_json: bool,
) -> None:
    """Measure the effects of readings of the paper's text, and which readings give its printed curves.

    SCENARIO is random-walk, task-scheduling or random-models. All combinations of the choices that the paper leaves
    open or states twice play the same simulations; a run in DIR is finished or extended.
    """
    request = Request((), simulations, episodes, seed)
    check_folder_of_results(out)

    from mbrl.experiments.dataset import read_run, settings_of_results  # noqa: PLC0415
    from mbrl.experiments.runner import run  # noqa: PLC0415
    from mbrl.paper.readings import METHODS, agents_to_run, effects, learners_of  # noqa: PLC0415

    learners = learners_of(scenario, agents.split(",") if agents is not None else None)
    request = replace(request, agents=agents_to_run(scenario, learners), regret=METHODS[scenario])
    found, settings = make_settings(find_scenario(scenario), request, read_settings(out, settings_of_results))
    with shown_progress(found.name) as watch:
        run(found, settings, out, jobs=number_of_jobs(jobs), watch=watch)
    regret, timing = read_run(out)
    measured = {agent: effects(regret, timing, agent) for agent in learners}
    if as_json:
        print_json({agent: [_effect_content(effect) for effect in of_agent] for agent, of_agent in measured.items()})
        return
    for agent, of_agent in measured.items():
        _print_deviations(agent, of_agent, markdown=markdown)
        _print_readings(agent, of_agent, everything=everything, markdown=markdown)


def _print_curves(found: Sequence[Comparison], markdown: bool) -> None:
    rows = []
    for comparison in found:
        shown = (comparison.verdict, *_share_and_power([comparison]), _worst(comparison))
        rows.append((comparison.figure, comparison.agent, *shown))
    columns = ("figure", "agent", "verdict", "p-value", "detectable", "where it is furthest off")
    print_table(columns, rows, title="", markdown=markdown)


def _print_points(found: Sequence[Comparison], markdown: bool) -> None:
    """Print every point of every curve.

    Examples
    --------
    >>> from mbrl.experiments.intervals import Interval
    >>> from mbrl.paper.comparison import Comparison, Point
    >>> far = Point(9, 7.5, 0.25, Interval(5.0, 4.0, 6.0, 80), 3.0, 6.5)
    >>> _print_points([Comparison("fig:x", "toy", "differs", "", 0.5, (0.25, 0.5), (far,))], markdown=True)
    | figure | agent | episode | printed | ours | 99% of such means | verdict |
    | --- | --- | --- | --- | --- | --- | --- |
    | fig:x | toy | 9 | 7.5 ± 0.25 | 5.0 [4.0, 6.0] | 3.0 to 6.5 | differs |
    <BLANKLINE>
    """
    rows = [
        (
            comparison.figure,
            comparison.agent,
            str(point.episode),
            f"{point.printed:g} ± {point.error:g}",
            point.ours.written(".1f", reason=False),
            f"{point.least:.1f} to {point.most:.1f}",
            point.verdict,
        )
        for comparison in found
        for point in comparison.points
    ]
    columns = ("figure", "agent", "episode", "printed", "ours", "99% of such means", "verdict")
    print_table(columns, rows, title="", markdown=markdown)
    _print_too_few({"mean": [point.ours for comparison in found for point in comparison.points]}, markdown)


def _print_too_few(columns: Mapping[str, Sequence[Interval]], markdown: bool) -> None:
    few = too_few(columns, "95% intervals: ")
    if few:
        print_note(f"{few}.", markdown=markdown)


def _print_deviations(agent: str, measured: Sequence[Effect], *, markdown: bool) -> None:
    """Print the effect of each reading alone, beside our choice.

    Examples
    --------
    >>> from mbrl.experiments.intervals import Interval
    >>> from mbrl.experiments.summary import AgentSummary
    >>> from mbrl.paper.readings import Effect, Reading
    >>> made = [Interval(k, k - 0.5, k + 1, 80) for k in (3.0, 2.0, 1.5, 1.25)]
    >>> told = AgentSummary("toy", 80, 80, *made[:2], 1.0, 5.0, 7.0, *made[2:], 0.1)
    >>> one, other = Reading("cut=1", "cut off at 1"), Reading("ties=last", "the last one's")
    >>> every = [Effect("toy", chosen, told, ()) for chosen in ((), (one, other), (one,))]
    >>> _print_deviations("toy", every, markdown=True)
    **toy: what each reading does alone**
    <BLANKLINE>
    | option | reading | mean regret | median | mean / ours |
    | --- | --- | --- | --- | --- |
    |  | as it is here | 3.0 [2.5, 4.0] | 2.0 [1.5, 3.0] |  |
    | cut=1 | cut off at 1 | 3.0 [2.5, 4.0] | 2.0 [1.5, 3.0] | 1.50 [1.00, 2.50] |
    <BLANKLINE>
    """
    rows = []
    for effect in measured:
        if len(effect.readings) > 1:
            continue
        line = effect.summary
        alone = ((reading.option, reading.what) for reading in effect.readings)
        option, what = next(alone, ("", "as it is here"))
        rows.append(
            (
                option,
                what,
                line.mean.written(".1f", reason=False),
                line.median.written(".1f", reason=False),
                line.ratio.written(".2f", reason=False) if effect.readings else "",
            )
        )
    columns = ("option", "reading", "mean regret", "median", "mean / ours")
    print_table(columns, rows, title=f"{agent}: what each reading does alone", markdown=markdown)
    shown = [effect.summary for effect in measured if len(effect.readings) <= 1]
    _print_too_few({"mean": [line.mean for line in shown], "median": [line.median for line in shown]}, markdown)


def _print_readings(agent: str, measured: Sequence[Effect], *, everything: bool, markdown: bool) -> None:
    """Print which combinations of readings agree with the printed curves: the nearest six, and ours.

    Examples
    --------
    >>> from mbrl.experiments.intervals import Interval
    >>> from mbrl.paper.comparison import Comparison, Point
    >>> from mbrl.paper.readings import Effect, Reading
    >>> far = Point(9, 7.5, 0.25, Interval(5.0, 4.0, 6.0, 80), 3.0, 6.5)
    >>> def judged(k, verdict):
    ...     compared = Comparison("fig:x", "toy", verdict, "", (1 + k) / 100, (0.25, 0.5), (far,))
    ...     return Effect("toy", (Reading(f"cut={k}", "cut off"),) if k else (), None, (compared,))
    >>> every = [judged(0, "differs"), *(judged(k, "agrees" if k == 7 else "differs") for k in range(1, 8))]
    >>> _print_readings("toy", every, everything=False, markdown=True)
    **toy: readings against the printed curves, the nearest first**
    <BLANKLINE>
    | readings | verdict | p-value | detectable | where it is furthest off |
    | --- | --- | --- | --- | --- |
    | cut=7 | agrees | 0.08 | -25%, +50% | episode 9: printed 7.5 ± 0.25, ours 5.0 |
    | cut=6 | differs | 0.07 | -25%, +50% | episode 9: printed 7.5 ± 0.25, ours 5.0 |
    | cut=5 | differs | 0.06 | -25%, +50% | episode 9: printed 7.5 ± 0.25, ours 5.0 |
    | cut=4 | differs | 0.05 | -25%, +50% | episode 9: printed 7.5 ± 0.25, ours 5.0 |
    | cut=3 | differs | 0.04 | -25%, +50% | episode 9: printed 7.5 ± 0.25, ours 5.0 |
    | cut=2 | differs | 0.03 | -25%, +50% | episode 9: printed 7.5 ± 0.25, ours 5.0 |
    | as it is here | differs | 0.01 | -25%, +50% | episode 9: printed 7.5 ± 0.25, ours 5.0 |
    <BLANKLINE>
    toy: 1 of 8 combinations of readings agree with the printed curves; the nearest 6 are shown, --all prints the \
others.
    <BLANKLINE>
    >>> _print_readings("toy", every[:2], everything=False, markdown=True)  # doctest: +ELLIPSIS
    **toy...
    toy: none of 2 combinations of readings gives the printed curves.
    <BLANKLINE>
    """
    ordered = sorted(measured, key=lambda effect: -effect.share)
    shown = [effect for place, effect in enumerate(ordered) if everything or place < _SHOWN or not effect.readings]
    rows = []
    for effect in shown:
        judged = [comparison for comparison in effect.comparisons if comparison.verdict != "not comparable"]
        if judged:
            nearest = min(judged, key=lambda comparison: comparison.p_value)
            name = " ".join(reading.option for reading in effect.readings) or "as it is here"
            verdict = "agrees" if effect.gives_the_printed_curves else "differs"
            rows.append((name, verdict, *_share_and_power(judged), _worst(nearest)))
    if rows:
        columns = ("readings", "verdict", "p-value", "detectable", "where it is furthest off")
        title = f"{agent}: readings against the printed curves, the nearest first"
        print_table(columns, rows, title=title, markdown=markdown)
    if not any(comparison.points for effect in measured for comparison in effect.comparisons):
        reasons = {comparison.reason for effect in measured for comparison in effect.comparisons}
        said = f"{agent}: not comparable with the printed curves: {'; '.join(sorted(reasons))}"
    else:
        giving = sum(effect.gives_the_printed_curves for effect in measured)
        said = f"{agent}: {giving or 'none'} of {len(measured)} combinations of readings "
        said += "agree with the printed curves" if giving else "gives the printed curves"
        if len(rows) < len(measured):
            said += f"; the nearest {_SHOWN} are shown, --all prints the others"
    print_note(said + ".", markdown=markdown)


def _share_and_power(compared: Sequence[Comparison]) -> tuple[str, str]:
    """Return as text the smallest p-value, and the smallest differences below and above ours that a test detects.

    Examples
    --------
    >>> from mbrl.paper.comparison import Comparison
    >>> kinds = (("agrees", 0.5, (0.25, 2.0)), ("differs", 0.125, (0.5, 1.0)), ("not comparable", 0.0, (0.0, 0.0)))
    >>> _share_and_power([Comparison("fig:x", "toy", kind, "", share, sees, ()) for kind, share, sees in kinds])
    ('0.12', '-25%, +100%')
    """
    judged = [comparison for comparison in compared if comparison.verdict != "not comparable"]
    if not judged:
        return "", ""
    share = min(comparison.p_value for comparison in judged)
    below, above = map(min, zip(*(comparison.detectable for comparison in judged), strict=True))
    return shown_share(share), f"-{below:.0%}, +{above:.0%}"


def _worst(comparison: Comparison) -> str:
    """Return as text where a curve is furthest off, or why the two curves cannot be compared.

    Examples
    --------
    >>> from mbrl.paper.comparison import Comparison
    >>> _worst(Comparison("fig:x", "toy", "not comparable", "the run has no learner toy", 0.0, 0.0, ()))
    'the run has no learner toy'
    """
    point = comparison.worst
    if point is None:
        return comparison.reason
    return f"episode {point.episode}: printed {point.printed:g} ± {point.error:g}, ours {point.ours.estimate:.1f}"


def _content(comparison: Comparison) -> dict[str, Any]:
    points = [asdict(point) | {"verdict": point.verdict} for point in comparison.points]
    return asdict(comparison) | {"points": points}


def _effect_content(effect: Effect) -> dict[str, Any]:
    return {
        "agent": effect.agent,
        "readings": [asdict(reading) for reading in effect.readings],
        "summary": asdict(effect.summary),
        "gives_the_printed_curves": effect.gives_the_printed_curves,
        "curves": [_content(comparison) for comparison in effect.comparisons],
    }
