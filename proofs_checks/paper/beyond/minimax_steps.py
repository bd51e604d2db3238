r"""Steps of the minimax learner's analysis in exact arithmetic, at every global state of small bandits.

The inequalities hold for any estimates that are as close to the truth as the event says, so no run is needed. Cases are
built by hand or drawn from counts, and l and l' are the least logarithms for which the event holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeAlias

from flint import arb, fmpq

from proofs_checks.claimcheck.statements import Answer, all_of, answer
from theory import ONE, ZERO, Arm, Bandit, expectation, nearest_float, rational
from theory.certified import Truth, at_most
from theory.minimax import (
    MinimaxSettings,
    OneStep,
    RetirementTable,
    SeenArm,
    Tables,
    concentration,
    equal_levels,
    exact_tables,
    mean_of_largest,
    one_steps,
    optimistic_table,
    others_law,
)
from theory.random_models import random_bandit
from theory.values import moved, optimal_value, retirement_functions

if TYPE_CHECKING:
    from numpy.random import Generator

C1, C2 = fmpq(9, 5), fmpq(16)
DISCOUNTS = (ZERO, fmpq(1, 3), fmpq(1, 2), fmpq(4, 5))


# -- tables of the true arms, and larger ones


def prevailing(bandit: Bandit, c: object) -> Answer:
    """Return whether c E max Z is V*, and c E phi_a(y, W) is V*(y, x_-a), at every global state."""
    tables, factor = exact_tables(bandit), rational(c)
    values = optimal_value(bandit).values
    for state, value in values.items():
        if factor * mean_of_largest(tables, state) != value:
            return answer(False, M=bandit, state=state, V=value, E_max_Z=mean_of_largest(tables, state))
        for a in range(len(state)):
            law = others_law(tables, state, a)
            for y, row in enumerate(tables[a].values):
                if factor * expectation(law, row) != values[moved(state, a, y)]:
                    return answer(False, M=bandit, state=state, arm=a, y=y, V=values[moved(state, a, y)])
    return answer(True)


Raised: TypeAlias = "tuple[Bandit, Tables]"
"""A bandit, and tables that are nowhere below its own."""


def cut(table: RetirementTable, least: fmpq) -> RetirementTable:
    """Return the least table that agrees with `table` up to the level `least` * B.

    Examples
    --------
    >>> cut(RetirementTable((0, 1, 2), ((1, "5/4", 2),)), fmpq(1, 2)).values
    ((1, 5/4, 2),)
    >>> cut(RetirementTable((0, 1, 2, 3), (("7/4", "7/4", "9/4", 3),)), fmpq(1, 3)).values
    ((7/4, 7/4, 2, 3),)
    """
    last = max(j for j, m in enumerate(table.levels) if m <= least * table.levels[-1])
    rows = []
    for row, slopes in zip(table.values, table.slopes, strict=True):
        slope = slopes[last - 1] if last else ZERO
        line = [max(m, row[last] + slope * (m - table.levels[last])) for m in table.levels]
        rows.append((*row[: last + 1], *line[last + 1 :]))
    return RetirementTable(table.levels, tuple(rows))


def arm_by_arm(case: Raised, s: object) -> Answer:
    """Return whether the mean of the tables, cut above s B, is at least V* at every global state."""
    bandit, raised = case
    tables = [cut(table, rational(s)) for table in raised]
    means = ((x, value, mean_of_largest(tables, x)) for x, value in optimal_value(bandit).values.items())
    return all_of(answer(E >= V, M=bandit, tables=tables, state=state, V=V, E=E) for state, V, E in means)


def late_chances() -> Iterator[Raised]:
    """Yield a bandit with its own tables: two arms whose chances lie above 9B/10, and one that pays 24/25."""
    arm = Arm(rewards=[0, 1, "19/20"], transitions=[[0, "1/2", "1/2"], [0, 1, 0], [0, 0, 1]])
    bandit = Bandit([arm, arm, Arm(rewards=["24/25"], transitions=[[1]])], "99/100")
    yield bandit, exact_tables(bandit)


def drawn_raised(generator: Generator) -> Raised:
    """Draw a bandit, and its tables with each row raised to at least a random level."""
    bandit = random_bandit(generator, max_global_states=12)
    raised = []
    for table in exact_tables(bandit):
        rows = []
        for row in table.values:
            top = table.levels[-1] * fmpq(int(generator.integers(0, 5)), 4)
            rows.append(tuple(max(value, m, top) for m, value in zip(table.levels, row, strict=True)))
        raised.append(RetirementTable(table.levels, tuple(rows)))
    return bandit, raised


# -- the learner's tables


@dataclass(frozen=True)
class Learned:
    """A bandit with estimates of it, for the steps of the analysis.

    Attributes
    ----------
    bandit
    seen
        Estimates and numbers of visits, arm by arm.
    levels
        Levels of the tables.
    eps
        The epsilon of the step.
    floor
        Lower bound on the logarithms l and l'; 2 if some cell was never seen.
    """

    bandit: Bandit
    seen: tuple[SeenArm, ...]
    levels: tuple[fmpq, ...]
    eps: fmpq
    floor: fmpq = ZERO

    @cached_property
    def logarithms(self) -> tuple[fmpq, fmpq]:
        """The logarithms l and l': the least for which the event holds, up to a fiftieth."""
        holds = concentration(self.bandit, self.seen, self.levels, (self.eps, ONE))
        enough = fmpq(10**12)
        least = _least(lambda each: holds(each, enough)), _least(lambda each: holds(enough, each))
        return max(self.floor, least[0]), max(self.floor, least[1])

    def settings(self, share: fmpq = ONE) -> MinimaxSettings:
        """Return the learner's settings, with a share of the bonus."""
        return MinimaxSettings(self.logarithms[0], share * C1, share * C2)

    def tables(self, settings: MinimaxSettings) -> list[RetirementTable]:
        """Return the learner's table of each arm."""
        return [optimistic_table(arm, self.bandit.discount, self.levels, settings) for arm in self.seen]


