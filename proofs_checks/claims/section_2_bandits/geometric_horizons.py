"""The discounted value as a total over a geometric number of steps, and the moments of that number (Section 2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from flint import fmpq
from sympy import Eq, Sum  # type: ignore[import-untyped]

from proofs_checks.evidence import Everywhere, InKernel
from proofs_checks.ledger import Chapter
from proofs_checks.statements import Answer, Family, ForAll, PrintedNumber, Property, Relation, answer
from proofs_checks.statements.symbols import N, b, beta, c, m
from theory import Arm, Bandit, policy_value, rational
from theory.certified import horizon_moment
from theory.paper import paper_model
from theory.random_models import random_bandit, random_policy
from theory.values import Policy, geometric_mixture

if TYPE_CHECKING:
    from numpy.random import Generator

chapter = Chapter(under="eq:V-vs_R")
LONGEST = 12
LENGTHS = ForAll(N >= 0, beta >= 0, beta < 1)


def _models() -> Iterator[tuple[Bandit, Policy]]:
    yield Bandit([Arm(rewards=[1], transitions=[[1]])], fmpq(1, 2)), lambda state: 0
    for name in ("counterexample-m1", "counterexample-m2"):
        yield paper_model(name), lambda state: state[0] % 2


def _drawn(generator: Generator) -> tuple[Bandit, Policy]:
    bandit = random_bandit(generator, discount=lambda source: fmpq(int(source.integers(0, 7)), 10))
    return bandit, random_policy(generator, bandit)


def as_geometric_total(model: tuple[Bandit, Policy], a: object) -> Answer:
    """Hold the values by linear system to the totals of up to 12 steps, what is left being at most what it can pay."""
    bandit, policy = model
    values = policy_value(bandit, policy)
    mixture, mass = geometric_mixture(bandit, policy, LONGEST)
    shift = bandit.discount ** int(rational(a).p)
    largest = max(reward for arm in bandit.arms for reward in arm.rewards)
    rest = mass * (LONGEST + 1 / (1 - bandit.discount)) * largest
    for state, value in values.items():
        if not 0 <= value - shift * mixture[state] <= rest:
            return answer(
                False, model=bandit, state=state, value=value, total_of_12_steps=shift * mixture[state], left_out=rest
            )
    return answer(True)


chapter.printed(
    Property(
        "eq:V-vs_R",
        as_geometric_total,
        over=Family("exact bandits with a policy", _models, draw=_drawn),
        domain=r"rewards in $[0, 1]$, $0 \le \beta < 1$, a length $H$ independent of states and rewards",
        says=r"""The discounted value of a policy is its expected total reward over $H$ steps, with
        $\mathbb{P}(H = m) = (1-\beta)\beta^{m-1+[[a]]}$ for $m = 1, 2, \ldots$""",
        a=0,
    ),
    InKernel("discounted_is_mean_total", a=0),
    line=217,
    under="",
    mutants={"lengths from 0 on": {"a": 1}},
)

REST = (N + 1 / (1 - beta), N**2 + 2 * N / (1 - beta) + (1 + beta) / (1 - beta) ** 2)  # E[H + N], E[(H + N)^2]
MOMENTS = tuple(
    Eq(Sum(m**power * (1 - beta) * beta ** (m - 1), (m, 1, N)) + beta**N * rest, value, evaluate=False)
    for power, rest, value in ((1, REST[0], c / (1 - beta)), (2, REST[1], b * (1 + beta) / (1 - beta) ** 2))
)

chapter.ours(
    Relation(
        "eq:V-vs_R/moments",
        LENGTHS,
        *MOMENTS,
        says=r"""$\mathbb{E}[H] = \frac{1}{1-\beta}$ and $\mathbb{E}[H^2] = \frac{1+\beta}{(1-\beta)^2}$: for every $N$,
        $[[formula]]$, and what stands beside the sums tends to $0$.""",
        c=1,
        b=1,
    ),
    InKernel("geometric_moments", c=1, b=1),
    line=217,
    nearest={"c": "down", "b": "down"},
)

chapter.printed(
    PrintedNumber(
        "eq:V-vs_R/steps",
        "300000",
        lambda episodes, beta: int(episodes) * horizon_moment(1, rational(beta)),
        also=lambda episodes, beta: int(episodes) / (1 - rational(beta)),
        says=r"""$K$ episodes have $K/(1-\beta)$ steps in expectation: $[[printed]]$ for $K = [[episodes]]$ and
        $\beta = [[beta]]$.""",
        episodes=3000,
        beta="0.99",
    ),
    Everywhere(),
    line=502,
    mutants=[{"beta": "0.98"}],
)
