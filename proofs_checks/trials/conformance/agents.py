"""Judge a learner: play it on a small bandit and compare everything that it plans with exact values.

The learner is made and played twice, with the same seeds, while the global generators of NumPy and of Python are in
different states. It is checked that

- every plan is a policy of this bandit;
- the exact regret of every plan is at least 0 and at most (largest - smallest reward)/(1 - discount): a theorem for
  valid policies, so a defect here is one of this package;
- both times the plans are the same, and no global generator has been used;
- the learner has not changed the episodes shown or the problem, which are read-only;
- the attribute `step`, if there is one, is 1 + the number of steps shown, and `visits` are their counts;
- the attributes `values` with `gap`, and `optimistic_value`, if there are any, are optimistic: see `_Referee.plan`;
- rounding decides no tie: see `_Referee.ties`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, permutations
from math import isfinite
from typing import Any

import numpy as np
from flint import fmpq

from mbrl.agents.baselines import Uniform
from mbrl.agents.interface import Agent, Problem, Trajectory
from mbrl.agents.registry import check_methods
from mbrl.arrays import is_of_writing
from mbrl.environments import Environment, from_bandit
from mbrl.experiments.seeds import generator, global_generators
from mbrl.experiments.simulation import play
from mbrl.importing import check_takes, described
from mbrl.policies import IndexPolicy, Policy, TablePolicy
from proofs_checks.trials.conformance.calling import its_output_apart
from proofs_checks.trials.conformance.judging import Defect, Judgement, Tolerance, failure
from proofs_checks.trials.conformance.optimism import Shown, as_table, contains, optimistic_shortfall
from theory import Bandit, BanditError, ModelError, gittins_value, nearest_float, priority_value, value_of_float
from theory.values import global_states, optimal_value, policy_value

EPISODES = 24
SEED = 1  # equivalent: any seed is as good as another
_CHANGES = "changes what it is shown"
_SMALL = "learners are judged on small bandits only"
_TIES = ("first", "last")
_ROUNDING = 1e-9
"""Largest relative difference of two indices that counts as rounding."""
_RENAMED = 4  # largest arm whose states are renamed in all ways


def judge_agent(make: Callable[[Problem], Agent], bandit: Bandit, tolerance: Tolerance) -> Judgement:
    """Return the judgement of the learner that `make` returns; it stops at an error or an invalid policy."""
    environment = _environment(bandit)
    referee = _Referee(bandit, tolerance)
    try:
        with _global_generators_kept(), its_output_apart():
            plans = _play(make, environment, referee)
            np.random.seed(SEED)
            random.seed(SEED)
            again = _play(make, environment, None)
    except _InvalidPolicyError as error:
        return failure("invalid policy", str(error))
    except BanditError as error:
        return failure("error", str(error))
    except (Exception, SystemExit) as error:
        return failure(_CHANGES if is_of_writing(error) else "error", described(error))
    differing = [k for k in range(EPISODES) if plans[k].key != again[k].key or type(plans[k]) is not type(again[k])]
    if differing:
        referee.note("not reproducible", f"episode {differing[0] + 1}: another plan from the same seeds")
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
    return _Referee(bandit, Tolerance()).total_regret(_play(Uniform, _environment(bandit), None))


class _InvalidPolicyError(Exception):
    """The planned policy cannot be played."""


@dataclass
class _Referee:
    """Collects the defects of one learner on one bandit, the first of each kind."""

    bandit: Bandit
    tolerance: Tolerance
    defects: dict[str, Defect] = field(default_factory=dict)
    shortfall: fmpq = field(default_factory=fmpq)
    relative_shortfall: fmpq = field(default_factory=fmpq)

    @cached_property
    def _optimum(self) -> Mapping[tuple[int, ...], fmpq]:
        return optimal_value(self.bandit).values

    def note(self, kind: str, detail: str) -> None:
        self.defects.setdefault(kind, Defect(kind, detail))

    def plan(self, episode: int, agent: Agent, shown: Shown) -> None:
        """Check that the values which the learner calls optimistic after planning are optimistic.

        `values`, one per global state, may be below the exact values of extended value iteration over the confidence
        set by `gap` at most. If the true model lies in the confidence set, neither `values` plus `gap` nor an
        `optimistic_value` per global state may be below the true optimum.
        """
        if "not optimistic" in self.defects:
            return
        gap = getattr(agent, "gap", None) if hasattr(agent, "values") else None
        name = "optimistic_value" if gap is None else "values"
        claimed = _numbers(getattr(agent, name, None), self.bandit.number_of_global_states)
        if claimed is None or not (gap is None or isinstance(gap, float | int)):
            return
        if not np.isfinite(claimed).all() or (gap is not None and not isfinite(gap)):
            self.note("not finite", f"episode {episode}: {name} hold nan or infinity")
            return
        scale = max(1.0, float(np.abs(claimed).max()))
        forgiven = value_of_float(self.tolerance.optimism * scale + float(gap or 0))
        confidence = shown.confidence_set(self.bandit)
        short = fmpq(0) if gap is None else optimistic_shortfall(confidence, claimed, forgiven)
        below = "the exact optimistic value"
        if short <= forgiven and contains(confidence, self.bandit):
            table = as_table(self.bandit, claimed)
            short = max(short, *(self._optimum[state] - value for state, value in table.items()))
            below = "the optimum of the true model, which lies in the confidence set"
        self.shortfall = max(self.shortfall, short)
        self.relative_shortfall = max(self.relative_shortfall, short / value_of_float(scale))
        if short > forgiven:
            self.note("not optimistic", f"episode {episode}: {nearest_float(short):.6g} below {below}")

    def ties(self, episode: int, agent: Agent, policy: Policy, shown: Shown) -> None:
        """Check that rounding does not decide between equal arms.

        Two arm states are equal if the data shown of their arms are the same up to names of states. The indices of
        equal arm states have to be equal, or to differ by more than rounding (by random draws, for example). For a
        table, the learner's attribute `ties` (``first`` or ``last``) says which of two equal arms it plays; here arms
        are equal if exchanging them leaves all data shown unchanged.
        """
        rule = getattr(agent, "ties", None)
        to_see = rule in _TIES if isinstance(policy, TablePolicy) else _has_close_indices(policy)
        if "tie broken by rounding" in self.defects or not to_see:
            return
        for a, b, renamed in _renamings(self.bandit.sizes):
            if not shown.same_arm(a, b, renamed):
                continue
            if isinstance(policy, IndexPolicy):
                for x, y in enumerate(renamed):
                    one, other = float(policy.indices[a, x]), float(policy.indices[b, y])
                    if one != other and abs(one - other) <= _ROUNDING * max(abs(one), abs(other)):
                        which = f"arm {a + 1}, state {x + 1} and arm {b + 1}, state {y + 1}"
                        detail = (
                            f"episode {episode}: {which} were shown alike and have indices {one!r}, {other!r}; "
                            "round indices, as np.round(indices, 12) does"
                        )
                        self.note("tie broken by rounding", detail)
                        return
            elif a != b and shown.same_when_exchanged(a, b, renamed):
                table, wrong = policy.table, max(a, b) if rule == "first" else min(a, b)
                for state, played in zip(global_states(self.bandit, _SMALL), table.tolist(), strict=True):
                    if played == wrong and renamed[state[a]] == state[b]:
                        here = tuple(x + 1 for x in state)
                        detail = f"episode {episode}: ties are said to go to the {rule} arm; not in states {here}"
                        self.note("tie broken by rounding", detail)
                        return

    def learnt(self, episode: int, agent: Agent, shown: Shown) -> None:
        """Check the learner's own `step` and `visits`."""
        step = _numbers(getattr(agent, "step", None), 1)
        if step is not None and step[0] != 1 + shown.steps:
            self.note("steps missed", f"episode {episode}: step is {step[0]:g} after {shown.steps} steps")
        visits = getattr(agent, "visits", None)
        if isinstance(visits, np.ndarray) and visits.shape == shown.visits.shape and (visits != shown.visits).any():
            counted, played = float(visits.sum()), shown.steps
            self.note("wrong visits", f"episode {episode}: {counted:g} visits counted of {played}, or elsewhere")

    def total_regret(self, plans: list[Policy]) -> fmpq:
        """Return the sum of the exact regrets of all plans; note a regret that is not possible."""
        known: dict[bytes, fmpq] = {}
        optimum = gittins_value(self.bandit).value
        rewards = [reward for arm in self.bandit.arms for reward in arm.rewards]
        most = (max(rewards) - min(rewards)) / (1 - self.bandit.discount)
        total = fmpq(0)
        for k, policy in enumerate(plans, start=1):
            if policy.key not in known:
                known[policy.key] = optimum - _value(self.bandit, policy)
            regret = known[policy.key]
            if regret < 0:
                self.note("negative regret", f"episode {k}: {regret}")
            elif regret > most:
                self.note("impossible regret", f"episode {k}: {regret} is above {most}")
            total += regret
        return total


