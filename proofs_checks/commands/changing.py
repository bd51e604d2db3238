"""``python -m proofs_checks properties``: change a bonus, a constant or a lemma, and see what breaks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from mbrl.importing import import_attribute
from proofs_checks.trials.conformance.calling import its_output_apart
from proofs_checks.trials.properties.formulas import FORMULAS, replaced
from proofs_checks.trials.properties.printing import (
    list_content,
    print_counterexamples,
    print_list,
    print_trial,
    trials_content,
)
from proofs_checks.trials.properties.property import EXAMPLES, Trial, attempt
from proofs_checks.trials.properties.suites import SUITES, affected, suite
from theory import ModelError
from theory.errors import shown
from theory.terminal.console import OutputFolder, WholeIn, interruptible, print_json

_CONTENT = "properties.json"
"""The file, beside the model files, with all that was printed."""


@click.command("properties")
@click.argument("suites", nargs=-1, metavar="[SUITE]...")
@click.option(
    "--replace", "replacements", multiple=True, metavar="NAME=WHAT", help="Use your module:function, or a number."
)
@click.option(
    "--examples", type=WholeIn(min=1), default=EXAMPLES, show_default=True, metavar="N", help="Instances tried."
)
@click.option(
    "--out",
    metavar="DIR",
    type=OutputFolder(new=True, own=_CONTENT),
    help="Where to write the counterexamples' model files, in place of an earlier trial's. [default: printed]",
)
@click.option("--list", "as_list", is_flag=True, help="List the formulas and the properties, and try none.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def properties(
    suites: Sequence[str],
    replacements: Sequence[str],
    examples: int,
    out: Path | None,
    as_list: bool,
    as_json: bool,
) -> None:
    """Change a bonus, a constant or a lemma, and see what breaks.

    The suites are optimism, constants, lower_bound, counterexample and sharper. The command tries each property on
    generated bandits, counts and parameters, in exact arithmetic; where a property fails, it looks for the smallest
    instance that fails. With --replace, it tries only the properties that use a replaced formula.

    Half of MB-UCBVI's bonus, for example: a file mine.py with

    \b
        from theory.paper import ucbvi_bonus
        def half(S, n, K, t, N, beta):
            return ucbvi_bonus(S, n, K, t, N, beta) / 2

    and then

    \b
        python -m proofs_checks properties --replace bonus=mine:half --out found

    says that optimism is lost, and writes a model file of the smallest true bandit that loses it; properties.json
    beside this file holds all that was printed. If the event's deviation is halved as well (--replace
    deviation=mine:half), optimism is back, but the event is less probable than claimed.

    \b
        python -m proofs_checks properties --list
        python -m proofs_checks properties counterexample --replace radius=1/10
        python -m proofs_checks properties --replace sum_root=3/2 --examples 2000

    A formula takes the arguments that --list shows, with their types, and returns an exact number or a flint.arb;
    proofs_checks.trials.properties has sqrt, log and exp of such numbers. If a formula raises an error, the command
    prints the line that raised it and calls nothing broken. proofs_checks/trials/properties/example.py has more
    changes, and shows how to test them.
    `pytest tests/properties` runs the suites on the printed formulas; `-k` and a name choose one suite, and
    HYPOTHESIS_PROFILE=hundredfold tries a hundred times the examples. The exit code is 0 exactly when no property
    breaks, 1 when one breaks, 2 when a formula cannot be evaluated.
    """  # noqa: D301 - \b is the character by which click keeps lines as they are
    if as_list:
        if as_json:
            print_json(list_content())
        else:
            print_list()
        return
    chosen = [each for name in dict.fromkeys(suites or SUITES) for each in suite(name)]
    given = _given(replacements)
    formulas = replaced(**given)
    if given:
        chosen = affected(given, chosen)
    if not chosen:
        raise ModelError(f"no property of {', '.join(suites)} is about {', '.join(given)}")
    trials: list[Trial] = []
    interrupted: KeyboardInterrupt | None = None
    printed = ""
    try:
        with interruptible():
            for each in chosen:
                with its_output_apart() as heard:
                    trials.append(attempt(each, formulas, examples))
                printed = printed or heard.first_line
                if not as_json:
                    print_trial(trials[-1])
    except KeyboardInterrupt as error:
        interrupted = error
    if printed:
        click.echo(f"a formula printed: {printed}", err=True)
    models = {} if out is None else _write_models(trials, out)
    content = trials_content(trials, models, interrupted=interrupted is not None)
    if out is not None:  # counts, steps and the numbers compared are not in a model file
        (out / _CONTENT).write_text(json.dumps(content) + "\n", encoding="utf-8")
    if as_json:
        print_json(content)
    else:
        print_counterexamples(trials, models)
    if interrupted is not None:
        raise interrupted
    if not all(trial.holds for trial in trials):
        raise SystemExit(1)


def _given(replacements: Sequence[str]) -> dict[str, Any]:
    texts: dict[str, str] = {}
    for replacement in replacements:
        name, equals, what = replacement.partition("=")
        if not equals or not what:
            raise ModelError(f"--replace {replacement}: write NAME=module:function, or NAME=number; see --list")
        if name in texts:
            raise ModelError(f"--replace {name}: given twice; one formula takes its place")
        texts[name] = what
    return {name: _formula(name, what) for name, what in texts.items()}


def _formula(name: str, what: str) -> Any:
    """Return the user's replacement of a formula; `replaced` checks numbers and unknown names."""
    formula = FORMULAS.get(name)
    if formula is None or not formula.arguments:
        return what
    if not all(what.partition(":")):
        raise ModelError(f"{name}: {formula.wanted} is wanted, not {shown(what)}; write {name}=module:function")
    return import_attribute(what, "formula")


def _write_models(trials: Sequence[Trial], folder: Path) -> dict[str, Path]:
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / _CONTENT).exists():  # an earlier trial's
        for each in (each for properties in SUITES.values() for each in properties):
            (folder / f"{each.name}.json").unlink(missing_ok=True)
    found = {trial.which.name: trial.counterexample for trial in trials if trial.counterexample is not None}
    written = {name: each.write(folder / f"{name}.json") for name, each in found.items()}
    return {name: path for name, path in written.items() if path is not None}
