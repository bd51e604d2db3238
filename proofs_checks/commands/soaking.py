"""``python -m proofs_checks soak``: random models through every pair of independent routes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from proofs_checks.commands.options import json_option, leave_unless
from proofs_checks.trials.soak import running
from proofs_checks.trials.soak.comparison import Tally, compare
from proofs_checks.trials.soak.printing import print_tally, tally_content
from proofs_checks.trials.soak.routes import QUESTIONS
from theory import read_model
from theory.terminal.console import (
    OutputFolder,
    WholeIn,
    console,
    interruptible,
    jobs_option,
    number_of_jobs,
    print_json,
)


@click.command("soak")
@click.argument("model", required=False, metavar="[MODEL]")
@click.option("--minutes", type=click.FloatRange(min=0), metavar="M", help="For how long. [default: 1]")
@click.option("--models", type=WholeIn(min=1), metavar="N", help="How many models, instead or at most.")
@click.option("--seed", type=WholeIn(min=0), default=1, show_default=True, metavar="S", help="Draws the models.")
@click.option(
    "--out",
    metavar="DIR",
    type=OutputFolder(new=True),
    help="Where to write the models of disagreements. [default: printed]",
)
@json_option
@jobs_option
def soak(
    model: str | None,
    minutes: float | None,
    models: int | None,
    seed: int,
    out: Path | None,
    as_json: bool,
    jobs: int | None,
) -> None:
    """Compare independent routes to the same numbers on random models of all kinds.

    A route computes some of these: the Gittins indices and their order, the optimal value, the value of a priority
    order, how often this order plays each state, and the value of extended value iteration. The routes are the methods
    of `theory`, certified enclosures, indices as functions of the discount, the floating-point kernels with
    their error bounds, and Storm's exact engine where stormpy is installed. Exact answers have to be equal as
    fractions; an enclosure, or a float with its error bound, has to contain them.

    \b
        python -m proofs_checks soak --minutes 60 --seed 7 --out found
        python -m proofs_checks soak --models 1000 --jobs 2 --json
        python -m proofs_checks soak found/disagreement-1.json

    The models have one arm or several, and 1 to 40 states; ties; rewards that are 0, negative, tiny or huge; chains
    that are absorbing, periodic, deterministic or nearly reducible; discounts from 0 to 1 - 2^-30. The k-th model of a
    seed is always the same, and with --models the result does not depend on --jobs. The command shrinks each model on
    which routes disagree and writes it to a model file (for a route that disagrees on many, the first three). With
    MODEL, it compares all routes on such a file. Ctrl-C prints what was compared so far. The exit code is 0 exactly
    when no routes disagreed.
    """  # noqa: D301 - \b is the character by which click keeps lines as they are
    if model is not None:
        _replay(model, as_json=as_json)
        return
    if minutes is None and models is None:
        minutes = 1
    with interruptible(), _shown() as shown:
        tally = running.soak(seed, models=models, minutes=minutes, jobs=number_of_jobs(jobs), progress=shown)
    if not as_json:
        print_tally(tally)
    found: list[dict[str, Any]] = []
    for number, each in enumerate(running.smallest_models(seed, tally), start=1):
        path = None if out is None else each.write(out / f"disagreement-{number}.json")
        found.append(each.content(path))
        if not as_json:
            title = f"disagreement {number}: {each.title} (found on model {each.number})"
            each.show(title, f"python -m proofs_checks soak {path}" if path else "")
    if as_json:
        early = {"interrupted": tally.ended_by is not None}
        print_json({"seed": seed, **tally_content(tally), **early, "found": found})
    if tally.ended_by is not None:
        raise tally.ended_by
    leave_unless(not tally.found)


def _replay(path: str, *, as_json: bool) -> None:
    bandit = read_model(path)
    bandit.start()  # refuses a model without an initial state before any route runs
    tally = compare(QUESTIONS, bandit)
    if as_json:
        print_json({"model": path, **tally_content(tally), "found": [each.content() for each in tally.found]})
    else:
        print_tally(tally)
        for each in tally.found:
            console().print(f"{each.title}: {each.text}")
    leave_unless(not tally.found)


@contextmanager
def _shown() -> Iterator[Callable[[Tally], None]]:
    """Show the running tally on stderr, if that is a terminal."""
    with console(stderr=True).status("") as status:
        yield lambda tally: status.update(f"{tally.models:,} models, {len(tally.found):,} disagreements")