def _play(make: Callable[[Problem], Agent], environment: Environment, referee: _Referee | None) -> list[Policy]:
    problem = Problem(environment.sizes.copy(), environment.discount, EPISODES)
    shown = Shown(Problem(environment.sizes, environment.discount, EPISODES))
    planning, playing = (generator(SEED, "conformance", purpose) for purpose in ("plan", "play"))
    lengths = generator(SEED, "conformance", "horizons").geometric(1 - environment.discount, EPISODES)
    plans: list[Policy] = []
    before = global_generators()
    check_takes(make, ["problem"], "the learner")
    agent = make(problem)
    check_methods(agent, "the learner")
    for k in range(EPISODES):
        policy = _valid(agent.plan(planning), environment, k + 1)
        plans.append(policy)
        if referee is not None:
            referee.plan(k + 1, agent, shown)
            referee.ties(k + 1, agent, policy, shown)
        episode = play(environment, policy, environment.starts[0], int(lengths[k]), playing)
        copy = Trajectory(*(part.copy() for part in _parts(episode)))
        agent.observe(copy)
        if referee is not None:
            shown.add(episode)
            referee.learnt(k + 1, agent, shown)
            same = all(np.array_equal(x, y) for x, y in zip(_parts(episode), _parts(copy), strict=True))
            if not (same and np.array_equal(problem.sizes, environment.sizes)):
                referee.note(_CHANGES, f"episode {k + 1}")
    if referee is not None and global_generators() != before:
        referee.note("global randomness", "the global generator of NumPy or Python was used; use the one handed over")
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


