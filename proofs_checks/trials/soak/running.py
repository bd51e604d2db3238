"""Run a soak: blocks of models on several processes, for a time or up to a number of models.

A model depends only on the seed and its number. So with a number of models, the result is the same for any number of
processes; with minutes, only the number of models depends on the machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice
from typing import Final

from proofs_checks.trials.soak.comparison import Question, Tally, compare
from proofs_checks.trials.soak.models import Kind, random_model
from proofs_checks.trials.soak.routes import QUESTIONS
from theory import Bandit
from theory.terminal.workers import WorkerLostError, in_parallel

BLOCK: Final = 10
"""Number of models that a process compares before it reports."""

_BLOCKS_AT_ONCE: Final = 2000  # equivalent: how many are handed over at once


@dataclass(frozen=True)
class Soaked:
    """The result of a soak.

    Attributes
    ----------
    seed
    tally
    ended_by
        The error that ended the soak early (Ctrl-C, or the loss of a process), or None.
    """

    seed: int
    tally: Tally
    ended_by: BaseException | None = None


def soak(
    seed: int,
    *,
    models: int | None = None,
    minutes: float | None = None,
    jobs: int,
    questions: Sequence[Question] = QUESTIONS,
    progress: Callable[[Tally], None] = lambda _: None,
) -> Soaked:
    """Compare all routes on random models; Ctrl-C ends the soak early and keeps the comparisons so far.

    Parameters
    ----------
    seed
        Seed of the models; the k-th model of a seed is always the same.
    models, minutes
        Number of models, and time; at least one has to be given.
    jobs
        Number of processes.
    questions
        The questions whose routes are compared.
    progress
        Called with the tally so far after each block.

    Examples
    --------
    >>> soaked = soak(1, models=2, jobs=1, questions=QUESTIONS[:1])
    >>> soaked.tally.models, soaked.tally.comparisons["indices", "elimination", "folding"], soaked.tally.found
    (2, 2, [])
    """
    tally = Tally()
    ends = None if minutes is None else time.monotonic() + 60 * minutes
    try:
        for block in _blocks(seed, models, jobs, questions):
            tally.add(block)
            progress(tally)
            if ends is not None and time.monotonic() >= ends:
                break
    except (KeyboardInterrupt, WorkerLostError) as error:
        return Soaked(seed, tally, error)
    return Soaked(seed, tally)


def compare_all(bandit: Bandit, questions: Sequence[Question] = QUESTIONS) -> Tally:
    """Compare the routes of all questions on one bandit."""
    tally = Tally(models=1)
    for question in questions:
        tally.add(compare(question, bandit))
    return tally


def _blocks(seed: int, models: int | None, jobs: int, questions: Sequence[Question]) -> Iterator[Tally]:
    numbers = iter(range(models)) if models is not None else count()
    # a worker process imports the declared questions; functions of other questions have to be importable by name
    compared = partial(_block, seed, None if questions is QUESTIONS else questions)
    for first in islice(_chunks(numbers), 1):
        yield compared(first)  # in this process, which compiles the kernels that the others then load
    while tasks := list(islice(_chunks(numbers), _BLOCKS_AT_ONCE)):
        for _, tally in in_parallel(compared, tasks, jobs):
            yield tally


def _chunks(numbers: Iterable[int]) -> Iterator[tuple[int, ...]]:
    rest = iter(numbers)
    while chunk := tuple(islice(rest, BLOCK)):
        yield chunk


def _block(seed: int, questions: Sequence[Question] | None, numbers: Sequence[int]) -> Tally:
    tally = Tally()
    for number in numbers:
        kind, bandit = random_model(seed, number)
        one = compare_all(bandit, QUESTIONS if questions is None else questions)
        one.kinds.update(zip(Kind._fields, kind, strict=True))
        one.found = [replace(each, number=number) for each in one.found]
        tally.add(one)
    return tally
