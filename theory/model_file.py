"""The model file: one JSON format for every bandit, which all commands read.

Numbers are integers or strings; a JSON number such as ``3.21`` is read as this decimal, never as a float. A row of
``"transitions"`` is a list of one probability per state, or an object that names the next states:
``{"idle": "1/2", "busy": "1/2"}``. An arm may have a ``"name"``, which ``--csv`` prints. Every error names the file,
the arm, the state and the offending value.

``"reward_laws"`` of an arm say how its rewards are drawn in play: one law for all states or a list of laws. A law is
``"bernoulli"`` (0 or 1), ``"constant"``, ``{"gaussian": deviation}`` or ``{"values": [...], "probabilities": [...]}``
(with Gaussian noise if there is a ``"deviation"``); its mean is the state's entry of ``"rewards"``. Without laws an arm
pays its rewards exactly.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any, BinaryIO, Final, TypeVar

from flint import fmpq

from theory.errors import BanditError, ModelError, NumberError, shortened, shown
from theory.model import Arm, Bandit, check_bandit
from theory.reward_laws import RewardLaw

AnArm = TypeVar("AnArm")
Content = TypeVar("Content")

LARGEST_FILE: Final = 2**28
"""Limit of a model file in bytes: 5,000 states with ten characters for each pair of states."""

_OTHER_FILES: Final = {
    ".csv": "; python -m theory import makes a model file of a table",
    ".py": "; what a Python file defines is named by module and name, as in myscenario:make",
}
_NAMED_FROM: Final = 32  # states, and states per non-zero entry, from which rows name their next states

_MODEL_KEYS: Final = {"discount": True, "arms": True, "initial": False}  # key -> required
_ARM_KEYS: Final = {
    "rewards": True,
    "transitions": True,
    "states": False,
    "reward_radius": False,
    "transition_radius": False,
    "reward_laws": False,
    "name": False,
}


class _Decimal(str):
    """A JSON number kept as it is written."""

    __slots__ = ()


class _NoNumber:
    """A JSON value where a number is expected; errors quote it as the file has it."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __repr__(self) -> str:
        is_pair = isinstance(self._value, list) and len(self._value) == 2
        return _shown(self._value) + ' (an interval is written "0.6 +/- 0.1")' * is_pair


def read_model(path: str | Path) -> Bandit:
    """Read a bandit from the model file at `path`."""
    return read_file(path, parse_model)


def read_file(path: str | Path, parse: Callable[[bytes], Content]) -> Content:
    """Return the result of `parse` on the bytes of a model file."""
    if not isinstance(path, (str, Path)):
        raise ModelError(f"the path of a model file is wanted, not {shown(path)}; parse_model reads text")
    if path == "":
        raise ModelError("the name of the model file is empty; python -m theory example prints a model file")
    called = shortened(str(path), 80)
    try:
        mode = Path(path).stat().st_mode
        if not S_ISREG(mode) and not S_ISDIR(mode):  # a device or a pipe may never end
            raise ModelError("is no regular file; for standard input give '-' as the file")
        with open(path, "rb") as file:
            content = read_stream(file)
    except FileNotFoundError:
        raise ModelError(f"{called}: there is no such file") from None
    except OSError as error:
        raise ModelError(f"{called}: cannot be read ({error.strerror})") from None
    except ModelError as error:
        raise ModelError(f"{called}: {error}") from None
    except ValueError:  # a zero byte
        raise ModelError(f"{shown(str(path))} cannot be the name of a file") from None
    try:
        return parse(content)
    except _NotJSONError as error:
        advice = _OTHER_FILES.get(Path(called).suffix.lower(), "")
        raise ModelError(f"{path}: {error}{advice}") from None
    except BanditError as error:
        raise type(error)(f"{called}: {error}") from None


def read_stream(stream: BinaryIO) -> bytes:
    """Return all bytes of a model, at most `LARGEST_FILE`."""
    content = stream.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise ModelError(f"the model has more than {LARGEST_FILE} bytes; larger models are not read")
    return content


def parse_model(text: str | bytes) -> Bandit:
    """Return the bandit that the JSON `text` describes; bytes are read as UTF-8.

    An error is one line that names the arm, the state and the offending value.

    Examples
    --------
    >>> parse_model('{"discount": "1/2", "arms": [{"rewards": [3.21], "transitions": [[1]]}]}').arms[0].rewards
    (321/100,)
    """
    return build_model(text, Arm, Bandit)


