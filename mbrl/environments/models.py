r"""The environments of the paper's experiments and proofs, and of any model file.

Exact models of `theory.paper` become floats here. Random models are drawn with the generator that the caller passes.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np

from mbrl.environments.environment import Environment, from_bandit, with_rewards
from theory import ModelError, paper_model
from theory.enclosures import EnclosedBandit, read_enclosed_model


def random_walk() -> Environment:
    """Return scenario 1: three random walks on four states (`fig:randomwalk`), with rewards of 0 or 1."""
    return with_rewards(from_bandit(paper_model("random-walk"), "random-walk"), "bernoulli")


def task_scheduling() -> Environment:
    """Return scenario 2: nine tasks of eleven states; the reward is 1 exactly on the move to "finished".

    So the reward and the next state are not independent (`fig:task_scheduling`; Duff, 1995).
    """
    environment = from_bandit(paper_model("task-scheduling"), "task-scheduling")
    paid = np.zeros_like(environment.transitions)
    finished = paid.shape[2] - 1
    paid[:, :finished, finished] = 1.0
    return replace(environment, transition_rewards=paid, laws=None, means=None)  # means follow from `paid`


def random_model(rng: np.random.Generator, arms: int = 3) -> Environment:
    """Draw a model of scenario 3 from the prior (`ssec:prior`): random walks on four states, all started in the first.

    For each arm (r_L, r_R) are uniform on [0, 1], (p_L, p_R, stay) Dirichlet(1, 1, 1) and (p_RL, stay)
    Dirichlet(1, 1), all independent.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> drawn = {(1, 1, 1): (0.9, 0.1, 0.0), (1, 1): (0.25, 0.75)}
    >>> made = random_model(SimpleNamespace(random=lambda count: (0.3, 0.7), dirichlet=lambda law: drawn[*law]), arms=1)
    >>> made.transitions  # 1 - 0.9 - 0.1 is negative in floats
    array([[[0.9 , 0.1 , 0.  , 0.  ],
            [0.9 , 0.  , 0.1 , 0.  ],
            [0.  , 0.9 , 0.  , 0.1 ],
            [0.  , 0.  , 0.25, 0.75]]])
    >>> made.rewards.tolist()
    [[0.3, 0.0, 0.0, 0.7]]
    """
    transitions = np.zeros((arms, 4, 4))
    rewards = np.zeros((arms, 4))
    for a in range(arms):
        rewards[a, 0], rewards[a, 3] = rng.random(2)
        left, right, _ = rng.dirichlet(np.ones(3))
        back, _ = rng.dirichlet(np.ones(2))
        transitions[a] = [
            [1 - right, right, 0, 0],
            [left, 1 - left - right, right, 0],
            [0, left, 1 - left - right, right],
            [0, 0, back, 1 - back],
        ]
    sizes, starts = np.full(arms, 4), np.zeros((1, arms), dtype=np.int64)
    return Environment("random-models", np.maximum(transitions, 0.0), rewards[:, :, None], sizes, 0.99, starts)


def counterexample() -> Environment:
    """Return the bandit M1 of Theorem 3, started in (A1, B3), with constant rewards."""
    return from_bandit(paper_model("counterexample-m1"), "counterexample")


def lower_bound(
    rng: np.random.Generator, episodes: int, arms: int = 3, states: int = 4, discount: float = 0.99
) -> Environment:
    r"""Draw a model of the lower bound's prior (`apx:sketch_of_proof_lower`).

    No arm ever moves. State i of all arms together is a stochastic bandit, in which one arm, drawn uniformly, is
    better; play starts in (i, ..., i) with i uniform.

    Parameters
    ----------
    rng
        Advanced by the draw.
    episodes
        K; the gap between the means is chosen for :math:`\tau = K / (2S(1-\beta))` steps.
    arms, states, discount
        n, S, and the discount.

    Notes
    -----
    The means are :math:`(1 \pm \varepsilon)/2` with :math:`\varepsilon = \min(1, \sqrt{n/\tau}/4)`, an order at which
    the better arm cannot be identified in that time (Bubeck and Cesa-Bianchi, 2012, Theorem 3.1, whose pair of means is
    gamma and gamma').

    Examples
    --------
    >>> made = [lower_bound(np.random.default_rng(1), 1, arms, states=1, discount=0.5) for arms in (4, 25)]
    >>> [np.unique(each.rewards).tolist() for each in made]  # the gap is sqrt(n/K)/4, at most 1
    [[0.25, 0.75], [0.0, 1.0]]
    """
    steps = episodes / (2 * states * (1 - discount))
    gap = min(1.0, sqrt(arms / steps) / 4)
    rewards = np.full((arms, states), (1 - gap) / 2)
    rewards[rng.integers(arms, size=states), np.arange(states)] = (1 + gap) / 2
    still = np.repeat(np.eye(states)[None], arms, axis=0)
    starts = np.repeat(np.arange(states)[:, None], arms, axis=1)
    model = (still, rewards[:, :, None], np.full(arms, states), discount, starts)
    return Environment("lower-bound", *model, start_law=np.full(states, 1 / states))


def model_file(path: str | Path) -> Environment:
    """Return the environment of the model file at `path`, which must give an initial state.

    The file is JSON with rational numbers (`theory.read_model`).

    Raises
    ------
    ModelError, NumberError
        The error is one line that names the arm, the state and the value.
    """
    bandit = read_enclosed_model(path)
    if isinstance(bandit, EnclosedBandit):
        raise ModelError(f"{path}: expressions are for theory alone; write its numbers as decimals to play it")
    if bandit.initial is None:
        raise ModelError(f"{path}: to be played, the model must say where play starts (key 'initial')")
    return from_bandit(bandit, str(path))
