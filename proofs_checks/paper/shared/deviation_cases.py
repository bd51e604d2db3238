r"""Exact probabilities that an estimate leaves its confidence radius: one state, one row, and adaptive learners.

A rational *statistic* is compared with an irrational level: 2N dev^2 for rewards, 2N ((1-beta) dev)^2 for values,
N dist^2 for rows. A case has the law of the largest statistic over all arm states and all ends of episodes, from which
the probability of leaving a radius of any scale follows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import NamedTuple, TypeAlias

from flint import arb, fmpq

from proofs_checks.claimcheck.statements import Answer
from proofs_checks.paper.shared.adaptive_play import (
    ArmState,
    Outcome,
    Play,
    largest_at_ends,
    lengths_up_to,
)
from proofs_checks.paper.shared.comparisons import is_less
from theory import ONE, ZERO, Bandit, expectation, rational
from theory.certified import Expression, Truth, at_most, binomial_law, enclosure
from theory.paper import log_factor
from theory.values import extreme_functions, moved, optimal_value

LONGEST = 100  # bits of the longest denominator shown


class Cell(NamedTuple):
    """The sizes S, n, K, the episode k whose radius is taken, and the discount."""

    S: int
    n: int
    K: int
    k: int
    beta: fmpq


Level: TypeAlias = "Callable[[Cell, int], arb]"
"""The largest value of the statistic within the radius, given t_k."""


def of_means(cell: Cell, t: int) -> arb:
    """Return log(2SnK tau_k): the level of E^r and E^V."""
    return log_factor(*cell) ** 2 / 2


def of_rows(cell: Cell, t: int) -> arb:
    """Return (L_{k-1} + 1.5 sqrt S)^2: the level of E^Q."""
    return (log_factor(*cell) + fmpq(3, 2) * arb(cell.S).sqrt()) ** 2


def of_means_at_t(cell: Cell, t: int) -> arb:
    """Return log(2SnK t_k), as in the main text."""
    return arb(2 * cell.S * cell.n * cell.K * t).log()


def of_rows_at_t(cell: Cell, t: int) -> arb:
    """Return 2 log(SnK 2^S t_k), as in the main text."""
    return 2 * arb(cell.S * cell.n * cell.K * 2**cell.S * t).log()


@dataclass(frozen=True)
class DeviationCase:
    """The largest statistic of one model and learner, with its law.

    Attributes
    ----------
    cell
    shown
        The model and the learner, in words.
    law
        Triples of the first step t_k after the episodes, the largest statistic, and the probability of both.
    left_out
        The probability of longer episodes, which `law` leaves out.
    whole
        Whether the law is about all ends of episodes; if False, it is about the last and gives a lower bound.
    """

    cell: Cell
    shown: Mapping[str, object]
    law: tuple[tuple[int, fmpq, fmpq], ...]
    left_out: fmpq = ZERO
    whole: bool = True

    def failure(self, level: Level, scale: fmpq = ONE) -> fmpq:
        """Return the probability, by `law`, of leaving `scale` times the radius of `level`."""
        levels = {t: scale**2 * level(self.cell, t) for t in {t for t, _, _ in self.law}}
        total = ZERO
        for (t, statistic, probability), ball in zip(self.law, self._balls, strict=True):
            if ball.overlaps(levels[t]):
                exceeds = is_less(partial(_scaled, level, self.cell, t, scale), partial(arb, statistic))
            else:
                exceeds = bool(ball > levels[t])
            if exceeds:
                total += probability
        return total

    @cached_property
    def _balls(self) -> list[arb]:
        return [arb(statistic) for _, statistic, _ in self.law]

    def within(self, level: Level, bound: Expression, scale: object = 1) -> Answer:
        """Return whether the probability of leaving `scale` times the radius of `level` is at most a bound."""
        lower = self.failure(level, rational(scale))
        told = {
            "S, n, K, k, beta": self.cell,
            **self.shown,
            "the event fails with probability" if self.whole and not self.left_out else "at least": _shown(lower),
            "bound": enclosure(bound),
        }
        if at_most(lambda: arb(lower), bound) is Truth.NO:
            return Answer(Truth.NO, told)
        if self.whole and at_most(lambda: arb(lower + self.left_out), bound) is Truth.YES:
            return Answer(Truth.YES, told)
        return Answer(Truth.UNDECIDED, told)


def _shown(probability: fmpq) -> fmpq | arb:
    """Return a probability exactly, or enclosed if it has very many digits.

    >>> [isinstance(_shown(fmpq(1, 2**power)), fmpq) for power in (LONGEST - 1, LONGEST)]
    [True, False]
    """
    return probability if probability.q.bit_length() <= LONGEST else enclosure(lambda: arb(probability))


def _scaled(level: Level, cell: Cell, t: int, scale: fmpq) -> arb:
    return scale**2 * level(cell, t)


# -- one state, or one row: at beta = 0 the number of draws is the number of episodes


@cache
def counted_once(K: int, k: int, mean: fmpq, of_rows: bool = False) -> DeviationCase:
    """Return the case of k-1 independent draws at beta = 0: rewards of one state, or moves from the first of two.

    If there is more than one episode, the deviation is taken only after the last.
    """
    draws = k - 1
    law = []
    for successes, probability in enumerate(binomial_law(draws, mean)):
        deviation = fmpq(successes, draws) - mean
        statistic = 4 * draws * deviation**2 if of_rows else 2 * draws * deviation**2
        law.append((k, statistic, probability))
    if of_rows:
        shown = {"one arm, two states": f"from the first it stays with probability {mean}; episodes start there"}
    else:
        shown = {"one arm, one state": f"rewards 1 with probability {mean}, else 0"}
    return DeviationCase(Cell(2 if of_rows else 1, 1, K, k, ZERO), shown, tuple(law), whole=draws == 1)


# -- all histories of adaptive learners


def of_rewards(play: Play, cell: Cell) -> Callable[[ArmState, Sequence[Outcome]], fmpq]:
    """Return the statistic of E^r."""
    bandit = play.bandit(cell.beta)
    return _worst_over([[[ZERO] * arm.size] for arm in bandit.arms], bandit, scale=ONE)


def of_transitions(play: Play, cell: Cell) -> Callable[[ArmState, Sequence[Outcome]], fmpq]:
    """Return the statistic of E^Q."""
    rows = [arm.transitions for arm in play.bandit(cell.beta).arms]

    def statistic(at: ArmState, shown: Sequence[Outcome]) -> fmpq:
        a, x = at
        counts = [sum(each.moved_to == y for each in shown) for y in range(len(rows[a][x]))]
        distance = sum((abs(fmpq(c, len(shown)) - p) for c, p in zip(counts, rows[a][x], strict=True)), ZERO)
        return len(shown) * distance**2

    return statistic


def of_values(play: Play, cell: Cell) -> Callable[[ArmState, Sequence[Outcome]], fmpq]:
    """Return the statistic of E^V, the largest over all states of the other arms."""
    bandit = play.bandit(cell.beta)
    optimum = optimal_value(bandit).values
    return _worst_over(
        [
            [[optimum[moved(state, a, y)] for y in range(arm.size)] for state in optimum]
            for a, arm in enumerate(bandit.arms)
        ],
        bandit,
        scale=1 - cell.beta,
    )


def of_functions(play: Play, cell: Cell) -> Callable[[ArmState, Sequence[Outcome]], fmpq]:
    """Return the statistic of E^V with the arm's retirement functions at its indices in place of the optimal value."""
    bandit = play.bandit(cell.beta)
    return _worst_over([extreme_functions(arm, cell.beta)[1] for arm in bandit.arms], bandit, scale=1 - cell.beta)


