"""Changes to a model file that leave it JSON: bytes alone seldom do."""

from __future__ import annotations

import json
from random import Random
from typing import Any

VALUES = (
    None,
    True,
    0,
    1,
    -1,
    0.5,
    "1/2",
    "",
    [],
    {},
    [[1]],
    "1e-9999",
    "1 - 1e-9999",
    "exp(-1)",
    "1 - exp(-1)",
    "1/3 +/- 1/3",
)
"""What may stand anywhere."""

_PLACES = 200


def mutated_json(data: bytes, random: Random) -> bytes | None:
    """Return the file with one to three of its parts replaced, moved, doubled or taken away; None if it is no JSON."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return None
    for _ in range(random.randint(1, 3)):
        places: list[tuple[Any, Any]] = []
        _collect(content, places)
        if not places:
            return None
        inside, key = random.choice(places)
        other, its_key = random.choice(places)
        match random.randrange(5):
            case 0:
                inside[key] = _copy(random.choice(VALUES))
            case 1:
                inside[key] = _copy(other[its_key])
            case 2 if isinstance(inside, list):
                inside.insert(key, _copy(inside[key]))
            case 3:
                del inside[key]
            case _:
                inside[key] = f"{inside[key]}{random.choice(('+', '-', '*', '/', ' +/- ', '^'))}{other[its_key]}"[:200]
    return json.dumps(content, ensure_ascii=bool(random.randrange(2))).encode("utf-8", "surrogatepass")


def _collect(content: Any, places: list[tuple[Any, Any]]) -> None:
    members = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in members:
        if len(places) < _PLACES:
            places.append((content, key))
            _collect(value, places)


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))
