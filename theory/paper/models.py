r"""The paper's models as exact data, by name.

* ``counterexample``: arm a with its L1 radius 1/5 and arm b, at discount 1/2 (`thm:no_OFU`). The text prints the vector
  [0.1, 0.1, 0.1]; but M1 and M2 lie at L1 distance 1/5 from the estimate, and only 1/5 gives the printed values.
* ``counterexample-m1``, ``counterexample-m2``: the two bandits of the confidence set that the paper draws.
* ``random-walk``: scenario 1, three arms of four states, discount 99/100 (`fig:randomwalk`).
* ``task-scheduling``: scenario 2, nine arms of eleven states, discount 99/100 (`fig:task_scheduling`).
* ``lower-bound``: a bandit of the prior behind this project's sharper lower bound (`theory.paper.absorbing`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Final

from flint import fmpq

from theory.errors import ModelError
from theory.model import Arm, Bandit
from theory.paper.absorbing import AbsorbingPrior
from theory.rationals import ONE, ZERO, Exact, rational

COUNTEREXAMPLE_REWARD_B: Final = fmpq(321, 100)
COUNTEREXAMPLE_RADIUS: Final = fmpq(1, 5)
COUNTEREXAMPLE_DISCOUNT: Final = fmpq(1, 2)


def counterexample(
    reward_b: Exact = COUNTEREXAMPLE_REWARD_B,
    radius: Exact = COUNTEREXAMPLE_RADIUS,
    discount: Exact = COUNTEREXAMPLE_DISCOUNT,
) -> Bandit:
    """Return arms a (estimated, with its L1 radius) and b (known) of Theorem 3, started in (A1, B3).

    The parameters vary the construction: `reward_b` replaces 3.21.
    """
    rows: list[list[Exact]] = [["1/2", "1/2", 0], [0, 0, 1], [0, 0, 1]]
    return _two_arms(rows, ["A1", "B3"], [radius] * 3, reward_b, discount)


def counterexample_m1() -> Bandit:
    """Return the bandit M1 of the picture of Theorem 3, started in (A1, B3)."""
    rows: list[list[Exact]] = [["2/5", "3/5", 0], [0, 0, 1], [0, 0, 1]]
    return _two_arms(rows, ["A1", "B3"])


def counterexample_m2() -> Bandit:
    """Return the bandit M2 of the picture of Theorem 3, started in (A1, B1)."""
    rows: list[list[Exact]] = [["3/5", "2/5", 0], ["1/10", 0, "9/10"], ["1/10", 0, "9/10"]]
    return _two_arms(rows, ["A1", "B1"])


def random_walk() -> Bandit:
    """Return scenario 1: three random walks on four states, all started in state 1.

    Examples
    --------
    >>> for arm in random_walk().arms:  # p_L, p_R, p_RL, r_L, r_R
    ...     print(arm.transitions[1][0], arm.transitions[0][1], arm.transitions[3][2], arm.rewards[0], arm.rewards[3])
    1/10 1/5 3/10 1/5 1
    1/10 1/2 7/10 7/20 7/10
    1/10 2/5 1/2 2/5 13/20
    """
    arms = [
        random_walk_arm(p_L="1/10", p_R="1/5", p_RL="3/10", r_L="1/5", r_R=1),
        random_walk_arm(p_L="1/10", p_R="1/2", p_RL="7/10", r_L="7/20", r_R="7/10"),
        random_walk_arm(p_L="1/10", p_R="2/5", p_RL="1/2", r_L="2/5", r_R="13/20"),
    ]
    return Bandit(arms, discount="99/100", initial=[0, 0, 0])


def random_walk_arm(p_L: Exact, p_R: Exact, p_RL: Exact, r_L: Exact, r_R: Exact) -> Arm:
    """Return a random walk on four states: reward `r_L` in the first, `r_R` in the last, 0 between.

    It moves right with `p_R`, left with `p_L` from the two middle states and with `p_RL` from the last one.
    """
    left, right, back = rational(p_L), rational(p_R), rational(p_RL)
    return Arm(
        rewards=[r_L, 0, 0, r_R],
        transitions=[
            [1 - right, right, 0, 0],
            [left, 1 - left - right, right, 0],
            [0, left, 1 - left - right, right],
            [0, 0, back, 1 - back],
        ],
    )


def task_scheduling() -> Bandit:
    """Return scenario 2: nine tasks of eleven states, all started in state 1; the last state is "finished"."""
    arms = [task_arm(fmpq(a, 10), states=[*(f"a{a}s{i}" for i in range(1, 11)), f"a{a}finished"]) for a in range(1, 10)]
    return Bandit(arms, discount="99/100", initial=[0] * 9)


def sharper_lower_bound() -> Bandit:
    """Return three arms of two start states; arm 1 is better in the first start state, arm 2 in the second.

    Examples
    --------
    >>> bandit = sharper_lower_bound()
    >>> bandit.discount, [[str(row[-1]) for row in arm.transitions[:-1]] for arm in bandit.arms]
    (9/10, [['11/216', '1/27'], ['1/27', '11/216'], ['1/27', '1/27']])
    """
    return AbsorbingPrior(S=3, n=3, discount="9/10", delta="3/8").bandit((0, 1))


def task_arm(first_hazard: Exact, decay: Exact = fmpq(4, 5), stages: int = 10, states: Sequence[str] = ()) -> Arm:
    r"""Return a task that finishes in stage i with probability :math:`\rho_i = 1 - (1-\rho_1) \lambda^{i-1}`.

    An unfinished task moves to the next stage, or stays in the last one. The reward 1 is paid on the transition to the
    absorbing state "finished", so the mean reward in stage i is :math:`\rho_i`.
    """
    rho_1, factor = rational(first_hazard), rational(decay)
    hazards = [1 - (1 - rho_1) * factor**i for i in range(stages)]
    rows: list[list[fmpq]] = []
    for i, hazard in enumerate(hazards):
        row = [ZERO] * (stages + 1)
        row[min(i + 1, stages - 1)] += 1 - hazard
        row[stages] += hazard
        rows.append(row)
    rows.append([ZERO] * stages + [ONE])
    return Arm(rewards=[*hazards, ZERO], transitions=rows, states=states)


PAPER_MODELS: Final[MappingProxyType[str, Callable[[], Bandit]]] = MappingProxyType(
    {
        "counterexample": counterexample,
        "counterexample-m1": counterexample_m1,
        "counterexample-m2": counterexample_m2,
        "random-walk": random_walk,
        "task-scheduling": task_scheduling,
        "lower-bound": sharper_lower_bound,
    }
)


def paper_model(name: str) -> Bandit:
    """Return the paper's model called `name`; for an unknown name, `ModelError` lists the known ones.

    Examples
    --------
    >>> paper_model("counterexample").discount
    1/2
    """
    if name not in PAPER_MODELS:
        raise ModelError(f"no model is called {name!r}; the paper's models are {', '.join(PAPER_MODELS)}")
    return PAPER_MODELS[name]()


def _two_arms(
    rows: Sequence[Sequence[Exact]],
    initial: list[str],
    radius: Sequence[Exact] = (),
    reward: Exact = COUNTEREXAMPLE_REWARD_B,
    discount: Exact = COUNTEREXAMPLE_DISCOUNT,
) -> Bandit:
    arm_a = Arm(rewards=[3, 4, 0], transitions=rows, states=["A1", "A2", "A3"], transition_radius=radius)
    rows_b = [[0, 1, 0], [0, 1, 0], [0, 0, 1]]
    arm_b = Arm(rewards=[reward, 0, reward], transitions=rows_b, states=["B1", "B2", "B3"])
    return Bandit([arm_a, arm_b], discount, initial)
