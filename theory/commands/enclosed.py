"""``indices``, ``value`` and ``optimism`` for a model whose numbers are enclosed.

An enclosed number is printed as a JSON object ``{"enclosure": [low, high]}``: decimal text of two ends around it. An
order that is not certain is printed as ``"undecided"``, with the undecided pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, TypeVar

from theory.commands.report import NO_RADII, csv_row, names_of, print_csv, print_table
from theory.enclosures import (
    EnclosedBandit,
    EnclosedIndices,
    Enclosure,
    Order,
    decide_order,
    enclosed_indices,
    enclosed_optimistic_value,
    enclosed_value,
)
from theory.enclosures.order import Either
from theory.model import Arm, ArmState, Bandit, GlobalState, Priority
from theory.model_file import model_content
from theory.terminal.console import console, print_json

Key = TypeVar("Key")

_PAIRS_SHOWN = 12
_UNDECIDED = "enclosures overlap, those of states of one arm also in parts of its bounds"
_SHARED_FROM = 6  # characters that both ends have to share


def show_indices(bandit: EnclosedBandit, digits: int, *, as_json: bool, as_csv: bool, now: bool) -> None:
    """Print enclosures of the Gittins indices, and their order where it is certain."""
    found = enclosed_indices(bandit, digits)
    names = bandit.names
    if as_json:
        arms = [
            {
                "states": list(arm.states),
                "indices": [enclosure_content(index, digits) for index in indices],
                **_order_content(order, arm.states.__getitem__),
                **({"either_first": _models(arm, either)} if either else {}),
            }
            for arm, indices, order, either in zip(
                names.arms, found.indices, found.arm_orders, found.either, strict=True
            )
        ]
        order = _order_content(found.order, names.name)
        print_json({"arms": arms, **order, "method": "enclosures", "digits": digits})
        return
    states, text = list(names.arm_states), f"order: {_order_text(bandit, found)}"
    if now:
        states, text = _ranked_now(bandit, found)
    if as_csv:
        rows = (csv_row(names, (a, x), *found.indices[a][x].decimals(digits)) for a, x in states)
        print_csv([("arm", "state", "index_low", "index_high", "arm_name", "state_name"), *rows])
        return
    out = console()
    out.print(f"Gittins indices, enclosed to {digits} digits where what is known of the model allows it\n")
    print_table(
        ("arm", "state", "Gittins index"),
        ((str(a + 1), names.name((a, x)), _text(found.indices[a][x], digits)) for a, x in states),
    )
    out.print(f"\n{text}")


def _ranked_now(bandit: EnclosedBandit, found: EnclosedIndices) -> tuple[list[ArmState], str]:
    """Return the initial states, those first whose index may be the largest, and a sentence on these."""
    first = {a: group[0] for group in _alike(bandit) for a in group}
    index = {(a, x): found.indices[a][x] for a, x in enumerate(bandit.names.initial or ())}
    now = sorted(index, key=lambda state: -index[state].low)
    twin = {(a, x): (first[a], x) for a, x in now}  # with the same numbers
    below = {less for more, less in found.jointly if more in twin.values()}
    best = [state for state in now if index[state].high >= index[now[0]].low and twin[state] not in below]
    named = [bandit.names.name(state) for state in best]
    text = f"undecided which is the largest: {', '.join(named)} (enclosures overlap)"
    if all(twin[s] == twin[best[0]] or (index[s].is_exact and index[s] == index[best[0]]) for s in best):
        text = f"certainly the largest: {named[0]}" + f", level with {', '.join(named[1:])}" * (len(named) > 1)
    return sorted(now, key=lambda state: state not in best), text


def show_value(
    bandit: EnclosedBandit, order: Priority | None, start: GlobalState, digits: int, *, as_json: bool
) -> None:
    """Print an enclosure of the optimal value, or of the value of a priority policy, and of the Gittins indices."""
    found = enclosed_value(bandit, order, start, digits)
    indices = enclosed_indices(bandit, digits)
    names = bandit.names
    index = {names.name((a, x)): indices.indices[a][x] for a, x in names.arm_states}
    if as_json:
        content = {
            "value": enclosure_content(found, digits),
            "initial": names_of(bandit.names, start),
            **(
                _order_content(indices.order, names.name)
                if order is None
                else {"priority": [names.name(state) for state in order]}
            ),
            "indices": {name: enclosure_content(each, digits) for name, each in index.items()},
            "method": "enclosures",
            "digits": digits,
        }
        print_json(content)
        return
    out = console()
    what = "optimal value (Gittins policy)" if order is None else "value of the priority policy"
    out.print(f"{what} from ({', '.join(names_of(bandit.names, start))}): {_text(found, digits)}")
    if found.width * 10 ** (digits - 2) > found.magnitude:  # wider than --digits asks for
        out.print(
            "The enclosure is valid, and may be wide: transitions with +/- widen it, and indices much less. "
            "Estimates alone, without +/-, give a value with all its digits."
        )
    out.print()
    print_table(("state", "Gittins index"), ((name, _text(each, digits)) for name, each in index.items()))
    out.print(f"\norder of the indices: {_order_text(bandit, indices)}")


def show_optimism(
    bandit: EnclosedBandit,
    order: Priority | None,
    start: GlobalState,
    digits: int,
    largest_reward: str | None = None,
    *,
    as_json: bool,
) -> None:
    """Print enclosures of the result of extended value iteration over the radii."""
    found = enclosed_optimistic_value(bandit, order, start, digits, largest_reward)
    names = bandit.names
    plays: list[dict[str, Any]] = [
        {
            "global_state": names_of(bandit.names, state),
            "plays": "undecided" if arm is None else names.name((arm, state[arm])),
            "value": enclosure_content(found.values[state], digits),
        }
        for state, arm in found.plays.items()
    ]
    content: dict[str, Any] = {
        "value": enclosure_content(found.value, digits),
        "initial": names_of(bandit.names, start),
        "attained_in_set": None,  # decided for exact numbers only
        "rows": plays,
        "method": "enclosures",
        "digits": digits,
    }
    if order is not None:
        content["priority"] = [names.name(state) for state in order]
    if as_json:
        print_json(content)
        return
    out = console()
    what = "over all policies" if order is None else "of the priority policy"
    out.print(f"largest value {what} from ({', '.join(names_of(bandit.names, start))}): {_text(found.value, digits)}")
    if not any(radius.high for arm in bandit.at(64).arms for radius in (*arm.reward_radius, *arm.transition_radius)):
        out.print(NO_RADII)
    if bandit.is_fixed:
        out.print("+/- is no radius: it encloses a number, and so the value; an arm is undecided where values overlap")
    out.print("whether a bandit of the confidence set attains it is decided for exact numbers only\n")
    print_table(
        ("global state", "plays", "value"),
        (
            (", ".join(names_of(bandit.names, state)), row["plays"], _text(value, digits))
            for (state, value), row in zip(found.values.items(), plays, strict=True)
        ),
    )


def enclosure_content(number: Enclosure, digits: int) -> dict[str, list[str]]:
    """Return an enclosed number as a JSON object."""
    return {"enclosure": list(number.decimals(digits))}


def _text(number: Enclosure, digits: int) -> str:
    """Return an enclosure as text: the digits that both ends share, then the other digits of each end."""
    low, high = number.decimals(digits)
    if low == high:
        return low
    longest = max(len(low), len(high))
    ends = [text.ljust(longest, "0") if "." in text else text for text in (low, high)]
    shared = next((i for i, (one, other) in enumerate(zip(*ends, strict=False)) if one != other), 0)
    if "E" in low + high or shared < _SHARED_FROM or len(ends[0]) != len(ends[1]):
        return f"[{low}, {high}]"
    return f"{ends[0][:shared]}[{ends[0][shared:]}, {ends[1][shared:]}]"


def _models(named: Arm, either: Either) -> list[dict[str, Any]]:
    """Return, for each pair of states, a model within the bounds for each of them in which its index is the larger."""
    return [
        {
            named.states[x]: model_content(Bandit([replace(arm, states=named.states)], discount))
            for x, (arm, discount) in zip(pair, members, strict=True)
        }
        for pair, members in either.items()
    ]


def _order_content(order: Order[Key], name: Callable[[Key], str]) -> dict[str, Any]:
    if order.certain is not None:
        return {"order": [name(key) for key in order.certain]}
    return {
        "order": "undecided",
        "pairs": [[name(one), name(other)] for one, other in order.undecided],
        "why": _UNDECIDED,
    }


def _order_text(bandit: EnclosedBandit, found: EnclosedIndices) -> str:
    """Return the order as text, in which arms with the same numbers, such as those of a kind, count once."""
    if found.order.certain is not None:
        return ", ".join(map(bandit.names.name, found.order.certain))
    alike = _alike(bandit)
    firsts = {(a, x): index for a, *_ in alike for x, index in enumerate(found.indices[a])}
    order = decide_order(firsts, found.jointly)
    text = ", ".join(map(bandit.names.name, order.certain or ()))
    if order.certain is None:
        pairs = [" and ".join(map(bandit.names.name, pair)) for pair in order.undecided[:_PAIRS_SHOWN]]
        more = len(order.undecided) - len(pairs)
        text = f"undecided between {'; '.join(pairs)}" + f"; and {more} more pair{'s' * (more > 1)}" * (more > 0)
        text += f" ({_UNDECIDED})"
    arms = zip(bandit.names.arms, found.either, strict=True)
    if either := [" or ".join(arm.states[x] for x in pair) for arm, pairs in arms for pair in pairs]:
        text += (
            f"\neither may come first: {'; '.join(either[:_PAIRS_SHOWN])}; indices --json has a model for each order"
        )
    many = [(bandit.names.arms[a].name or f"arm {a + 1}", 1 + len(others)) for a, *others in alike if others]
    if many:
        told = ", ".join(f"{name} for {number} arms" for name, number in many)
        text += f"\narms with the same numbers count once, as if equal: {told}; --json lists all pairs"
    return text


def _alike(bandit: EnclosedBandit) -> list[list[int]]:
    """Return the arms, grouped by their numbers."""
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for a, arm in enumerate(bandit.arms):
        alike[arm.rewards, arm.transitions].append(a)
    return list(alike.values())
