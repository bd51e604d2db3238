"""The command: `python -m tests.mutation --help`."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from platformdirs import user_cache_path

from tests.mutation.equivalents import LIST
from tests.mutation.project import FOLDERS, Project
from tests.mutation.report import show
from tests.mutation.running import Run

ROOT = Path(__file__).parents[2]


@click.command()
@click.option("--sample", default=400, show_default=True, help="Number of mutants, of all folders together.")
@click.option("--seed", default=1, show_default=True, help="The seed of the sample; it alone and the source decide it.")
@click.option("--folder", "folders", multiple=True, help=f"Mutate only this folder (repeatable): {', '.join(FOLDERS)}.")
@click.option("--seconds", default=120.0, show_default=True, help="Processor seconds of tests for one mutant.")
@click.option("--jobs", default=1, show_default=True, help="Mutants tried at the same time.")
@click.option(
    "--tests", "only", multiple=True, help="Use only tests whose paths begin so (repeatable); scores are lower."
)
@click.option("--again", is_flag=True, help="Try only those of the sample that were not caught when last tried.")
@click.option(
    "--match", default="", help="Try only mutants of the sample whose file, function or lines contain this text."
)
@click.option("--list", "only_list", is_flag=True, help="Print the sample, and try nothing.")
def main(sample, seed, folders, seconds, jobs, only, again, match, only_list):
    """How many small changes of the sources does a test notice?

    Draws a seeded sample of mutants and runs, for each, the tests that execute its lines, the fastest first. The first run
    records which tests those are (a run of all tests under coverage.py); records and outcomes are kept in the user's cache
    folder. Mutants that no test can catch are explained in tests/mutation/equivalent.toml.

    Exit code 1 if a mutant survived unexplained, or an explanation no longer applies.
    """
    unknown = [folder for folder in folders if not (ROOT / folder).is_dir()]
    if unknown:
        raise click.UsageError(f"no folder {unknown[0]} here; known are {', '.join(FOLDERS)}")
    cache = user_cache_path("markovian-bandits-companion") / "mutation"
    run = Run(Project(ROOT, only=tuple(only)), cache, LIST, folders, seconds=seconds)
    chosen = run.sample(sample, seed, again=again, match=match)
    if only_list:
        for mutant in chosen:
            click.echo(
                f"{mutant.file}:{mutant.line} {mutant.function} ({mutant.kind})\n  - {mutant.before}\n  + {mutant.after}"
            )
        return
    outcomes = run.tried(chosen, jobs)
    sys.exit(show(outcomes, run.folder_of, run.stale()))


if __name__ == "__main__":
    main()
