"""Posterior sampling of one arm with one state, where the number of successes is a sufficient statistic."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import fmpq

from theory.rationals import ZERO, Exact, rationals


def expectation_along_counts(
    means: Sequence[Exact],
    weights: Sequence[Exact],
    observations: int,
    allowed: Callable[[int, int, int], bool],
    payoff: Callable[[int, int], fmpq],
) -> fmpq:
    r"""Return :math:`E[payoff(M, M_{m+1}) \prod_{j \le m} 1\{allowed(j, M_{j+1}, M)\}]` on one arm with one state.

    The arm gives Bernoulli rewards, one observation per episode, m = `observations` in all; :math:`M_{j+1}` is sampled
    from the posterior after j observations. The number of successes is a sufficient statistic, so the expectation is a
    sum over O(m^2) cases instead of the 2^m histories.

    Parameters
    ----------
    means, weights
        The mean rewards in [0, 1] that the prior allows, and their probabilities.
    observations
        m, at least 1.
    allowed
        Function of j, the index of :math:`M_{j+1}` and the index of M.
    payoff
        Function of the indices of M and of the last sample.

    Examples
    --------
    >>> expectation_along_counts([0, 1], ["1/2", "1/2"], 1, lambda j, i, m: True, lambda m, i: fmpq(m == i))
    1
    """
    values, masses = rationals(means), rationals(weights)
    models = range(len(values))

    def posterior(successes: int, trials: int) -> tuple[fmpq, ...]:
        joint = [w * r**successes * (1 - r) ** (trials - successes) for r, w in zip(values, masses, strict=True)]
        total = sum(joint, ZERO)
        return tuple(mass / total for mass in joint)

    total = ZERO
    for m in models:
        reached = {0: masses[m]}
        for j in range(1, observations + 1):
            following: dict[int, fmpq] = {}
            for successes, mass in reached.items():
                for reward, chance in ((0, 1 - values[m]), (1, values[m])):
                    if chance:
                        following[successes + reward] = following.get(successes + reward, ZERO) + mass * chance
            laws = {successes: posterior(successes, j) for successes in following}
            if j == observations:
                total += sum(
                    (
                        mass * sum((laws[s][i] * payoff(m, i) for i in models if allowed(j, i, m)), ZERO)
                        for s, mass in following.items()
                    ),
                    ZERO,
                )
            reached = {
                s: mass * sum((laws[s][i] for i in models if allowed(j, i, m)), ZERO) for s, mass in following.items()
            }
    return total
