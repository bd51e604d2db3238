"""The smallest models on which the routes of a soak disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from hypothesis.errors import Flaky

from proofs_checks.trials.counterexample import Counterexample
from proofs_checks.trials.search import Recorded, simplest
from proofs_checks.trials.soak.comparison import Disagreement, Question, compare
from proofs_checks.trials.soak.models import integers_of, model_of
from proofs_checks.trials.soak.routes import QUESTIONS
from proofs_checks.trials.soak.running import Pair, Soaked, Tally
from theory import Bandit, model_text

MODELS_PER_ROUTE: Final = 3
"""Largest number of models shrunk for one route that disagrees with others, as one mistake shows on many models."""

GENERATED: Final = 50
"""Number of models generated between one with a disagreement and simpler ones, and again of any kind."""


@dataclass(frozen=True)
class Found:
    """A disagreement, and the smallest model found that shows it.

    Attributes
    ----------
    number : int
        Number of the random model that first showed it.
    disagreement : Disagreement
        The disagreement on the smallest model.
    bandit : Bandit
        The smallest model.
    """

    number: int
    disagreement: Disagreement
    bandit: Bandit

    @property
    def counterexample(self) -> Counterexample:
        """The smallest model, with the answers of the two routes."""
        return Counterexample(self.disagreement.text, bandit=self.bandit)


def smallest_models(soaked: Soaked, questions: Sequence[Question] = QUESTIONS) -> Iterator[Found]:
    """Yield the smallest models of the disagreements, none twice.

    If a route is wrong, all its pairs disagree; only one pair is shrunk, on the first models that show it.
    """
    tried: Counter[tuple[str, str]] = Counter()
    done: set[tuple[int, str, str]] = set()
    seen: set[tuple[Pair, str]] = set()
    for number, each in sorted(soaked.tally.found, key=lambda found: found[0]):
        suspect = max((each.first, each.second), key=lambda route: _times_at_odds(soaked.tally, each.question, route))
        if (number, each.question, suspect) in done or tried[each.question, suspect] == MODELS_PER_ROUTE:
            continue
        done.add((number, each.question, suspect))
        tried[each.question, suspect] += 1
        found = _smallest(soaked.seed, number, each, questions)
        if (found.disagreement.pair, model_text(found.bandit)) not in seen:
            seen.add((found.disagreement.pair, model_text(found.bandit)))
            yield found


def _smallest(seed: int, number: int, wanted: Disagreement, questions: Sequence[Question]) -> Found:
    """Return the smallest bandit found on which the same two routes disagree; the given one if they do so only once."""
    (question,) = (each for each in questions if each.name == wanted.question)
    routes = tuple(route for route in question.routes if route.name in (wanted.first, wanted.second))
    asked = Question(question.name, routes, question.labels)

    def disagreement(bandit: Bandit) -> Disagreement | None:
        return next((each for each in compare(asked, bandit).disagreements if each.pair == wanted.pair), None)

    source = Recorded(integers_of(seed, number))
    met = [model_of(source)[1]]
    for found in (source.drawn, None):  # a common mistake may have smaller models elsewhere
        with suppress(Flaky):
            small = simplest(model_of, lambda made: disagreement(made[1]) is not None, examples=GENERATED, found=found)
            met += [small[1]] if small is not None else []
    bandit = min(met, key=lambda each: (sum(each.sizes), len(each.arms), len(model_text(each))))
    said = disagreement(bandit) or replace(wanted, text=f"{wanted.text}; but not when asked again")
    return Found(number, said, bandit)


def _times_at_odds(tally: Tally, question: str, route: str) -> int:
    return sum(times for (asked, *pair), times in tally.disagreements.items() if asked == question and route in pair)
