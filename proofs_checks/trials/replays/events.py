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

from proofs_checks.trials.history import History
from proofs_checks.trials.replays.confidence import Confidence, Learner
from theory import Bandit, GlobalState, expectation
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
    """Return whether a learner's event holds in the episode after the last of `histories`; None if it is not defined.

    `histories` are the counts before the first episode, before the second, ..., and before this one; `values` are the
    true bandit's optimal values.
    """
    present, beta = histories[-1], truth.discount
    if not confidence.is_defined(present):
        return None
    whole = confidence.radii == "appendix"

    def parts() -> Iterator[Truth]:
        for length in present.lengths if whole else ():
            most = partial(horizon_bound, confidence.episodes, present.episode, beta)
            yield at_most(partial(arb, length), most)
        for seen in histories[1:] if whole else [present]:  # the appendix: estimates after episodes 1, ..., k-1
            for state in truth.arm_states:
                yield from estimates(seen, *state)

    def estimates(seen: History, a: int, x: int) -> Iterator[Truth]:
        """Yield whether estimates deviate within their radii; optimism by a bonus needs only those of values."""
        (mean, row), reward, move = seen.estimate(a, x), truth.arms[a].rewards[x], truth.arms[a].transitions[x]
        count = seen.visits[a][x]
        if learner == "mb-ucrl2" or whole:
            yield _within(abs(mean - reward), partial(confidence.of_reward, present, beta, count))
            yield _within(distance(row, move), partial(confidence.of_row, present, beta, count))
        if learner != "mb-ucrl2":
            later = [values_after(truth, values, state, a) for state in values if state[a] == x]
            missed = (mean - reward + beta * (expectation(row, each) - expectation(move, each)) for each in later)
            yield _within(max(map(abs, missed)), lambda: confidence.bonuses(learner, seen, present, beta, a)[x])

    found = Truth.YES
    for part in parts():
        found = found.both(part)
        if found is Truth.NO:
            break
    return found


def _within(deviation: fmpq, radius: Expression) -> Truth:
    return at_most(partial(arb, deviation), radius)
