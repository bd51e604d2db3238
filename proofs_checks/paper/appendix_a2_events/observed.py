"""Checks by enumeration, for one arm of two states, that the observations before an episode determine the estimates."""

from __future__ import annotations

from itertools import pairwise, product

from flint import fmpq

from proofs_checks.claimcheck.statements import Answer, answer


def estimate_is_determined(also: str, longest: int) -> Answer:
    """Return whether no two paths of one episode have the same observations and different estimates of the rows.

    A path is (x_1, ..., x_H, y); the estimate counts y as the next state of the last step. The learner observes the
    state before each step and, if `also` is "next states", the state after it.
    """
    for horizon in range(1, longest + 1):
        seen: dict[tuple[int, ...], tuple[tuple[int, ...], dict[str, fmpq]]] = {}
        for path in product((0, 1), repeat=horizon + 1):
            before = path[:horizon]
            observed = path if "next states" in also else before
            steps = list(pairwise(path))
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

    The learner observes the state before each step, its reward, and what `also` names: "lengths", "next states", or
    both. A step is its state, the next state and its reward.
    """
    of_one_episode = [
        tuple((*move, reward) for move, reward in zip(pairwise(path), rewards, strict=True))
        for steps in (1, 2, 3)
        for path in product((0, 1), repeat=steps + 1)
        for rewards in product((0, 1), repeat=steps)
    ]
    seen: dict[object, tuple[object, object]] = {}
    cases = 0
    for episodes in product(of_one_episode, repeat=2):
        cases += 1
        observed = (
            tuple(step if "next states" in also else step[::2] for steps in episodes for step in steps),
            tuple(map(len, episodes)) if "lengths" in also else None,
        )
        determined = [*map(sorted, episodes)]
        before, first = seen.setdefault(observed, (episodes, determined))
        if first != determined:
            return answer(False, observed=observed, episodes=before, other=episodes)
    return answer(True, instances=cases)
