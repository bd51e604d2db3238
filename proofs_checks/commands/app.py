"""The group of all commands; each is imported when it is called, so that ``--help`` loads nothing heavy."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from proofs_checks.commands.options import filters, fresh_option, json_option, leave_unless
from theory.terminal.console import jobs_option, version_option

_COMMANDS = {
    "check": ("commands.entries", "Check one or some claims, all of a section, or those of a file of yours."),
    "show": ("commands.entries", "Show one claim: statement, evidence step by step, exact values, witness."),
    "causes": ("commands.mistakes", "List the mistakes of the paper, each counted once."),
    "errata": ("commands.mistakes", "Print what to change in the paper, whole, as Markdown."),
    "report": ("commands.page", "Write the annotated paper: one page that works from disk."),
    "reference": ("commands.page", "Write the reference of what can be imported, from the docstrings."),
    "picture": ("commands.page", "Draw a certified region, or the bounds."),
    "note": ("commands.page", "Write the note on the bounds that are sharper than the paper's."),
    "kernel": ("commands.compiling", "Compile the Rocq sources: statements, assumptions, entries."),
    "conform": ("commands.conforming", "Hold a function of yours to exact answers."),
    "properties": ("commands.changing", "Change a bonus, a constant or a lemma, and see what breaks."),
    "soak": ("commands.soaking", "Compare independent computations on random models, for as long as you like."),
    "replay": ("commands.replaying", "Replay a short run of a learner with certified radii."),
    "record": ("commands.recording", "Record finished runs of `python -m mbrl run`, for the empirical entries."),
    "record-times": ("commands.recording", "Measure how the time of a plan grows with the number of arms."),
    "record-curve": ("commands.recording", "Record a run of scenario 1, for the figure of regret beside the bounds."),
}


FOR_MAINTAINERS = ("soak", "replay", "record", "record-times", "record-curve")
"""Commands that the first help names and does not describe."""


class _Commands(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"proofs_checks.{_COMMANDS[cmd_name][0]}")
        found: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, told) for name, (_, told) in _COMMANDS.items() if name not in FOR_MAINTAINERS])
        formatter.write_paragraph()
        formatter.write_text(f"For maintainers, each with a help of its own: {', '.join(FOR_MAINTAINERS)}.")


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@version_option
@filters
@fresh_option
@json_option
@jobs_option
@click.pass_context
def ledger(
    context: click.Context, /, as_json: bool, jobs: int | None, fresh: bool, under: str | None, **filters_given: Any
) -> None:
    """Check every claim of the paper and print the ledger, one line a claim.

    The exit code is 0 exactly when every check found what is recorded.
    """
    if context.invoked_subcommand is not None:
        return
    from proofs_checks.commands.entries import print_run, run_chosen  # noqa: PLC0415

    entries = run_chosen(None, under=under, jobs=jobs, fresh=fresh, **filters_given)
    print_run(entries, as_json=as_json)
    leave_unless(all(entry["as_recorded"] for entry in entries))
