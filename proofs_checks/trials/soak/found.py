"""The smallest models on which the routes of a soak disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from hypothesis.errors import Flaky

from proofs_checks.trials.search import Recorded, simplest
from proofs_checks.trials.soak.comparison import Disagreement, Pair, Question, compare
from proofs_checks.trials.soak.models import integers_of, model_of
from proofs_checks.trials.soak.routes import QUESTIONS
from proofs_checks.trials.soak.running import Soaked
from theory import Bandit, model_text

MODELS_PER_ROUTE: Final = 3
"""Largest number of models shrunk for one route that disagrees with others, as one mistake shows on many models."""

GENERATED: Final = 50
"""Number of models generated between one with a disagreement and simpler ones, and again of any kind."""


def smallest_models(soaked: Soaked, questions: Sequence[Question] = QUESTIONS) -> Iterator[Disagreement]:
    """Yield the disagreements, each with the smallest model found that shows it, none twice.

    If a route is wrong, all its pairs disagree; only one pair is shrunk, on the first models that show it.
    """
    tried: Counter[tuple[str, str]] = Counter()
    done: set[tuple[int, str, str]] = set()
    seen: set[tuple[Pair, str]] = set()
    at_odds: Counter[tuple[str, str]] = Counter()
    for each in soaked.tally.found:
        question, *routes = each.pair
        at_odds.update((question, route) for route in set(routes))
    for each in sorted(soaked.tally.found, key=lambda found: found.number):
        question, *routes = each.pair
        suspect = max(((question, route) for route in routes), key=lambda route: at_odds[route])
        if (each.number, *suspect) in done or tried[suspect] == MODELS_PER_ROUTE:
            continue
        done.add((each.number, *suspect))
        tried[suspect] += 1
        found, model = _smallest(soaked.seed, each, questions)
        if (found.pair, model) not in seen:
            seen.add((found.pair, model))
            yield found


def _smallest(seed: int, wanted: Disagreement, questions: Sequence[Question]) -> tuple[Disagreement, str]:
    """Return the same routes' disagreement on the smallest bandit found, and its model file.

    If they disagree only once, the bandit is the given one.
    """
    name, *disagreeing = wanted.pair
    (question,) = (each for each in questions if each.name == name)
    asked = replace(question, routes=tuple(route for route in question.routes if route.name in disagreeing))

    def disagreement(bandit: Bandit) -> Disagreement | None:
        return next((each for each in compare(asked, bandit).found if each.pair == wanted.pair), None)

    source = Recorded(integers_of(seed, wanted.number))
    met = [model_of(source)[1]]
    for found in (source.drawn, None):  # a common mistake may have smaller models elsewhere
        with suppress(Flaky):
            small = simplest(model_of, lambda made: disagreement(made[1]) is not None, examples=GENERATED, found=found)
            met += [small[1]] if small is not None else []
    bandit = min(met, key=lambda each: (sum(each.sizes), len(each.arms), len(model_text(each))))
    said = disagreement(bandit) or replace(wanted, text=f"{wanted.text}; but not when asked again")
    return replace(said, number=wanted.number, bandit=bandit), model_text(bandit)
