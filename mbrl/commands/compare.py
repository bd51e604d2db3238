"""``python -m mbrl compare``: a user's indices compared with the exact ones."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import click
from flint import fmpq

from mbrl.commands.showing import json_option, print_table
from theory import (
    ArmState,
    Bandit,
    decimal_text,
    gittins_indices,
    gittins_value,
    priority_value,
    read_indices,
    read_model,
)
from theory.terminal.console import console, print_json

_LARGEST_SHOWN = 10
"""Number of orders that are printed without ``--json``."""


def compared(
    bandit: Bandit, given: dict[ArmState, fmpq]
) -> tuple[dict[ArmState, fmpq], list[tuple[ArmState, ArmState]], fmpq | None]:
    """Compare `given` indices of all arm states with the exact ones.

    Returns
    -------
    errors
        Given minus exact index, of every arm state.
    changed
        Neighbours in the given order (larger index first) of which the second has the larger exact index, and
        neighbours with equal given and different exact indices.
    lost
        The value that the given order loses from the initial state, with equal indices in the order of arms; None if
        the model has no initial state.

    Examples
    --------
    >>> from theory import paper_model, rational
    >>> bandit = paper_model("counterexample-m1")
    >>> errors, changed, _ = compared(bandit, {state: rational(3) for state in bandit.arm_states})
    >>> errors[0, 0], [(bandit.name(low), bandit.name(high)) for low, high in changed]
    (-3/13, [('B2', 'B1'), ('B3', 'A1'), ('A1', 'A2')])
    """
    by_arm = [gittins_indices(arm, bandit.discount) for arm in bandit.arms]
    exact = {(a, x): by_arm[a][x] for a, x in bandit.arm_states}
    order = sorted(bandit.arm_states, key=lambda state: (-given[state], exact[state]))
    changed = [(low, high) for low, high in pairwise(order) if exact[low] < exact[high]]
    lost = None
    if bandit.initial is not None:
        played = sorted(bandit.arm_states, key=lambda state: -given[state])
        lost = gittins_value(bandit).value - priority_value(bandit, played).value
    return {state: given[state] - exact[state] for state in bandit.arm_states}, changed, lost


@click.command("compare")
@click.argument("model", metavar="MODEL")
@click.argument("indices", metavar="CSV", type=click.Path(path_type=Path))
@json_option
@click.pass_context
def compare_command(context: click.Context, model: str, indices: Path, as_json: bool) -> None:
    """Compare your indices of a model file's states with the exact Gittins indices.

    CSV has the columns arm (from 1), state and index, as "python -m theory indices MODEL --csv" prints them; arm may
    also be the arm's name in the log. Other columns are ignored. The exit code is 1 if the order of two states changes.
    """
    bandit = read_model(model)
    given = read_indices(bandit, indices)
    errors, changed, lost = compared(bandit, given)
    furthest = max(bandit.arm_states, key=lambda state: abs(errors[state]))
    worst, where = errors[furthest], f"arm {furthest[0] + 1}, state {bandit.name(furthest)}"
    if as_json:
        content = {"largest_error": str(abs(worst)), "arm": furthest[0] + 1, "state": bandit.name(furthest)}
        pairs = [{"before": bandit.name(low), "after": bandit.name(high)} for low, high in changed]
        print_json(content | {"changed_orders": pairs, "value_lost": None if lost is None else str(lost)})
    else:
        out = console()
        out.print(f"Largest error {decimal_text(abs(worst), 6)}: {where}" if worst else "No difference.")
        cells = {each: (given[each], given[each] - errors[each]) for each in bandit.arm_states}
        shown = {each: (bandit.name(each), *(decimal_text(one, 10) for one in cells[each])) for each in cells}
        rows = [(*shown[low], *shown[high]) for low, high in changed[:_LARGEST_SHOWN]]
        if changed:
            print_table(("before in yours", "your index", "exact", "after", "your index", "exact"), rows)
        else:
            out.print("No order changes.")
        if len(changed) > _LARGEST_SHOWN:
            out.print(f"{len(changed) - _LARGEST_SHOWN} more orders change.")
        if lost is not None:
            out.print(f"Value lost where play starts: {decimal_text(lost, 6)}")
    if changed:
        context.exit(1)
