"""Judge a learner: play it on a small bandit and compare everything that it plans with exact values.

`proofs_checks.trials.conformance` says what is checked. The learner is made and played twice, with the same seeds,
while the global generators of NumPy and of Python are in different states.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache
from itertools import combinations_with_replacement, permutations
from math import isfinite
from typing import Any

import numpy as np
from flint import fmpq

from mbrl.agents.baselines import Uniform
from mbrl.agents.interface import Agent, Problem, Trajectory
from mbrl.agents.registry import check_methods
from mbrl.arrays import Floats, is_of_writing
from mbrl.environments import Environment, from_bandit
from mbrl.experiments.regret import RegretMeter
from mbrl.experiments.seeds import generator, global_generators
from mbrl.experiments.simulation import checked_copy, play
from mbrl.importing import check_takes, described
from mbrl.policies import IndexPolicy, Policy, TablePolicy
from proofs_checks.trials.conformance.calling import its_output_apart
from proofs_checks.trials.conformance.judging import Defect, Judgement, Tolerance, failure
from proofs_checks.trials.conformance.optimism import SMALL, Shown, as_table, optimistic_shortfall
from theory import Bandit, BanditError, nearest_float, value_of_float
from theory.optimism import membership_refutation
from theory.values import global_states, optimal_value

EPISODES = 24
SEED = 1  # equivalent: any seed is as good as another
_CHANGES = "changes what it is shown"
_TIE = "tie broken by rounding"
_ROUNDING = 1e-9
"""Largest relative difference of two indices that counts as rounding."""
_RENAMED = 4  # largest arm whose states are renamed in all ways


def judge_agent(make: Callable[[Problem], Agent], bandit: Bandit, tolerance: Tolerance) -> Judgement:
    """Return the judgement of the learner that `make` returns; it stops at an error or an invalid policy."""
    environment = _environment(bandit)
    referee = _Referee(environment, tolerance)
    try:
        with _global_generators_kept(), its_output_apart():
            plans = _play(make, environment, referee)
            np.random.seed(SEED)
            random.seed(SEED)
            again = _play(make, environment)
    except _InvalidPolicyError as error:
        return failure("invalid policy", str(error))
    except BanditError as error:
        return failure("error", str(error))
    except (Exception, SystemExit) as error:
        return failure(_CHANGES if is_of_writing(error) else "error", described(error))
    differing = [k for k in range(EPISODES) if plans[k].key != again[k].key or type(plans[k]) is not type(again[k])]
    if differing:
        referee.note("not reproducible", differing[0] + 1, "another plan from the same seeds")
    total, baseline = referee.total_regret(plans), _random_play(bandit)
    return Judgement(
        nearest_float(referee.shortfall),
        nearest_float(referee.relative_shortfall),
        0,
        tuple(referee.defects.values()),
        {"total exact regret": nearest_float(total), "of random play": nearest_float(baseline)},
        tuple(plan.key for plan in plans),
    )


def _environment(bandit: Bandit) -> Environment:
    return replace(from_bandit(bandit, "conformance"), laws=None)  # rewards are drawn: 0 or 1 in their unit


@lru_cache(maxsize=100)  # all learners are judged on the same cases
def _random_play(bandit: Bandit) -> fmpq:
    environment = _environment(bandit)
    return _Referee(environment, Tolerance()).total_regret(_play(Uniform, environment))


class _InvalidPolicyError(Exception):
    """The planned policy cannot be played."""


@dataclass
class _Referee:
    """Collects the defects of one learner on one bandit, the first of each kind."""

    environment: Environment
    tolerance: Tolerance
    defects: dict[str, Defect] = field(default_factory=dict)
    shortfall: fmpq = field(default_factory=fmpq)
    relative_shortfall: fmpq = field(default_factory=fmpq)

    def __post_init__(self) -> None:
        self._bandit = self.environment.bandit
        self._problem = _problem(self.environment)
        self._shown = Shown(self._problem)

    def note(self, kind: str, episode: int, detail: str) -> None:
        self.defects.setdefault(kind, Defect(kind, f"episode {episode}: {detail}"))

    def optimism(self, episode: int, agent: Agent) -> None:
        """Check that the values which the learner calls optimistic after planning are optimistic.

        `values`, one per global state, may be below the exact values of extended value iteration over the confidence
        set by `gap` at most. If the true model lies in the confidence set, neither `values` plus `gap` nor an
        `optimistic_value` per global state may be below the true optimum.
        """
        if "not optimistic" in self.defects:
            return
        gap = getattr(agent, "gap", None) if hasattr(agent, "values") else None
        name = "optimistic_value" if gap is None else "values"
        claimed = _numbers(getattr(agent, name, None), self._bandit.number_of_global_states)
        if claimed is None or not (gap is None or isinstance(gap, float | int)):
            return
        if not np.isfinite(claimed).all() or (gap is not None and not isfinite(gap)):
            self.note("not finite", episode, f"{name} hold nan or infinity")
            return
        scale = max(1.0, float(np.abs(claimed).max()))
        forgiven = value_of_float(self.tolerance.optimism * scale + float(gap or 0))
        confidence = self._shown.confidence_set(self._bandit)
        short = fmpq(0) if gap is None else optimistic_shortfall(confidence, claimed, forgiven)
        below = "the exact optimistic value"
        if short <= forgiven and membership_refutation(self._bandit, confidence) is None:
            optimum, table = optimal_value(self._bandit).values, as_table(self._bandit, claimed)
            short = max(short, *(optimum[state] - value for state, value in table.items()))
            below = "the optimum of the true model, which lies in the confidence set"
        self.shortfall = max(self.shortfall, short)
        self.relative_shortfall = max(self.relative_shortfall, short / value_of_float(scale))
        if short > forgiven:
            self.note("not optimistic", episode, f"{nearest_float(short):.6g} below {below}")

    def ties(self, episode: int, agent: Agent, policy: Policy) -> None:
        """Check that rounding does not decide between equal arms.

        Two arm states are equal if the data shown of their arms are the same up to names of states. The indices of
        equal arm states have to be equal, or to differ by more than rounding (by random draws, for example). For a
        table, the learner's attribute `ties` (``first`` or ``last``) says which of two equal arms it plays; here arms
        are equal if exchanging them leaves all data shown unchanged.
        """
        rule = getattr(agent, "ties", None)
        to_see = rule in ("first", "last") if isinstance(policy, TablePolicy) else _has_close_indices(policy)
        if _TIE in self.defects or not to_see:
            return
        for a, b, renamed in _renamings(self._bandit.sizes):
            if not self._shown.same_arm(a, b, renamed):
                continue
            if isinstance(policy, IndexPolicy):
                for detail in _split_indices(policy, a, b, renamed):
                    self.note(_TIE, episode, detail)
            elif a != b and self._shown.same_when_exchanged(a, b, renamed):
                loser = max(a, b) if rule == "first" else min(a, b)
                for state, played in zip(global_states(self._bandit, SMALL), policy.table.tolist(), strict=True):
                    if played == loser and renamed[state[a]] == state[b]:
                        here = tuple(x + 1 for x in state)
                        self.note(_TIE, episode, f"ties are said to go to the {rule} arm; not in states {here}")

    def learnt(self, episode: int, agent: Agent, played: Trajectory) -> None:
        """Check the learner's own `step` and `visits`."""
        self._shown.add(played)
        step, steps = _numbers(getattr(agent, "step", None), 1), self._shown.history.step - 1
        if step is not None and step[0] != 1 + steps:
            self.note("steps missed", episode, f"step is {step[0]:g} after {steps} steps")
        own = getattr(agent, "visits", None)
        if isinstance(own, np.ndarray) and own.shape == self._problem.shape and (own != self._shown.visits).any():
            self.note("wrong visits", episode, f"{float(own.sum()):g} visits counted of {steps}, or elsewhere")

    def total_regret(self, plans: Sequence[Policy]) -> fmpq:
        """Return the sum of the exact regrets of all plans; note a regret that is not possible.

        Every valid policy has a regret from 0 to (largest - smallest reward)/(1 - discount), by a theorem: a defect
        here is one of this package.
        """
        meter, known = RegretMeter(self.environment), dict[bytes, fmpq]()
        rewards = [reward for arm in self._bandit.arms for reward in arm.rewards]
        most = (max(rewards) - min(rewards)) / (1 - self._bandit.discount)
        for k, policy in enumerate(plans, start=1):
            if policy.key not in known:
                found = meter.exact(policy, 0)
                assert found is not None, SMALL
                known[policy.key] = regret = found[1] - found[0]
                if regret < 0:
                    self.note("negative regret", k, f"{regret}")
                elif regret > most:
                    self.note("impossible regret", k, f"{regret} is above {most}")
        return sum((known[policy.key] for policy in plans), fmpq(0))


