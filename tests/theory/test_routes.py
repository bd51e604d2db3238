"""Independent computations of one number agree on drawn bandits: exact, enclosed, and Storm's where it is installed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from proofs_checks.trials.soak.comparison import compare
from proofs_checks.trials.soak.routes import QUESTIONS
from proofs_checks.trials.strategies import bandits
from tests.examples import examples


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
@examples(25)
@given(bandit=bandits(low=-1) | bandits(max_arms=2, radii=True))
def test_routes_to_one_number_agree(question, bandit):
    in_theory = tuple(route for route in question.routes if not route.name.startswith("kernel"))
    assert compare([replace(question, routes=in_theory)], bandit).found == []
