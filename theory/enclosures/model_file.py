"""Model files whose numbers may be expressions such as ``"exp(-1/100)"`` or ``"0.318 +/- 0.001"``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from theory.enclosures.model import EnclosedArm, EnclosedBandit
from theory.errors import NumberError
from theory.model import Bandit
from theory.model_file import build_model, parse_model, read_file


def read_enclosed_model(path: str | Path) -> Bandit | EnclosedBandit:
    """Read a model file: an exact bandit if all of its numbers are rational, and an enclosed one otherwise."""
    return read_file(path, parse_enclosed_model)


def parse_enclosed_model(text: str | bytes) -> Bandit | EnclosedBandit:
    """Return the bandit that the JSON `text` describes: exact where all of its numbers are rational.

    Examples
    --------
    >>> model = '{"discount": "exp(-1/100)", "arms": [{"rewards": ["sqrt(2)"], "transitions": [[1]]}]}'
    >>> parse_enclosed_model(model).at(64).discount.decimals(5)
    ('0.9900498', '0.9900499')
    >>> parse_enclosed_model(model.replace("exp(-1/100)", "1/2 + 1/4").replace("sqrt(2)", "sqrt(9)")).discount
    3/4
    """
    try:
        return parse_model(text)
    except NumberError:
        bandit = build_model(text, _arm, EnclosedBandit)
    return bandit.exact() or bandit


def _arm(*, reward_laws: object, **data: Any) -> EnclosedArm:
    """Make an arm without reward laws, which no computation here depends on."""
    return EnclosedArm(**data)