def _problem(environment: Environment) -> Problem:
    return Problem(environment.sizes, environment.discount, EPISODES)


def _play(make: Callable[[Problem], Agent], environment: Environment, referee: _Referee | None = None) -> list[Policy]:
    problem = _problem(environment)
    planning, playing, ending = (generator(SEED, "conformance", purpose) for purpose in ("plan", "play", "horizons"))
    plans: list[Policy] = []
    before = global_generators()
    check_takes(make, ["problem"], "the learner")
    agent = make(problem)
    check_methods(agent, "the learner")
    for k, length in enumerate(ending.geometric(1 - environment.discount, EPISODES).tolist(), start=1):
        planned = agent.plan(planning)
        try:
            policy = checked_copy(environment.sizes, problem.width, planned)
        except BanditError as error:
            raise _InvalidPolicyError(f"episode {k}: {error}") from None
        plans.append(policy)
        if referee is not None:
            referee.optimism(k, agent)
            referee.ties(k, agent, policy)
        episode = play(environment, policy, environment.starts[0], length, playing)
        copy = replace(episode)
        agent.observe(copy)
        if referee is not None:
            referee.learnt(k, agent, episode)
            same = all(map(np.array_equal, astuple(episode), astuple(copy)))
            if not (same and np.array_equal(problem.sizes, environment.sizes)):
                referee.note(_CHANGES, k, "an array is not as it was")
    if referee is not None and global_generators() != before:
        told = "the global generator of NumPy or Python was used; use the one handed over"
        referee.defects["global randomness"] = Defect("global randomness", told)
    return plans


