"""``python -m mbrl``: experiments from the command line."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from mbrl.agents.options import option_text, options_of
from mbrl.agents.registry import AGENTS, agent_options, canonical_name
from mbrl.commands.compare import compare_command
from mbrl.commands.paper import paper_command
from mbrl.commands.showing import (
    directory_argument,
    json_option,
    markdown_option,
    of_simulations,
    print_note,
    print_summary,
    print_table,
    sheet_options,
    shown_progress,
)
from mbrl.experiments.scenarios import SCENARIOS, find_scenario
from mbrl.experiments.settings import DEFAULT_SEED, make_settings
from mbrl.experiments.store import check_folder_of_results
from mbrl.paper.readings import QUESTIONS, READINGS, readings_of
from theory.terminal.console import (
    Commands,
    OutputFolder,
    Whole,
    jobs_option,
    number_of_jobs,
    print_json,
    version_option,
)

# numba and matplotlib are imported only when needed, so that "list" and a mistyped command answer at once

EXAMPLES = {
    "bandit": "bandit.json",
    "learner": "learner.py",
    "scenario": "scenario.py",
    "notebook": "from_log_to_learner.ipynb",
    "other-library": "other_library.py",
}


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@version_option
def mbrl() -> None:
    """Learning in discounted Markovian bandits: run the experiments, draw the figures."""


@mbrl.command("list")
@click.option("--options", is_flag=True, help="The options of each agent: default, meaning, unit.")
@click.option("--readings", is_flag=True, help="The options that are other readings of the paper's text.")
@json_option
def list_command(options: bool, readings: bool, as_json: bool) -> None:
    """List scenarios and agents."""
    known = {name: agent_options(name) for name in AGENTS} if options else {}
    meanings = {name: {key: of.meaning for key, of in options_of(AGENTS[name].load()).items()} for name in known}
    if as_json:
        told = ("name", "title", "agents", "simulations", "episodes")
        scenarios = [{key: getattr(scenario, key) for key in told} for scenario in SCENARIOS.values()]
        content = {"scenarios": scenarios, "agents": {name: entry.summary for name, entry in AGENTS.items()}}
        words = {"readings": dict(READINGS)} if readings else {}
        print_json(content | ({"options": known, "meanings": meanings} if options else {}) | words)
        return
    if readings:
        of_option = {each: ", ".join(name for name in AGENTS if each in QUESTIONS.get(name, "")) for each in READINGS}
        print_table(("option", "reading", "agents"), [(each, READINGS[each], who) for each, who in of_option.items()])
    elif options:
        written = {
            name: "  ".join(f"{key}={option_text(value)}" for key, value in known[name].items()) for name in known
        }
        print_table(("agent", "options and their defaults: agent/option=value/option=value"), written.items())
        print_table(("option", "meaning"), dict.fromkeys(each for some in meanings.values() for each in some.items()))
        from mbrl.agents.formulas import MEANINGS  # noqa: PLC0415

        arguments = "; ".join(f"{key}: {what}" for key, what in MEANINGS.items())
        print_note(
            f"A reward in the learner's unit is (reward - offset)/unit: as in the model if that has all rewards "
            f"in 0..1, else with mean rewards in 0..1. Of a function of yours, the arguments are called {arguments}."
        )
    else:
        every = SCENARIOS.values()
        rows = [(s.name, s.title, str(s.simulations), str(s.episodes), ", ".join(s.agents)) for s in every]
        print_table(("scenario", "what", "simulations", "episodes", "agents"), rows)
        print_table(("agent", "what"), [(name, entry.summary) for name, entry in AGENTS.items()])


@mbrl.command("run")
@click.argument("scenario", metavar="SCENARIO")
@click.option("--out", required=True, metavar="DIR", type=OutputFolder(), help="Folder of the results.")
@click.option(
    "--simulations", type=Whole(), metavar="N", help="Number of simulations. [default: DIR's or the scenario's]"
)
@click.option(
    "--episodes", type=Whole(), metavar="K", help="Episodes per simulation. [default: DIR's or the scenario's]"
)
@jobs_option
@click.option("--seed", type=Whole(), metavar="S", help=f"Seed of all random draws. [default: DIR's or {DEFAULT_SEED}]")
@click.option("--agents", metavar="A,B", help="Learners: see above. [default: DIR's or the scenario's]")
@click.option("--readings", is_flag=True, help='Play all readings of the paper\'s text too: see "list --readings".')
@click.option("--discount", metavar="BETA", help="Another discount than the model's, such as 0.9.")
@click.option("--rewards", metavar="LAW", help="bernoulli, constant or gaussian:DEVIATION. [default: the model's]")
@click.option("--regret", metavar="METHOD", help="expected (computed), or monte-carlo. [default: expected]")
@click.option("--dask", metavar="ADDRESS", help="Compute on the workers of this Dask scheduler.")
@json_option
def run_command(
    scenario: str,
    out: Path,
    jobs: int | None,
    agents: str | None,
    readings: bool,
    dask: str | None,
    as_json: bool,
    **asked: Any,
) -> None:
    """Run an experiment; finish or extend the one in DIR.

    SCENARIO is a name (see "list"), the path of a model file, or your own as module:attribute. An arm of a model file
    pays its "rewards" exactly, unless its "reward_laws" are "bernoulli" (0 or 1), {"gaussian": deviation} or {"values":
    [...], "probabilities": [...]}, or a list of one for each state. If the command is interrupted, the same command
    goes on where it stopped.

    Results do not depend on --jobs for a learner that keeps nothing between simulations and draws only from the
    generator that it is handed: "python -m proofs_checks conform --kind agent" checks yours.

    In one simulation all learners meet the same model, and the same length and initial state of each episode. Plans,
    next states and rewards are drawn for each learner by itself, keyed by its name; so learners that play alike differ
    by chance. A name has one spelling: mb-psrl/dirichlet=1.0 has the default, and is mb-psrl.

    To extend a run by more learners, simulations or episodes, give its scenario and its folder again, and the new
    numbers. Options that are not given are those of the run in DIR. Saved results are not computed again; but a learner
    that is told the number of episodes (LEARNERS-TOLD-K) starts again if that number changes.

    In Python, xarray.open_dataset("DIR/regret.nc").to_dataframe() has the regret of each learner, simulation and
    episode.

    Learners are named as by "list", or module:attribute for your own, with options after slashes, such as

    \b
        --agents mb-psrl,mb-psrl/rewards=gaussian/mean=0.5,mine:Learner/rate=0.1
    """  # noqa: D301 - \b is the character by which click keeps lines as they are
    names = _names(agents)
    check_folder_of_results(out)
    named = find_scenario(scenario)
    if readings:
        names = tuple(each for name in names or named.agents for each in readings_of(name))
    for name in names:
        canonical_name(name)

    from mbrl.experiments.dataset import read_run, read_settings  # noqa: PLC0415

    found, settings = make_settings(named, read_settings(out), agents=names or None, **asked)

    from mbrl.experiments.runner import run  # noqa: PLC0415
    from mbrl.experiments.summary import summarise  # noqa: PLC0415

    began = perf_counter()
    with shown_progress(found.name) as watch, redirect_stdout(sys.stderr):  # a learner may print
        progress = run(found, settings, out, jobs=number_of_jobs(jobs), dask=dask, watch=watch)
    seconds = perf_counter() - began
    regret_run, timing = read_run(out)
    summaries = summarise(regret_run, timing)
    for told in (*progress.unrepeatable, *regret_run.beyond(asked["simulations"], asked["episodes"])):
        click.echo(f"warning: {told}", err=True)
    if as_json:
        print_json(
            {
                "scenario": settings.scenario,
                "results": str(out),
                "episodes": regret_run.episodes,
                "computed": progress.total - progress.resumed,
                "resumed": progress.resumed,
                "seconds": seconds,
                "unrepeatable": list(progress.unrepeatable),
                "agents": [asdict(summary) for summary in summaries],
            }
        )
    else:
        print_summary(found.title, regret_run.episodes, summaries)
        again = f", {progress.resumed} of them saved by an earlier run" if progress.resumed else ""
        click.echo(f"{progress.total} simulations in {seconds:.0f} s{again}; results in {out}")
        model = settings.model_of(found, 0)
        click.echo(f"{model.start_text}; {_length(model.discount)}")


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",")) if text is not None else ()


_agents_told_episodes = [name for name, entry in AGENTS.items() if not entry.anytime]
run_command.help = str(run_command.help).replace("LEARNERS-TOLD-K", ", ".join(_agents_told_episodes))


@mbrl.command("example")
@click.argument("name", type=click.Choice(sorted(EXAMPLES)), metavar="NAME")
def example_command(name: str) -> None:
    """Print an example to start from: bandit (a model file), learner, scenario, notebook, or other-library."""
    click.echo(files("mbrl.examples").joinpath(EXAMPLES[name]).read_text(encoding="utf-8"), nl=False)


@mbrl.command("judge")
@click.argument("scenario", metavar="SCENARIO")
@click.argument("policy", metavar="POLICY")
@click.option("--discount", metavar="BETA", help="Another discount than the model's, such as 0.9.")
@json_option
def judge_command(scenario: str, policy: str, discount: str | None, as_json: bool) -> None:
    """Compute the value and the regret of a policy without playing an episode.

    Numbers are exact if arms have up to 64 states and, for a function, the bandit has up to 256 global states;
    otherwise they are floats, and a bound on their error is printed.

    POLICY is module:attribute, a function from a global state (the states of all arms, from 0) to the arm to play, or
    an IndexPolicy or TablePolicy; or a priority order of all states, such as a1s1,a2s1,a1s2 (for its value as a
    fraction: "python -m theory value MODEL --priority"). SCENARIO is as for "run"; of several models, the first counts.
    """
    found, settings = make_settings(find_scenario(scenario), discount=discount)

    from mbrl.experiments.judging import judge  # noqa: PLC0415

    judged = judge(settings.model_of(found, 0), policy)
    if as_json:
        print_json({"scenario": found.name, "policy": policy, **asdict(judged)})
        return
    row = (policy, *(f"{number:.10g}" for number in (judged.value, judged.optimal, judged.regret)))
    print_table(("policy", "value", "optimal value", "regret per episode"), [row], title=found.title)
    if judged.error:
        print_note(f"Computed in floats; no number is wrong by more than {judged.error:.1g}.")


@mbrl.command("table")
@directory_argument
@click.option(
    "--versus", metavar="AGENT", help="Compare means and medians with this learner's, simulation by simulation."
)
@markdown_option
@json_option
def table_command(directory: Path, versus: str | None, markdown: bool, as_json: bool) -> None:
    """Print the table of learners of a finished run: means, medians and quantiles, with their intervals."""
    from mbrl.experiments.dataset import read_run  # noqa: PLC0415
    from mbrl.experiments.summary import summarise  # noqa: PLC0415

    regret, timing = read_run(directory)
    summaries = summarise(regret, timing, versus)
    if as_json:
        print_json({"scenario": regret.attributes["scenario"], "agents": [asdict(summary) for summary in summaries]})
    else:
        print_summary(regret.attributes["title"], regret.episodes, summaries, versus, markdown=markdown)


@mbrl.command("learning")
@directory_argument
@click.option(
    "--versus",
    metavar="AGENT",
    help="The learner that does not learn, or its loss. [default: random; where it is missing, all first episodes]",
)
@click.option(
    "--block", metavar="K", type=Whole(), help="Episodes that are averaged. [default: a tenth of the run, at most 1000]"
)
@markdown_option
@json_option
def learning_command(directory: Path, versus: str | None, block: int | None, markdown: bool, as_json: bool) -> None:
    """Print how long each learner of a finished run takes to learn.

    A learner has learned once each later block of K episodes loses less than a given share of what AGENT loses on
    average. The table gives that episode for each simulation, or for more than eight their median and quantiles; "-"
    means that the learner has not learned by the end of the run.
    """
    from mbrl.experiments.dataset import read_results  # noqa: PLC0415
    from mbrl.experiments.learning import SHARES, learning_times  # noqa: PLC0415

    regret = read_results(directory)
    if versus is None and "random" in regret.agents:
        versus = "random"
    block = block if block is not None else min(1000, max(1, regret.episodes // 10))
    level, found = learning_times(regret, None if versus is None else _number_or_name(versus), block)
    if as_json:
        print_json({"versus": versus, "loses": level, "block": block, "agents": [asdict(times) for times in found]})
        return
    print_table(
        ("agent", *(f"less than {share:g}" for share in SHARES), "share at the end", "mean regret"),
        [
            (
                times.agent,
                *(of_simulations(after, ".0f") for after in times.after),
                of_simulations(times.last, ".2g"),
                f"{times.regret:.0f}",
            )
            for times in found
        ],
        title=f"{regret.attributes['title']}; {regret.episodes} episodes",
        markdown=markdown,
    )
    print_note(
        f"Without learning {level:.3f} is lost in an episode ({versus or 'the mean of all first episodes'}). "
        f"Shares are of that, over {block} episodes; {_length(regret.attributes['discount'])}.",
        markdown=markdown,
    )


def _length(discount: float) -> str:
    return f"an episode has 1/(1 - discount) = {1 / (1 - discount):.3g} steps on average"


def _number_or_name(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


@mbrl.command("plot")
@click.argument("directories", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", metavar="FOLDER", type=OutputFolder(), help="Folder of the figures. [default: DIR/figures]")
@click.option("--agents", metavar="A,B", help="Draw these learners alone, in this order. [default: all]")
@sheet_options
def plot_command(directories: tuple[Path, ...], out: Path | None, agents: str | None, sheet: dict[str, Any]) -> None:
    """Draw the figures of a finished run, from its saved rows, or several runs in one figure (PDF, SVG and PNG)."""
    from mbrl.figures import Sheet, draw  # noqa: PLC0415

    for path in draw(directories, out, Sheet(**sheet), _names(agents)):
        click.echo(path)


mbrl.add_command(paper_command)
mbrl.add_command(compare_command)
