"""Storm's exact engine on an exported model, where stormpy is installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from flint import fmpq

from theory import Bandit, Priority, prism_model, rational

_IS_INSTALLED: Final = find_spec("stormpy") is not None


def takes(bandit: Bandit) -> bool:
    """Return whether Storm can answer for this bandit, as PRISM allows no negative rewards."""
    return _IS_INSTALLED and all(reward >= 0 for arm in bandit.arms for reward in arm.rewards)


def value(bandit: Bandit, priority: Priority | None = None) -> fmpq:
    """Return the optimal value, or the value of a priority order, from the initial state."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.prism"
        path.write_text(prism_model(bandit, priority), encoding="utf-8")
        return exact_value(path)


def built(path: Path) -> tuple[Any, Any]:
    """Return a PRISM file's explicit model with rational numbers, and its property, the maximal total reward."""
    import stormpy  # noqa: PLC0415

    program = stormpy.parse_prism_program(str(path))
    properties = stormpy.parse_properties('Rmax=? [ F "over" ]', program)
    return stormpy.build_model[stormpy.Rational](program, properties), properties[0]


def checked(model: Any, formula: Any) -> fmpq:
    """Return the value in the initial state of the model."""
    import stormpy  # noqa: PLC0415

    result = stormpy.model_checking(model, formula, environment=stormpy.environments.exact())
    return rational(str(result.get_value(model.initial_states[0])))


def exact_value(path: Path) -> fmpq:
    """Return the value in the initial state of the model in a PRISM file."""
    return checked(*built(path))