def _renamings(sizes: Sequence[int]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield two arms of equal size (also an arm and itself) and a bijection of their states, for all such pairs."""
    for a, b in combinations_with_replacement(range(len(sizes)), 2):
        if sizes[a] == sizes[b]:
            names = range(sizes[a])
            for renamed in permutations(names) if sizes[a] <= _RENAMED else [tuple(names)]:
                yield a, b, renamed


def _has_close_indices(policy: IndexPolicy) -> bool:
    """Return whether some two indices differ by rounding only; it suffices to compare neighbours in their order."""
    ranked = policy.indices.ravel()[policy.order]
    differ = ranked[:-1] > ranked[1:]
    above, below = ranked[:-1][differ], ranked[1:][differ]
    return bool((above - below <= _ROUNDING * np.maximum(abs(above), abs(below))).any())


def _split_indices(policy: IndexPolicy, a: int, b: int, renamed: Sequence[int]) -> list[str]:
    """Return in words the indices of two equal arms that differ by rounding only."""
    pairs = [(x, y, float(policy.indices[a, x]), float(policy.indices[b, y])) for x, y in enumerate(renamed)]
    return [
        f"arm {a + 1}, state {x + 1} and arm {b + 1}, state {y + 1} were shown alike and have indices {one!r}, "
        f"{other!r}; round indices, as np.round(indices, 12) does"
        for x, y, one, other in pairs
        if one != other and abs(one - other) <= _ROUNDING * max(abs(one), abs(other))
    ]


def _numbers(found: Any, count: int) -> Floats | None:
    """Return `found` as a (count,) array of floats, or None if it is not one."""
    try:
        numbers = np.array(found, dtype=float).reshape(-1)
    except (TypeError, ValueError):
        return None
    return numbers if found is not None and numbers.size == count else None


@contextmanager
def _global_generators_kept() -> Iterator[None]:
    of_numpy, of_python = np.random.get_state(), random.getstate()
    try:
        yield
    finally:
        np.random.set_state(of_numpy)
        random.setstate(of_python)
