"""What the commands print: a JSON object, or tables with the exact fraction beside its decimal."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from flint import fmpq

from theory.errors import shortened
from theory.model import ArmState, Bandit, GlobalState, Priority
from theory.optimism import OptimisticValue, upper_reward
from theory.rationals import decimal_text, decimal_texts
from theory.terminal.console import console, table
from theory.values import PriorityValue

NO_RADII = "all radii are 0 (an arm's reward_radius and transition_radius), so this is the value of the model itself"


def indices_content(bandit: Bandit, indices: Sequence[Sequence[fmpq]], method: str, digits: int) -> dict[str, Any]:
    """Return the Gittins indices as a JSON object."""
    return {
        "arms": [
            {"states": list(arm.states), "indices": _texts(found), "decimals": decimal_texts(found, digits)}
            for arm, found in zip(bandit.arms, indices, strict=True)
        ],
        "method": method,
    }


def indices_rows(
    bandit: Bandit, states: Sequence[ArmState], indices: Sequence[Sequence[fmpq]], digits: int
) -> Iterator[Sequence[object]]:
    """Yield the header and the rows of the table of the Gittins indices of `states`."""
    yield "arm", "state", "index", "decimal", "arm_name", "state_name"
    everything = [indices[a][x] for a, x in states]
    for state, index, decimal in zip(states, everything, decimal_texts(everything, digits), strict=True):
        yield *place(bandit, state), index, decimal, *arm_and_state_names(bandit, state)


def print_csv(rows: Iterable[Sequence[object]]) -> None:
    """Print a table as CSV."""
    csv.writer(sys.stdout, lineterminator="\n").writerows(rows)


def arm_and_state_names(bandit: Bandit, state: ArmState) -> tuple[str, str]:
    """Return the names of arm and state as a log has them, which join the table to it."""
    arm = bandit.arms[state[0]]
    return arm.name or str(state[0] + 1), arm.states[state[1]].removeprefix(f"{arm.name} ")


def place(bandit: Bandit, state: ArmState) -> tuple[int, str]:
    """Return the arm's number, from 1, and the state's name."""
    return state[0] + 1, bandit.arms[state[0]].states[state[1]]


def print_indices(
    bandit: Bandit, states: Sequence[ArmState], indices: Sequence[Sequence[fmpq]], method: str, digits: int
) -> None:
    """Print the Gittins indices of `states` as a table."""
    out = console()
    out.print(f"Gittins indices (method: {method})\n")
    rows = table("arm", "state", "Gittins index", "exactly")
    everything = [indices[a][x] for a, x in states]
    for (a, x), index, decimal in zip(states, everything, decimal_texts(everything, digits), strict=True):
        rows.add_row(str(a + 1), bandit.name((a, x)), decimal, shortened(str(index)))
    out.print(rows)


def value_content(
    bandit: Bandit,
    order: Priority,
    start: GlobalState,
    found: PriorityValue,
    indices: Sequence[Sequence[fmpq]],
    digits: int,
) -> dict[str, Any]:
    """Return the value of a priority policy as a JSON object, with the Gittins indices of all states."""
    return {
        "value": str(found.value),
        "decimal": decimal_text(found.value, digits),
        "initial": names_of(bandit, start),
        "priority": [bandit.name(state) for state in order],
        "indices": {bandit.name((a, x)): str(indices[a][x]) for a, x in bandit.arm_states},
        "visits": {bandit.name((a, x)): str(found.visits[a][x]) for a, x in bandit.arm_states},
    }


def value_rows(
    bandit: Bandit, order: Priority, found: PriorityValue, indices: Sequence[Sequence[fmpq]], digits: int
) -> Iterator[Sequence[object]]:
    """Yield the header and the rows of the table of a priority policy, the most urgent state first."""
    decimals = ("reward_decimal", "index_decimal", "visits_decimal")
    yield "priority", "arm", "state", "reward", "index", "visits", *decimals, "arm_name", "state_name"
    numbers = _numbers(bandit, order, found, indices)
    columns = zip(*numbers, *(decimal_texts(column, digits) for column in numbers), strict=True)
    for number, (state, cells) in enumerate(zip(order, columns, strict=True), start=1):
        yield number, *place(bandit, state), *cells, *arm_and_state_names(bandit, state)


def _numbers(
    bandit: Bandit, order: Priority, found: PriorityValue, indices: Sequence[Sequence[fmpq]]
) -> tuple[list[fmpq], list[fmpq], list[fmpq]]:
    """Return rewards, indices and visits of the states, in the order of priority."""
    return (
        [bandit.arms[a].rewards[x] for a, x in order],
        [indices[a][x] for a, x in order],
        [found.visits[a][x] for a, x in order],
    )


def print_value(
    bandit: Bandit,
    order: Priority,
    start: GlobalState,
    found: PriorityValue,
    indices: Sequence[Sequence[fmpq]],
    digits: int,
    *,
    is_optimal: bool,
) -> None:
    """Print the value of a priority policy as a table, the states in order of priority."""
    out = console()
    what = "optimal value (Gittins policy)" if is_optimal else "value of the priority policy"
    out.print(f"{what} from ({', '.join(names_of(bandit, start))}): {decimal_text(found.value, digits)}")
    out.print(f"exactly {shortened(str(found.value), 100)}\n")
    rows = table("priority", "state", "reward", "Gittins index", "discounted visits", "exactly")
    numbers = _numbers(bandit, order, found, indices)
    columns = zip(*(decimal_texts(column, digits) for column in numbers), numbers[2], strict=True)
    for rank, (state, (*decimals, visits)) in enumerate(zip(order, columns, strict=True), start=1):
        rows.add_row(str(rank), bandit.name(state), *decimals, shortened(str(visits)))
    out.print(rows)


def optimism_content(
    bandit: Bandit, start: GlobalState, order: Priority | None, found: OptimisticValue, digits: int
) -> dict[str, Any]:
    """Return the outcome of extended value iteration as a JSON object.

    ``rewards`` are estimates plus radii. ``transitions`` has one row per arm state if all global states share that row;
    otherwise ``rows`` lists the maximising row of each global state.
    """
    content: dict[str, Any] = {
        "value": str(found.value),
        "decimal": decimal_text(found.value, digits),
        "initial": names_of(bandit, start),
        "attained_in_set": found.attained,
        "rewards": {bandit.name(state): str(upper_reward(bandit, *state)) for state in bandit.arm_states},
        "transitions": _shared_rows(found),
    }
    if order is not None:
        content["priority"] = [bandit.name(state) for state in order]
    if not found.attained:
        conflict = found.sharing.conflict
        content["not_shared"] = None if conflict is None else bandit.name(conflict)
        content["rows"] = [
            {
                "global_state": names_of(bandit, state),
                "plays": bandit.name((a, state[a])),
                "row": _texts(found.rows[state]),
            }
            for state, a in found.policy.items()
        ]
    return content


def print_optimism(
    bandit: Bandit, start: GlobalState, order: Priority | None, found: OptimisticValue, digits: int
) -> None:
    """Print the outcome of extended value iteration."""
    out = console()
    what = "over all policies" if order is None else "of the priority policy"
    out.print(f"largest value {what} from ({', '.join(names_of(bandit, start))}): {decimal_text(found.value, digits)}")
    out.print(f"exactly {shortened(str(found.value), 100)}")
    if not any(arm.has_radii for arm in bandit.arms):
        out.print(NO_RADII)
    if found.attained:
        out.print("attained by a bandit of the confidence set, with these rows:\n")
        rows = table("state", "reward", "row")
        shared = _shared_rows(found)
        for a, x in bandit.arm_states:
            name = bandit.name((a, x))
            rows.add_row(name, decimal_text(upper_reward(bandit, a, x), digits), ", ".join(shared[name]))
        out.print(rows)
        return
    conflict = found.sharing.conflict
    if found.attained is None:
        out.print("undecided whether a bandit of the confidence set attains it: ties leave it open")
    elif conflict is not None:
        out.print(f"not attained in the confidence set: {bandit.name(conflict)} needs more than one row")
    rows = table("global state", "plays", "reward", "row")
    for state, a in found.policy.items():
        names, reward = ", ".join(names_of(bandit, state)), decimal_text(upper_reward(bandit, a, state[a]), digits)
        rows.add_row(names, bandit.name((a, state[a])), reward, ", ".join(_texts(found.rows[state])))
    out.print()
    out.print(rows)


def _shared_rows(found: OptimisticValue) -> dict[str, list[str]]:
    model = found.sharing.bandit
    if model is None:
        return {}
    return {model.name((a, x)): _texts(model.arms[a].transitions[x]) for a, x in model.arm_states}


def names_of(bandit: Bandit, state: GlobalState) -> list[str]:
    """Return the names of the arms' states in a global state."""
    return [bandit.name((a, x)) for a, x in enumerate(state)]


def _texts(numbers: Sequence[fmpq]) -> list[str]:
    return [str(number) for number in numbers]
