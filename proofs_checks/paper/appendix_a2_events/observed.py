"""Checks by enumeration, for one arm of two states, that the observations before an episode determine the estimates."""

from __future__ import annotations

from itertools import pairwise, product

from flint import fmpq

from proofs_checks.claimcheck.statements import Answer, answer


def estimate_is_determined(also: str, longest: int) -> Answer:
    """Return whether no two paths of one episode have the same observations and different estimates of the rows.

    A path is (x_1, ..., x_H, y, z); the estimate counts y as the next state of the last step, and z begins the next
    episode. The learner observes the state before each step and, if `also` is "next states", the state after it.
    """
    for horizon in range(1, longest + 1):
        seen: dict[tuple[int, ...], tuple[tuple[int, ...], dict[str, fmpq]]] = {}
        for path in product((0, 1), repeat=horizon + 2):
            before = path[:horizon]
            observed = path[: horizon + 1] if "next states" in also else before
            steps = list(pairwise(path[: horizon + 1]))
            estimate = {
                f"Q-hat({x}, {y})": fmpq(steps.count((x, y)), before.count(x))
                for x, y in product((0, 1), repeat=2)
                if x in before
            }
            alike, first = seen.setdefault(observed, (path, estimate))
            if first != estimate:
                return answer(False, observed=observed, path=alike, estimate=first, other=path, its_estimate=estimate)
    return answer(True)


def counts_are_determined(also: str) -> Answer:
    """Return whether no two plays of two episodes of 1 to 3 steps have equal observations and other lengths or counts.

    The learner observes the state before each step, and what `also` names: "lengths", "next states", or both.
    """
    of_one_episode = [path for steps in (1, 2, 3) for path in product((0, 1), repeat=steps + 1)]
    seen: dict[object, tuple[object, object]] = {}
    cases = 0
    for episodes in product(of_one_episode, repeat=2):
        cases += 1
        steps = [tuple(pairwise(path)) for path in episodes]
        observed = (
            tuple(move if "next states" in also else move[0] for of_episode in steps for move in of_episode),
            tuple(map(len, steps)) if "lengths" in also else None,
        )
        determined = [*map(sorted, steps)]
        before, first = seen.setdefault(observed, (episodes, determined))
        if first != determined:
            return answer(False, observed=observed, episodes=before, other=episodes)
    return answer(True, instances=cases)