def build_model(text: str | bytes, make_arm: Callable[..., AnArm], make_bandit: Callable[..., Content]) -> Content:
    """Return the bandit of the JSON `text`; `make_arm` and `make_bandit` take the arguments of `Arm` and `Bandit`."""
    if not isinstance(text, (str, bytes)):
        raise ModelError(f"the text of a model file is wanted, not {shown(text)}; json.dumps makes it of a dict")
    try:
        decoded = _decoded(text)
        if not decoded.strip():
            raise _NotJSONError("it is empty; python -m theory example prints a model file")
        content = json.loads(
            decoded,
            parse_float=_Decimal,
            parse_int=_Decimal,
            object_pairs_hook=_object_without_repeats,
        )
    except json.JSONDecodeError as error:
        raise _NotJSONError(f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except UnicodeDecodeError:
        raise _NotJSONError("not UTF-8 text") from None
    except RecursionError:
        raise _NotJSONError("not a model: the JSON is nested too deeply") from None
    model = _object(content, "the model", _MODEL_KEYS)
    discount = model["discount"]
    arms = [_arm(entry, number, make_arm) for number, entry in enumerate(_list(model["arms"], "arms"), start=1)]
    initial = model.get("initial")
    return make_bandit(
        arms=arms,
        discount=discount if isinstance(discount, str) else _NoNumber(discount),
        initial=None if initial is None else [_initial_state(state) for state in _list(initial, "initial")],
    )


def model_content(bandit: Bandit) -> dict[str, Any]:
    """Return the content of the model file of `bandit`, ready for `json.dump`; exact numbers are text."""
    check_bandit(bandit)
    arms = []
    for arm in bandit.arms:
        entry: dict[str, Any] = ({"name": arm.name} if arm.name else {}) | {
            "states": list(arm.states),
            "rewards": _texts(arm.rewards),
            "transitions": [_row_content(arm, x) for x in range(arm.size)],
        }
        if arm.has_radii:
            entry["reward_radius"] = _texts(arm.reward_radius)
            entry["transition_radius"] = _texts(arm.transition_radius)
        if arm.reward_laws:
            entry["reward_laws"] = [_law_content(law) for law in arm.reward_laws]
        arms.append(entry)
    content: dict[str, Any] = {"discount": str(bandit.discount), "arms": arms}
    if bandit.initial is not None:
        content["initial"] = [arm.states[x] for arm, x in zip(bandit.arms, bandit.initial, strict=True)]
    return content


def model_text(bandit: Bandit) -> str:
    """Return the model file of `bandit` as text; `parse_model` reads it back to an equal bandit.

    Examples
    --------
    >>> bandit = Bandit([Arm(rewards=["1/3"], transitions=[[1]])], "1/2")
    >>> parse_model(model_text(bandit)) == bandit
    True
    """
    content = model_content(bandit)
    fields = [f'  "discount": {json.dumps(content["discount"])}']
    arms = []
    for arm in content["arms"]:
        lines = []
        for key, value in arm.items():
            if key == "transitions":
                rows = ",\n".join(f"        {json.dumps(row, ensure_ascii=False)}" for row in value)
                lines.append(f'      "transitions": [\n{rows}\n      ]')
            else:
                lines.append(f'      "{key}": {json.dumps(value, ensure_ascii=False)}')
        arms.append("    {\n" + ",\n".join(lines) + "\n    }")
    fields.append('  "arms": [\n' + ",\n".join(arms) + "\n  ]")
    if "initial" in content:
        fields.append(f'  "initial": {json.dumps(content["initial"], ensure_ascii=False)}')
    return "{\n" + ",\n".join(fields) + "\n}\n"


class _NotJSONError(ModelError):
    """The content is no JSON, or no text; the caller adds the file's name."""


def _decoded(text: str | bytes) -> str:
    # an editor may have put a byte order mark in front
    return text.decode("utf-8-sig") if isinstance(text, bytes) else text.removeprefix("\ufeff")


def _arm(entry: object, number: int, make_arm: Callable[..., AnArm]) -> AnArm:
    where = f"arm {number}"
    content = _object(entry, where, _ARM_KEYS)
    names = content.get("states")
    try:
        rewards = _numbers(content["rewards"], "rewards")
        if names is None:
            names = [f"a{number}s{x}" for x in range(1, len(rewards) + 1)]
        return make_arm(
            rewards=rewards,
            transitions=[_row(row) for row in _list(content["transitions"], "transitions")],
            states=_plain_texts(_list(names, "states"), "state"),
            reward_radius=_numbers(content.get("reward_radius", []), "reward_radius"),
            transition_radius=_numbers(content.get("transition_radius", []), "transition_radius"),
            reward_laws=_laws(content.get("reward_laws"), rewards, names),
            name=_plain_texts([content.get("name", "")], "arm")[0],
        )
    except BanditError as error:
        raise type(error)(f"{where}, {error}") from None


def _laws(entry: object, rewards: list[Any], names: list[Any]) -> list[RewardLaw]:
    if entry is None:
        return []
    entries = entry if isinstance(entry, list) else [entry] * len(rewards)
    if len(entries) != len(rewards):
        raise ModelError(f"{len(entries)} reward laws for {len(rewards)} states")
    laws = []
    for name, one, mean in zip(names, entries, rewards, strict=False):
        try:
            laws.append(_law(one, mean))
        except NumberError as error:
            raise NumberError(f"state {name}: law of the reward: {error}") from None
        except BanditError as error:
            raise ModelError(f"state {name}: {error}") from None
    return laws


def _law(entry: Any, mean: Any) -> RewardLaw:
    match entry:
        case "bernoulli":
            return RewardLaw.bernoulli(mean)
        case "constant":
            return RewardLaw.constant(mean)
        case {"gaussian": _, **rest} if not rest:
            return RewardLaw.gaussian(mean, entry["gaussian"])
        case {"values": list(), "probabilities": list(), **rest} if not rest.keys() - {"deviation"}:
            return RewardLaw(entry["values"], entry["probabilities"], entry.get("deviation", 0))
    raise ModelError(
        f'the law of a reward is "bernoulli", "constant", {{"gaussian": deviation}} or '
        f'{{"values": [...], "probabilities": [...]}}, not {_shown(entry)}'
    )


def _row_content(arm: Arm, x: int) -> list[str] | dict[str, str]:
    """Return a row as a list, or as an object that names the next states if these are few of many."""
    if arm.size < _NAMED_FROM or sum(map(len, arm.entries)) * _NAMED_FROM > arm.size**2:
        return _texts(arm.transitions[x])
    return {arm.states[y]: str(p) for y, p in arm.entries[x]}


def _law_content(law: RewardLaw) -> Any:
    content = {"values": _texts(law.values), "probabilities": _texts(law.probabilities)}
    if len(law.values) == 1:
        return {"gaussian": str(law.deviation)} if law.deviation else "constant"
    return content | ({"deviation": str(law.deviation)} if law.deviation else {})


def _object(value: object, where: str, keys: dict[str, bool]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ModelError(f"{where} must be a JSON object with the keys {', '.join(keys)}")
    for key in value:
        if key not in keys:
            raise ModelError(f"{where}: unknown key {key!r}; the keys are {', '.join(keys)}")
    for key, required in keys.items():
        if required and key not in value:
            raise ModelError(f"{where}: the key {key!r} is missing")
    return value


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise ModelError(f"{what}: a JSON list is wanted, not {_shown(value)}")
    return value


def _numbers(value: object, what: str) -> list[Any]:
    given = _list(value, what)
    if all(issubclass(kind, str) for kind in set(map(type, given))):
        return given
    return [entry if isinstance(entry, str) else _NoNumber(entry) for entry in given]


def _row(value: object) -> list[Any] | dict[str, Any]:
    if not isinstance(value, dict):
        return _numbers(value, "each row of transitions")
    return dict(zip(value, _numbers(list(value.values()), "each row of transitions"), strict=True))


def _plain_texts(values: list[object], what: str) -> list[str]:
    for value in values:
        if not isinstance(value, str) or isinstance(value, _Decimal):
            raise ModelError(f"{what} name {_shown(value)}: a name is text")
    return [str(value) for value in values]


def _initial_state(value: object) -> int | str:
    if isinstance(value, _Decimal):
        if not value.isdigit() or len(value) > 9:  # an arm has fewer states than that
            raise ModelError(f"initial: {shortened(value)} is neither a state's name nor an index from 0")
        return int(value)
    if not isinstance(value, str):
        raise ModelError(f"initial: {_shown(value)} is neither a state's name nor an index from 0")
    return value


def _shown(value: object) -> str:
    if isinstance(value, _Decimal):
        return shortened(value)
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    return shortened(json.dumps(value, ensure_ascii=False))


def _texts(numbers: tuple[fmpq, ...]) -> list[str]:
    return [str(number) for number in numbers]


def _object_without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raise `ModelError` for a key that comes twice."""
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise ModelError(f"the key {repeated!r} comes twice in one object")
    return content
