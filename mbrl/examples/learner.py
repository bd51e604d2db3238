"""A learner in fifteen lines: play the arm whose state has paid most on average; unseen states count as paying 1.

``python -m pydoc mbrl.agents.interface`` describes the two methods and what they receive.
Figures draw it with a free marker, in the next colour of ``axes.prop_cycle`` of matplotlib (``plot --style FILE``).
"""

import numpy as np

from mbrl.policies import IndexPolicy


class Myopic:
    """Greedy for mean rewards; ``mbrl.examples.learner:Myopic/first=0.5`` is less optimistic at the start."""

    anytime = True  # it does not use the number of episodes, so a run can be extended by more

    def __init__(self, problem, *, first: float = 1.0):
        self.sizes, self.first = problem.sizes, first
        self.visits, self.sums = np.zeros((2, problem.arms, problem.width))

    def plan(self, rng):
        """Return the policy of the next episode."""
        return IndexPolicy.from_indices((self.first + self.sums) / (1 + self.visits), self.sizes)

    def observe(self, trajectory):
        """Learn from an episode."""
        np.add.at(self.visits, (trajectory.arms, trajectory.states), 1)
        np.add.at(self.sums, (trajectory.arms, trajectory.states), trajectory.rewards)
