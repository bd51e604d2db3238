"""Run a soak: blocks of models on several processes, for a time or up to a number of models; shrink what disagrees.

A model depends only on the seed and its number. So with a number of models, the result is the same for any number of
processes; with minutes, only the number of models depends on the machine.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

from hypothesis.errors import Flaky

from proofs_checks.trials.models import Kind, integers_of, model_of, random_model
from proofs_checks.trials.search import Recorded, simplest
from proofs_checks.trials.soak.comparison import Disagreement, Pair, Tally, compare
from proofs_checks.trials.soak.routes import QUESTIONS
from theory import Bandit, model_text
from theory.terminal.workers import WorkerLostError, in_parallel

BLOCK: Final = 10
"""Number of models that a process compares before it reports."""

_BLOCKS_AT_ONCE: Final = 2000  # equivalent: how many are handed over at once

MODELS_PER_ROUTE: Final = 3
"""Largest number of models shrunk for one route that disagrees with others, as one mistake shows on many models."""

GENERATED: Final = 50
"""Number of models generated between one with a disagreement and simpler ones, and again of any kind."""


def soak(
    seed: int,
    *,
    models: int | None = None,
    minutes: float | None = None,
    jobs: int,
    progress: Callable[[Tally], None] = lambda _: None,
) -> Tally:
    """Compare all routes on a number of random models, or for some minutes, in `jobs` processes.

    Ctrl-C or the loss of a process ends the soak early, and is `ended_by` of the tally so far. `progress` is called
    with the tally after each block.

    Examples
    --------
    >>> tally = soak(1, models=2, jobs=1)
    >>> tally.models, tally.comparisons["indices", "elimination", "folding"], tally.found
    (2, 2, [])
    """
    tally = Tally()
    ends = None if minutes is None else time.monotonic() + 60 * minutes
    try:
        for block in _blocks(seed, models, jobs):
            tally.add(block)
            progress(tally)
            if ends is not None and time.monotonic() >= ends:
                break
    except (KeyboardInterrupt, WorkerLostError) as error:
        tally.ended_by = error
    return tally


def _blocks(seed: int, models: int | None, jobs: int) -> Iterator[Tally]:
    end = sys.maxsize if models is None else models
    blocks = (range(first, min(first + BLOCK, end)) for first in range(0, end, BLOCK))
    for first in islice(blocks, 1):
        yield _block(seed, first)  # in this process, which compiles the kernels that the others then load
    while tasks := list(islice(blocks, _BLOCKS_AT_ONCE)):
        for _, tally in in_parallel(partial(_block, seed), tasks, jobs):
            yield tally


def _block(seed: int, numbers: range) -> Tally:
    tally = Tally()
    for number in numbers:
        kind, bandit = random_model(seed, number)
        one = compare(QUESTIONS, bandit, number)
        one.kinds.update(zip(Kind._fields, kind, strict=True))
        tally.add(one)
    return tally


def smallest_models(seed: int, tally: Tally) -> Iterator[Disagreement]:
    """Yield the disagreements, each with the smallest model found that shows it, none twice.

    If a route is wrong, all its pairs disagree; only one pair is shrunk, on the first models that show it.
    """
    at_odds = Counter((each.pair[0], route) for each in tally.found for route in set(each.pair[1:]))
    shrunk: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    seen: set[tuple[Pair, str]] = set()
    for each in sorted(tally.found, key=lambda found: found.number):
        question, *routes = each.pair
        numbers = shrunk[max(((question, route) for route in routes), key=at_odds.__getitem__)]
        if each.number in numbers or len(numbers) == MODELS_PER_ROUTE:
            continue
        numbers.add(each.number)
        found, model = _smallest(seed, each)
        if (found.pair, model) not in seen:
            seen.add((found.pair, model))
            yield found


def _smallest(seed: int, wanted: Disagreement) -> tuple[Disagreement, str]:
    """Return the same routes' disagreement on the smallest bandit found, and its model file.

    If they disagree only once, the bandit is the given one.
    """
    name, *disagreeing = wanted.pair
    (question,) = (each for each in QUESTIONS if each.name == name)
    asked = replace(question, routes=tuple(route for route in question.routes if route.name in disagreeing))

    def disagreement(bandit: Bandit) -> Disagreement | None:
        found = compare([asked], bandit, wanted.number).found
        return next((each for each in found if each.pair == wanted.pair), None)

    source = Recorded(integers_of(seed, wanted.number))
    met = [model_of(source)[1]]
    for found in (source.drawn, None):  # a common mistake may have smaller models elsewhere
        with suppress(Flaky):
            small = simplest(model_of, lambda made: disagreement(made[1]) is not None, examples=GENERATED, found=found)
            met += [small[1]] if small is not None else []
    bandit = min(met, key=lambda each: (sum(each.sizes), len(each.arms), len(model_text(each))))
    said = disagreement(bandit) or replace(wanted, text=f"{wanted.text}; but not when asked again")
    return replace(said, bandit=bandit), model_text(bandit)
