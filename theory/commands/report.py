"""``indices``, ``value`` and ``optimism`` for exact models: a JSON object, or tables with fractions beside decimals."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from itertools import starmap
from typing import Any

from flint import fmpq

from theory.errors import shortened
from theory.model import ArmState, Bandit, GlobalState, Priority
from theory.optimism import OptimisticValue, upper_reward
from theory.rationals import decimal_text, decimal_texts
from theory.terminal.console import console, print_json, table
from theory.values import PriorityValue

NO_RADII = "all radii are 0 (an arm's reward_radius and transition_radius), so this is the value of the model itself"


def print_csv(rows: Iterable[Sequence[object]]) -> None:
    """Print a table as CSV."""
    csv.writer(sys.stdout, lineterminator="\n").writerows(rows)


def csv_row(bandit: Bandit, state: ArmState, *cells: object) -> tuple[object, ...]:
    """Return the arm's number, the state's name, `cells`, and the names of both as a log has them, to join it by."""
    arm = bandit.arms[state[0]]
    name = arm.states[state[1]]
    return state[0] + 1, name, *cells, arm.name or str(state[0] + 1), name.removeprefix(f"{arm.name} ")


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table in the project's plain style."""
    made = table(*columns)
    for row in rows:
        made.add_row(*row)
    console().print(made)


def names_of(bandit: Bandit, state: GlobalState) -> list[str]:
    """Return the names of the arms' states in a global state."""
    return [bandit.name((a, x)) for a, x in enumerate(state)]


def show_indices(
    bandit: Bandit,
    states: Sequence[ArmState],
    found: Sequence[Sequence[fmpq]],
    method: str,
    digits: int,
    *,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Print the Gittins indices of `states`; as JSON, of all states."""
    if as_json:
        arms = [
            {"states": list(arm.states), "indices": _texts(indices), "decimals": decimal_texts(indices, digits)}
            for arm, indices in zip(bandit.arms, found, strict=True)
        ]
        print_json({"arms": arms, "method": method})
        return
    indices = [found[a][x] for a, x in states]
    rows = list(zip(states, indices, decimal_texts(indices, digits), strict=True))
    if as_csv:
        header = "arm", "state", "index", "decimal", "arm_name", "state_name"
        print_csv([header, *(csv_row(bandit, *row) for row in rows)])
        return
    console().print(f"Gittins indices (method: {method})\n")
    print_table(
        ("arm", "state", "Gittins index", "exactly"),
        ((str(a + 1), bandit.name((a, x)), decimal, shortened(str(index))) for (a, x), index, decimal in rows),
    )


def show_value(
    bandit: Bandit,
    order: Priority,
    start: GlobalState,
    found: PriorityValue,
    indices: Sequence[Sequence[fmpq]],
    digits: int,
    *,
    method: str,
    is_optimal: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Print the value of a priority policy, with the indices and the visits of all states."""
    if as_json:
        content = {
            "value": str(found.value),
            "decimal": decimal_text(found.value, digits),
            "initial": names_of(bandit, start),
            "priority": [bandit.name(state) for state in order],
            "indices": {bandit.name((a, x)): str(indices[a][x]) for a, x in bandit.arm_states},
            "visits": {bandit.name((a, x)): str(found.visits[a][x]) for a, x in bandit.arm_states},
            "method": method,
        }
        print_json(content)
        return
    of_arms = [arm.rewards for arm in bandit.arms], indices, found.visits
    numbers = [[each[a][x] for a, x in order] for each in of_arms]
    decimals = [decimal_texts(column, digits) for column in numbers]
    if as_csv:
        shown = "reward", "index", "visits"
        rows = zip(order, zip(*numbers, *decimals, strict=True), strict=True)
        header = "priority", "arm", "state", *shown, *(f"{each}_decimal" for each in shown), "arm_name", "state_name"
        print_csv([header, *((rank, *csv_row(bandit, state, *cells)) for rank, (state, cells) in enumerate(rows, 1))])
        return
    what = "optimal value (Gittins policy)" if is_optimal else "value of the priority policy"
    out = console()
    out.print(f"{what} from ({', '.join(names_of(bandit, start))}): {decimal_text(found.value, digits)}")
    out.print(f"exactly {shortened(str(found.value), 100)}\n")
    columns = zip(order, *decimals, numbers[2], strict=True)
    print_table(
        ("priority", "state", "reward", "Gittins index", "discounted visits", "exactly"),
        (
            (str(rank), bandit.name(state), *cells, shortened(str(visits)))
            for rank, (state, *cells, visits) in enumerate(columns, start=1)
        ),
    )


def show_optimism(
    bandit: Bandit, order: Priority | None, start: GlobalState, found: OptimisticValue, digits: int, *, as_json: bool
) -> None:
    """Print the outcome of extended value iteration.

    In JSON, ``rewards`` are estimates plus radii. ``transitions`` has one row per arm state if all global states share
    that row; otherwise ``rows`` lists the maximising row of each global state.
    """
    model, conflict = found.sharing.bandit, found.sharing.conflict
    shared: dict[str, list[str]] = {}
    if model is not None:
        shared = {model.name((a, x)): _texts(model.arms[a].transitions[x]) for a, x in model.arm_states}
    if as_json:
        content: dict[str, Any] = {
            "value": str(found.value),
            "decimal": decimal_text(found.value, digits),
            "initial": names_of(bandit, start),
            "attained_in_set": found.attained,
            "rewards": {bandit.name(state): str(upper_reward(bandit, *state)) for state in bandit.arm_states},
            "transitions": shared,
        }
        if order is not None:
            content["priority"] = [bandit.name(state) for state in order]
        if not found.attained:
            content["not_shared"] = None if conflict is None else bandit.name(conflict)
            content["rows"] = [
                {
                    "global_state": names_of(bandit, state),
                    "plays": bandit.name((a, state[a])),
                    "row": _texts(found.rows[state]),
                }
                for state, a in found.policy.items()
            ]
        print_json(content)
        return
    out = console()
    what = "over all policies" if order is None else "of the priority policy"
    out.print(f"largest value {what} from ({', '.join(names_of(bandit, start))}): {decimal_text(found.value, digits)}")
    out.print(f"exactly {shortened(str(found.value), 100)}")
    if not any(arm.has_radii for arm in bandit.arms):
        out.print(NO_RADII)

    def reward(a: int, x: int) -> str:
        return decimal_text(upper_reward(bandit, a, x), digits)

    if found.attained:
        out.print("attained by a bandit of the confidence set, with these rows:\n")
        names = map(bandit.name, bandit.arm_states)
        rows = zip(names, starmap(reward, bandit.arm_states), map(", ".join, shared.values()), strict=True)
        print_table(("state", "reward", "row"), rows)
        return
    if found.attained is None:
        out.print("undecided whether a bandit of the confidence set attains it: ties leave it open")
    elif conflict is not None:
        out.print(f"not attained in the confidence set: {bandit.name(conflict)} needs more than one row")
    out.print()
    print_table(
        ("global state", "plays", "reward", "row"),
        (
            (
                ", ".join(names_of(bandit, state)),
                bandit.name((a, state[a])),
                reward(a, state[a]),
                ", ".join(_texts(found.rows[state])),
            )
            for state, a in found.policy.items()
        ),
    )


def _texts(numbers: Sequence[fmpq]) -> list[str]:
    return [str(number) for number in numbers]