def _least(holds: Callable[[fmpq], bool]) -> fmpq:
    high = fmpq(1, 1024)
    while not holds(high):
        high *= 2
    low = high / 2
    while high > low * fmpq(51, 50):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def learned_optimism(case: Learned, s: object) -> Answer:
    """Return whether, with s times the bonus, no table is below the true one and E max Z nowhere below V*."""
    tables = case.tables(case.settings(rational(s)))
    for a, arm in enumerate(case.bandit.arms):
        for x, phi in enumerate(retirement_functions(arm, case.bandit.discount)):
            for m, value in zip(case.levels, tables[a].values[x], strict=True):
                if value < phi(m):
                    return answer(False, M=case.bandit, arm=a, state=x, m=m, phi=phi(m), learned=value, seen=case.seen)
    values = optimal_value(case.bandit).values
    return answer(all(mean_of_largest(tables, state) >= value for state, value in values.items()))


@cache  # for all constants that are tried
def _steps_of(case: Learned) -> tuple[OneStep, ...]:
    settings = case.settings()
    tables = case.tables(settings)
    return tuple(one_steps(case.bandit, case.seen, tables, settings, case.logarithms[1], case.eps))


def gap_in_one_step(case: Learned, r: object, s: object, f: object) -> Answer:
    """Return whether every state's gap is at most min(B, r radius + s spread + f few) + (1 + 3 eps) mean next gap."""
    parts = [arb(rational(each)) for each in (r, s, f)]
    B, truth = arb(case.levels[-1]), Truth.YES
    for step in _steps_of(case):
        of_cell = sum((p * q for p, q in zip(parts, (step.radius, step.spread, step.few), strict=True)), arb(0))
        bound = B.min(of_cell) + arb((1 + 3 * case.eps) * step.after)
        here = at_most(lambda gap=step.gap: arb(gap), lambda bound=bound: bound)  # type: ignore[misc]
        if here is Truth.NO:
            told = {"gap": step.gap, "bound": bound, "eps": case.eps, "l and l'": case.logarithms}
            return answer(False, M=case.bandit, seen=case.seen, state=step.state, **told)
        truth = truth if here is Truth.YES else here
    return answer(truth)


def fork(
    discount: object, chance: object, seen: object, reward: object, visits: int, cells: int, eps: object = "1/2"
) -> Learned:
    """Return one arm whose fork pays 1/2 and leads with probability `chance` to a state that pays 1.

    `seen` and `reward` estimate the chance and the fork's reward; the states after the fork are known almost exactly.
    """
    p, q = rational(chance), rational(seen)
    stay = ((ZERO, ONE, ZERO), (ZERO, ZERO, ONE))
    arm = Arm(rewards=["1/2", 1, 0], transitions=[(ZERO, p, 1 - p), *stay])
    estimates = SeenArm((rational(reward), ONE, ZERO), ((ZERO, q, 1 - q), *stay), (visits, 10**12, 10**12))
    bandit = Bandit([arm], rational(discount))
    return Learned(bandit, (estimates,), equal_levels(bandit.discount, cells), rational(eps))


def underestimated() -> Iterator[Learned]:
    """Yield a fork whose reward and chance are estimated as low as the event allows, l = 2."""
    yield fork("1/2", "1/2", "49/100", "49/100", 10**4, 8)


def overestimated() -> Iterator[Learned]:
    """Yield forks estimated as high as the event allows: one seen often, and one whose rare move was seen."""
    yield fork("1/5", "1/2", "52/100", "52/100", 2500, 250)
    yield fork("9/10", "1/10000", "1/100", "1/2", 100, 20)


def drawn_learned(generator: Generator) -> Learned:
    """Draw a bandit, numbers of visits from 0 to 10^8, counts by the true rows, levels and epsilon."""
    bandit = random_bandit(generator, max_global_states=9, discount=lambda s: DISCOUNTS[int(s.integers(0, 4))])
    usual = ((0, 1, 5), (1, 10, 100), (10**3, 10**5), (10**6, 10**8))[int(generator.integers(4))]
    seen = tuple(_counted(generator, arm, usual) for arm in bandit.arms)
    floor = fmpq(2) if any(0 in arm.visits for arm in seen) else ZERO
    cells, part = int(generator.integers(2, 13)), int(generator.integers(2, 40))
    return Learned(bandit, seen, equal_levels(bandit.discount, cells), fmpq(1, part), floor)


def _counted(generator: Generator, arm: Arm, usual: Sequence[int]) -> SeenArm:
    rewards, rows, visits = [], [], []
    for reward, row in zip(arm.rewards, arm.transitions, strict=True):
        N = usual[int(generator.integers(len(usual)))]
        counts = (
            generator.multinomial(N, [nearest_float(p) for p in row])
            if N
            else generator.multinomial(1, [1 / arm.size] * arm.size)
        )
        rewards.append(fmpq(int(generator.binomial(max(1, N), nearest_float(reward))), max(1, N)))
        rows.append(tuple(fmpq(int(count), max(1, N)) for count in counts))
        visits.append(N)
    return SeenArm(tuple(rewards), tuple(rows), tuple(visits))
