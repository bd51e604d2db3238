"""What the commands print: a JSON object, or tables with the exact fraction beside its decimal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from theory.console import console, table
from theory.errors import shortened
from theory.model import Bandit, GlobalState, Priority
from theory.optimism import OptimisticValue
from theory.rationals import decimal_text
from theory.values import PriorityValue


def indices_content(bandit: Bandit, indices: Sequence[Sequence[fmpq]], method: str) -> dict[str, Any]:
    """Return the Gittins indices as a JSON object."""
    return {
        "arms": [
            {"states": list(arm.states), "indices": _texts(found), "decimals": [decimal_text(g) for g in found]}
            for arm, found in zip(bandit.arms, indices, strict=True)
        ],
        "method": method,
    }


def print_indices(bandit: Bandit, indices: Sequence[Sequence[fmpq]], method: str) -> None:
    """Print the Gittins indices as a table."""
    out = console()
    out.print(f"Gittins indices (method: {method})\n")
    rows = table("arm", "state", "Gittins index", "exactly")
    for number, (arm, found) in enumerate(zip(bandit.arms, indices, strict=True), start=1):
        for name, index in zip(arm.states, found, strict=True):
            rows.add_row(str(number), name, decimal_text(index), shortened(str(index)))
    out.print(rows)


def value_content(
    bandit: Bandit, order: Priority, start: GlobalState, found: PriorityValue, method: str
) -> dict[str, Any]:
    """Return the value of a priority policy as a JSON object."""
    return {
        "value": str(found.value),
        "decimal": decimal_text(found.value),
        "initial": _names(bandit, start),
        "priority": [bandit.name(state) for state in order],
        "visits": {bandit.name((a, x)): str(found.visits[a][x]) for a, x in bandit.arm_states},
        "method": method,
    }


def print_value(bandit: Bandit, order: Priority, start: GlobalState, found: PriorityValue, *, is_optimal: bool) -> None:
    """Print the value of a priority policy as a table, the states in order of priority."""
    out = console()
    what = "optimal value (Gittins policy)" if is_optimal else "value of the priority policy"
    out.print(f"{what} from ({', '.join(_names(bandit, start))}): {decimal_text(found.value)}")
    out.print(f"exactly {shortened(str(found.value), 100)}\n")
    rows = table("priority", "state", "reward", "discounted visits", "exactly")
    for rank, (a, x) in enumerate(order, start=1):
        visits = found.visits[a][x]
        reward = decimal_text(bandit.arms[a].rewards[x])
        rows.add_row(str(rank), bandit.name((a, x)), reward, decimal_text(visits), shortened(str(visits)))
    out.print(rows)


def optimism_content(
    bandit: Bandit, start: GlobalState, order: Priority | None, found: OptimisticValue
) -> dict[str, Any]:
    """Return the outcome of extended value iteration as a JSON object.

    ``transitions`` has one row per arm state where the rows are shared; where they are not, ``rows`` lists the
    maximising row of each global state.
    """
    content: dict[str, Any] = {
        "value": str(found.value),
        "decimal": decimal_text(found.value),
        "initial": _names(bandit, start),
        "attained_in_set": found.attained,
        "transitions": _shared_rows(found),
    }
    if order is not None:
        content["priority"] = [bandit.name(state) for state in order]
    if not found.attained:
        conflict = found.sharing.conflict
        content["not_shared"] = None if conflict is None else bandit.name(conflict)
        content["rows"] = [
            {
                "global_state": _names(bandit, state),
                "plays": bandit.name((a, state[a])),
                "row": _texts(found.rows[state]),
            }
            for state, a in found.policy.items()
        ]
    return content


def print_optimism(bandit: Bandit, start: GlobalState, order: Priority | None, found: OptimisticValue) -> None:
    """Print the outcome of extended value iteration."""
    out = console()
    what = "over all policies" if order is None else "of the priority policy"
    out.print(f"largest value {what} from ({', '.join(_names(bandit, start))}): {decimal_text(found.value)}")
    out.print(f"exactly {shortened(str(found.value), 100)}")
    if found.attained:
        out.print("attained by a bandit of the confidence set, with these rows:\n")
        rows = table("state", "row")
        for name, row in _shared_rows(found).items():
            rows.add_row(name, ", ".join(row))
        out.print(rows)
        return
    conflict = found.sharing.conflict
    if found.attained is None:
        out.print("undecided whether a bandit of the confidence set attains it: ties leave it open")
    elif conflict is not None:
        out.print(f"not attained in the confidence set: {bandit.name(conflict)} needs more than one row")
    rows = table("global state", "plays", "row")
    for state, a in found.policy.items():
        rows.add_row(", ".join(_names(bandit, state)), bandit.name((a, state[a])), ", ".join(_texts(found.rows[state])))
    out.print()
    out.print(rows)


def _shared_rows(found: OptimisticValue) -> dict[str, list[str]]:
    model = found.sharing.bandit
    if model is None:
        return {}
    return {name: _texts(row) for arm in model.arms for name, row in zip(arm.states, arm.transitions, strict=True)}


def _names(bandit: Bandit, state: GlobalState) -> list[str]:
    return [bandit.name((a, x)) for a, x in enumerate(state)]


def _texts(numbers: Sequence[fmpq]) -> list[str]:
    return [str(number) for number in numbers]
