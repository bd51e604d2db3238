"""Learners that misbehave at five moments each; learners that play after them get the same regrets, byte for byte."""

import decimal
import gc
import os
import random
import sys
import threading
import warnings
from contextlib import chdir
from itertools import product
from unittest.mock import patch

import flint
import mpmath
import numpy as np
import pytest

from mbrl.agents import make_agent
from mbrl.environments import lower_bound
from mbrl.experiments.simulation import simulate
from mbrl.policies import IndexPolicy, TablePolicy
from tests.mbrl.own_agent import Stubborn
from theory import BanditError

MOMENTS = "made", "planning", "planned", "observing", "later"
EPISODES = 4


class Sly(IndexPolicy):
    """A policy that returns another order at every access."""

    @property
    def order(self):
        return np.random.permutation(12)

    @property
    def ranks(self):
        return np.random.permutation(12).reshape(3, 4)


class Liar(np.ndarray):
    """An array whose copy is random."""

    def copy(self, order="C"):
        return np.random.random(self.shape)


class TextlessError(Exception):
    __str__ = None


class Raising:
    def __getattribute__(self, name):
        raise ZeroDivisionError(name)


def raising(error):
    def misdeed(learner):
        raise error

    return misdeed


def leave_behind(name, value):
    def misdeed(learner):
        setattr(learner, name, value)

    return misdeed


def forever_writing(learner):
    """Start a thread that keeps writing into the indices of the policy."""

    def write():
        for number in range(200):
            learner.table[:] = number

    threading.Thread(target=write, daemon=True).start()


def table_of(*shape, dtype=np.int64):
    return TablePolicy(np.zeros(shape, dtype))


def index_policy(kind=IndexPolicy, **changes):
    given = {"indices": np.arange(12.0).reshape(3, 4), "sizes": np.full(3, 4)} | changes
    return kind(given["indices"], given["sizes"])


ERRORS = MemoryError, RecursionError, StopIteration, GeneratorExit, UserWarning, OSError, SystemExit
MISDEEDS = {
    # the process
    "seeds": lambda learner: (np.random.seed(0), random.seed(0)),
    "draws": lambda learner: (np.random.random(10**3), random.random()),
    "warnings": lambda learner: warnings.simplefilter("error"),
    "decimal": lambda learner: setattr(decimal.getcontext(), "prec", 1),
    "flint": lambda learner: setattr(flint.ctx, "prec", 2),
    "mpmath": lambda learner: setattr(mpmath.mp, "dps", 1),
    "numpy errors": lambda learner: np.seterr(all="raise"),
    "print options": lambda learner: np.set_printoptions(precision=0, threshold=1),
    "environment": lambda learner: os.environ.update(NUMBA_DISABLE_JIT="1", OMP_NUM_THREADS="0"),
    "folder": lambda learner: os.chdir("/"),
    "collector": lambda learner: gc.disable(),
    "switches": lambda learner: sys.setswitchinterval(1e-6),
    "path": lambda learner: sys.path.clear(),
    "thread": forever_writing,
    "no output": lambda learner: setattr(sys, "stdout", None),
    # what it raises
    **{error.__name__: raising(error()) for error in ERRORS},
    "no text": raising(TextlessError()),
    "a bandit's": raising(BanditError("mine")),
    "an empty name": raising(type("", (Exception,), {})()),
    # what it is
    "anytime array": leave_behind("anytime", np.ones(2)),
    "anytime object": leave_behind("anytime", Raising()),
    "no plan": leave_behind("plan", None),
    "no observe": leave_behind("observe", 3),
    "plan of none": leave_behind("plan", lambda: None),
    "unpicklable": leave_behind("lock", threading.Lock()),
    "itself": lambda learner: setattr(learner, "me", learner),
    "other class": lambda learner: setattr(learner, "__class__", Stubborn),
    "forgets": lambda learner: vars(learner).clear(),
    # what it returns
    "none": leave_behind("answer", lambda: None),
    "generator": leave_behind("answer", lambda: (k for k in range(3))),
    "sly": leave_behind("answer", lambda: index_policy(Sly)),
    "liar": leave_behind("answer", lambda: index_policy(indices=np.zeros((3, 4)).view(Liar))),
    "infinite": leave_behind("answer", lambda: index_policy(indices=np.full((3, 4), np.inf))),
    "strided": leave_behind("answer", lambda: index_policy(indices=np.zeros((8, 3)).T[:, ::2])),
    "fewer arms": leave_behind("answer", lambda: index_policy(indices=np.zeros((2, 4)), sizes=np.full(2, 4))),
    "smaller arms": leave_behind("answer", lambda: index_policy(sizes=np.full(3, 3))),
    "large table": leave_behind("answer", lambda: table_of(65)),
    "flat table": leave_behind("answer", lambda: table_of(4, 4, 4)),
    "table of floats": leave_behind("answer", lambda: table_of(64, dtype=float)),
    "a class": leave_behind("answer", lambda: IndexPolicy),
}


class Misbehaves(Stubborn):
    def __init__(self, problem, *, deed: str, moment: str):
        super().__init__(problem)
        self.deed, self.moment, self.episode = deed, moment, 0
        self.table = np.arange(12.0).reshape(3, 4)
        self.answer = lambda: IndexPolicy(self.table, np.full(3, 4))
        self.now("made")

    def now(self, moment):
        if moment == self.moment:
            MISDEEDS[self.deed](self)

    def plan(self, rng):
        self.now("planning")
        self.now("later" if self.episode == 2 else "")
        policy = self.answer()
        self.now("planned")
        return policy

    def observe(self, trajectory):
        self.episode += 1
        self.now("observing")


@pytest.fixture
def restored_process(monkeypatch):
    """Undo what a learner may do to the process of the tests."""
    for kept, name in ((sys, "stdout"), (flint.ctx, "prec"), (mpmath.mp, "dps")):
        monkeypatch.setattr(kept, name, getattr(kept, name))
    monkeypatch.setattr(sys, "path", [*sys.path])
    interval = sys.getswitchinterval()
    with (
        warnings.catch_warnings(),
        decimal.localcontext(),
        np.errstate(),
        np.printoptions(),
        patch.dict(os.environ),
        chdir("."),
    ):
        yield
    gc.enable()
    sys.setswitchinterval(interval)


def rows(world, agent):
    key = {"scenario": "t", "name": agent, "simulation": 0, "episodes": EPISODES, "seed": 7}
    return simulate(world, make_agent(agent, world, EPISODES), **key)[0].tobytes()


def test_misbehaving_learners_leave_regrets_of_others_unchanged(restored_process):
    others = "mb-psrl", "mb-ucbvi", "tests.mbrl.own_agent:Stubborn"
    world = lower_bound(np.random.default_rng(1), 10)
    alone, refused = {other: rows(world, other) for other in others}, 0
    for number, (deed, moment) in enumerate(product(MISDEEDS, MOMENTS)):
        agent = f"{__name__}:Misbehaves/deed={deed}/moment={moment}"
        try:
            found = np.frombuffer(rows(world, agent))
            assert ((found >= 0) & (found < np.inf)).all(), agent
        except BanditError:
            refused += 1
        other = others[number % 3]
        assert rows(world, other) == alone[other], agent
    assert len(MISDEEDS) * len(MOMENTS) >= 200
    assert 20 < refused < len(MISDEEDS) * len(MOMENTS) - 60
