r"""Decide, with certified radii, the event under which an episode's model is optimistic.

With the main text's radii, the event of an episode is that the true bandit lies in the confidence set (MB-UCRL2,
`eq:conf_rq`), or that the bonus is at least the deviation of the estimated values (MB-UCBVI, as in `conc:V` with
:math:`b_{k-1}`; MB-UCBVI-Bernstein, whose event has no proved probability).
With the appendix's radii, it is the event of `lem:concentration_ucrl` or `lem:concentration_ucbvi`, which covers all
earlier episodes and their lengths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from flint import arb, fmpq

from proofs_checks.trials.replays.history import Confidence, History, Learner
from theory import ArmState, Bandit, GlobalState, expectation
from theory.certified import Expression, Truth, at_most
from theory.optimism import distance
from theory.paper import horizon_bound
from theory.values import values_after


def event(
    learner: Learner,
    histories: Sequence[History],
    truth: Bandit,
    values: Mapping[GlobalState, fmpq],
    confidence: Confidence,
) -> Truth | None:
    """Return whether the event of the episode after the last of `histories` holds; None if it is not defined.

    Parameters
    ----------
    learner
        The learner whose event it is.
    histories
        The counts before the first episode, before the second, ..., and before this one.
    truth
        The true bandit.
    values
        The true bandit's optimal values.
    confidence
        The radii.
    """
    present = histories[-1]
    if not confidence.is_defined(present):
        return None
    parts: Iterator[Truth]
    if confidence.radii == "text":
        parts = _estimates(learner, present, present, truth, values, confidence, all_parts=False)
    else:
        parts = _appendix(learner, histories, truth, values, confidence)
    found = Truth.YES
    for part in parts:
        found = found.both(part)
        if found is Truth.NO:
            break
    return found


def _appendix(
    learner: Learner,
    histories: Sequence[History],
    truth: Bandit,
    values: Mapping[GlobalState, fmpq],
    confidence: Confidence,
) -> Iterator[Truth]:
    present = histories[-1]
    for length in present.lengths:
        yield at_most(
            partial(arb, length), partial(horizon_bound, confidence.episodes, present.episode, truth.discount)
        )
    for earlier in histories[1:]:  # estimates after episodes 1, ..., k-1
        yield from _estimates(learner, earlier, present, truth, values, confidence, all_parts=True)


def _estimates(
    learner: Learner,
    seen: History,
    present: History,
    truth: Bandit,
    values: Mapping[GlobalState, fmpq],
    confidence: Confidence,
    *,
    all_parts: bool,
) -> Iterator[Truth]:
    """Yield whether each estimate from `seen` deviates within its radius, whose logarithm is that of `present`.

    Optimism by a bonus needs only the estimates of values; the appendix's event has `all_parts`.
    """
    beta, visits = truth.discount, seen.visits
    for a, arm in enumerate(truth.arms):
        for x in range(arm.size):
            mean, row = seen.estimate(a, x)
            count = visits[a][x]
            if learner == "mb-ucrl2" or all_parts:
                yield _within(abs(mean - arm.rewards[x]), partial(confidence.of_reward, present, beta, count))
                yield _within(distance(row, arm.transitions[x]), partial(confidence.of_row, present, beta, count))
            if learner != "mb-ucrl2":
                missed = [
                    mean - arm.rewards[x] + beta * (expectation(row, after) - expectation(arm.transitions[x], after))
                    for state in values
                    if state[a] == x
                    for after in (values_after(truth, values, state, a),)
                ]
                yield _within(max(map(abs, missed)), partial(_bonus, learner, confidence, seen, present, beta, (a, x)))


def _bonus(
    learner: Learner, confidence: Confidence, seen: History, present: History, beta: fmpq, cell: ArmState
) -> arb:
    return confidence.bonuses(learner, seen, present, beta, cell[0])[cell[1]]


def _within(deviation: fmpq, radius: Expression) -> Truth:
    return at_most(partial(arb, deviation), radius)