def _parts(episode: Trajectory) -> tuple[Any, ...]:
    return episode.start, episode.arms, episode.states, episode.next_states, episode.rewards


def _valid(policy: object, environment: Environment, episode: int) -> Policy:
    """Return a validated copy of `policy`.

    Raises
    ------
    _InvalidPolicyError
        If it is not a policy of this bandit; the message has one line.
    """
    sizes = environment.sizes
    try:
        if isinstance(policy, IndexPolicy):
            if not np.array_equal(policy.sizes, sizes):
                raise _InvalidPolicyError(f"episode {episode}: a policy of a bandit with other arms")
            return IndexPolicy.from_indices(policy.indices, sizes, ties=policy.ties)
        if isinstance(policy, TablePolicy):
            return TablePolicy.from_table(policy.table, sizes)
    except ModelError as error:
        raise _InvalidPolicyError(f"episode {episode}: {error}") from None
    name = type(policy).__name__
    raise _InvalidPolicyError(f"episode {episode}: plan returned {name}, not an IndexPolicy or a TablePolicy")


def _value(bandit: Bandit, policy: Policy) -> fmpq:
    if isinstance(policy, IndexPolicy):
        width = max(bandit.sizes)
        return priority_value(bandit, [divmod(int(i), width) for i in policy.order]).value
    states = global_states(bandit, _SMALL)
    played = dict(zip(states, map(int, policy.table), strict=True))
    return policy_value(bandit, played)[bandit.start()]


def _numbers(found: Any, count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None:
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
