"""Storm's exact engine, as an independent solver of exported models; needs the extra ``peers``."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

stormpy = pytest.importorskip("stormpy", reason="Storm's exact engine needs the extra 'peers'")


def exact_value(prism_text: str, folder: Path) -> Fraction:
    """Return the maximal expected total reward of an exported model, as Storm's exact engine computes it."""
    path = folder / "model.prism"
    path.write_text(prism_text, encoding="utf-8")
    program = stormpy.parse_prism_program(str(path))
    properties = stormpy.parse_properties('Rmax=? [ F "over" ]', program)
    model = stormpy.build_model[stormpy.Rational](program, properties)
    result = stormpy.model_checking(model, properties[0], environment=stormpy.environments.exact())
    return Fraction(str(result.get_value(model.initial_states[0])))