def _worst_over(
    functions: Sequence[Sequence[Sequence[fmpq]]], bandit: Bandit, scale: fmpq
) -> Callable[[ArmState, Sequence[Outcome]], fmpq]:
    """Return the statistic 2N (scale dev)^2 of the mean of r + beta f(y), the largest over the arm's functions f."""
    beta = bandit.discount

    def statistic(at: ArmState, shown: Sequence[Outcome]) -> fmpq:
        a, x = at
        arm = bandit.arms[a]
        sums = (sum((each.reward + beta * f[each.moved_to] for each in shown), ZERO) for f in functions[a])
        means = (arm.rewards[x] + beta * expectation(arm.transitions[x], f) for f in functions[a])
        off = max(abs(total / len(shown) - mean) for total, mean in zip(sums, means, strict=True))
        return 2 * len(shown) * (scale * off) ** 2

    return statistic


STATISTICS = {"rewards": of_rewards, "transitions": of_transitions, "values": of_values, "functions": of_functions}


@cache
def played(play: Play, K: int, k: int, beta: fmpq, longest: int, event: str) -> DeviationCase:
    """Return the case of all histories of k-1 episodes, none longer than `longest`, of an adaptive learner."""
    cell = Cell(max(map(len, play.laws)), len(play.laws), K, k, beta)
    statistic_of = cache(STATISTICS[event](play, cell))
    law: dict[tuple[int, fmpq], fmpq] = {}
    covered = ZERO
    for lengths, chance in lengths_up_to(longest, k - 1, beta):
        covered += chance
        for worst, probability in largest_at_ends(play, lengths, statistic_of):
            key = (1 + sum(lengths), worst)
            law[key] = law.get(key, ZERO) + chance * probability
    return DeviationCase(cell, {"play": play.says}, tuple((t, z, p) for (t, z), p in law.items()), ONE - covered)


# -- the formula of Q-hat, read literally


@cache
def restarted(K: int, beta: fmpq, next_state: str, values: bool = False) -> DeviationCase:
    """Return the case of one arm that moves from state 1 to 2 for good; it pays 0 and 1, episodes start in 1, k = K.

    Read literally, an episode of one step counts as a move from 1 to the next episode's first state, 1. The statistic
    is that of the row of state 1, or of its value, after the last episode; the values of the states differ by 1.
    """
    visits = K - 1
    law = []
    for of_one_step, probability in enumerate(binomial_law(visits, 1 - beta)):
        wrong = fmpq(of_one_step, visits) if next_state == "literal" else ZERO
        statistic = 2 * visits * ((1 - beta) * beta * wrong) ** 2 if values else visits * (2 * wrong) ** 2
        law.append((K, statistic, probability))
    shown = {"one arm": "from state 1 surely to state 2, which is absorbing; r = (0, 1); episodes start in state 1"}
    return DeviationCase(Cell(2, 1, K, K, beta), shown, tuple(law), whole=False)
