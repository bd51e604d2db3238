"""Users' learners, for the tests: `Stubborn` plays the states in their given order and counts its steps."""

from mbrl.policies import IndexPolicy


class Stubborn:
    def __init__(self, problem):
        self.problem = problem
        self.steps = 0

    def plan(self, rng):
        return IndexPolicy.from_priority(
            [(a, x) for a, size in enumerate(self.problem.sizes) for x in range(size)], self.problem.sizes
        )

    def observe(self, trajectory):
        self.steps += trajectory.length


class Silent(Stubborn):
    def plan(self, rng):
        return None


class Faulty(Stubborn):
    def plan(self, rng):
        return super().plan(rng) if self.steps < 1000 else [][self.steps]


class WithOptions(Stubborn):
    """Has an option of each type; `label` has its type from the default alone."""

    def __init__(self, problem, *, rate: float = 0.5, steps: int = 3, greedy: bool = False, label="none"):
        super().__init__(problem)
        self.options = (rate, steps, greedy, label)


class WithoutLoop:
    """Expose only `plan` and `observe` of a learner, so that no compiled loop is used."""

    def __init__(self, agent):
        self.agent = agent

    def plan(self, rng):
        return self.agent.plan(rng)

    def observe(self, trajectory):
        self.agent.observe(trajectory)


NOT_CALLABLE = 3
