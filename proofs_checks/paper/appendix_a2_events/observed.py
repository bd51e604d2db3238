"""Whether the observations before an episode determine estimates and counts: all paths of one arm of two states."""

from __future__ import annotations

from itertools import pairwise, product

from flint import fmpq

from proofs_checks.claimcheck.statements import Answer, answer


def estimate_is_determined(also: str, longest: int) -> Answer:
    """Look for two paths of one episode with the same observations and different estimates of the rows.

    A path is (x_1, ..., x_H, y): y is what the estimate counts as the next state of the last step. What is observed
    besides the states before each step is said by `also`: "next states" or nothing.
    """
    for horizon in range(1, longest + 1):
        seen: dict[tuple[int, ...], tuple[tuple[int, ...], dict[str, fmpq]]] = {}
        for path in product((0, 1), repeat=horizon + 1):
            observed = path if "next states" in also else path[:-1]
            steps = list(pairwise(path))
            estimate = {
                f"Q-hat({x}, {y})": fmpq(steps.count((x, y)), path[:-1].count(x))
                for x, y in product((0, 1), repeat=2)
                if x in path[:-1]
            }
            before, first = seen.setdefault(observed, (path, estimate))
            if first != estimate:
                return answer(False, observed=observed, path=before, estimate=first, other=path, its_estimate=estimate)
    return answer(True)


def counts_are_determined(also: str) -> Answer:
    """Look for two plays of two episodes of at most 3 steps with the same observations, other lengths or counts.

    What is observed besides the states before each step is said by `also`: "lengths", "next states", or both.
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
