"""The formulas of scenarios 2 and 3: the hazards of a task, the draws of random walks (Appendix E)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from flint import fmpq
from sympy import Eq, Expr, Symbol  # type: ignore[import-untyped]

from proofs_checks.evidence import Algebra, Argument, ByHand, Everywhere, Solver, Step
from proofs_checks.ledger import Chapter
from proofs_checks.statements import Answer, Family, ForAll, PrintedNumber, Property, Relation, answer
from proofs_checks.statements.symbols import c, i, p, u, v, w
from theory import Arm, paper_model, rational
from theory.paper import task_arm

chapter = Chapter(under="scenario-2/law")
decay = Symbol("lambda", real=True)


def survived(stage: Expr) -> Expr:
    """Return P{tau >= stage} as printed, p standing for 1 - rho_1."""
    return p ** (stage - 1) * decay ** ((stage - 1) * (stage - 2) / c)


def printed_law(stage: int, first: fmpq, factor: fmpq, c: int = 2) -> fmpq:
    """Return the printed probability of tau = stage."""
    rest = 1 - first
    return (1 - rest * factor ** (stage - 1)) * rest ** (stage - 1) * factor ** ((stage - 1) * (stage - 2) // c)


def has_printed_law(instance: tuple[int, fmpq, fmpq], c: int) -> Answer:
    """Multiply the hazards up, and compare with the printed probability."""
    stage, first, factor = instance
    hazards = [1 - (1 - first) * factor**j for j in range(stage)]
    found = hazards[-1]
    for hazard in hazards[:-1]:
        found *= 1 - hazard
    printed = printed_law(stage, first, factor, c)
    return answer(found == printed, i=stage, rho_1=first, decay=factor, product_of_hazards=found, printed=printed)


def _tasks() -> Iterator[tuple[int, fmpq, fmpq]]:
    yield from product(range(1, 11), (fmpq(1, 10), fmpq(9, 10)), (fmpq(4, 5), fmpq(1, 3)))


INSIDE = ForAll(i >= 1, p > 0, p < 1, decay > 0, decay < 1)

chapter.printed(
    Property(
        "scenario-2/law",
        has_printed_law,
        over=Family("stages, first hazards and decays", _tasks),
        domain=r"$i \ge 1$, $0 < \rho_1 < 1$, $0 < \lambda < 1$; what the text calls $x_a = i$ is $\tau = i$",
        says=r"""With hazards $\rho_i = \mathbb{P}(\tau = i \mid \tau \ge i) = 1 - (1-\rho_1)\lambda^{i-1}$,
        $\mathbb{P}(\tau = i) = \{1 - (1-\rho_1)\lambda^{i-1}\} (1-\rho_1)^{i-1}
        \lambda^{(i-1)(i-2)/[[c]]}$.""",
        c=2,
    ),
    Argument(
        Step(
            r"""With $p = 1 - \rho_1$ and $s_i = p^{i-1} \lambda^{(i-1)(i-2)/2}$, $s_{i+1} = s_i (1 - \rho_i)$:""",
            Algebra(),
            Eq(survived(i + 1), survived(i) * p * decay ** (i - 1), evaluate=False),
            over=INSIDE,
        ),
        conclusion=ByHand(
            r"""As $s_1 = 1$, by induction $s_i = \mathbb{P}(\tau \ge i)$, and $\mathbb{P}(\tau = i) = \rho_i
            \mathbb{P}(\tau \ge i)$."""
        ),
    ),
    line=1467,
    under="",
    mutants=[{"c": 1}],
)

chapter.printed(
    Relation(
        "scenario-2/increasing",
        ForAll(i >= 0, p > 0, p <= 1, decay > 0, decay < c),
        1 - p * decay ** (i + 1) > 1 - p * decay**i,
        says=r"""The hazard increases strictly with the stage: with $p = 1 - \rho_1$, the hazards of the stages $i +
        2$ and $i + 1$ satisfy $[[formula]]$, if $\lambda < [[c]]$.""",
        c=1,
    ),
    Solver(),
    line=1469,
    mutants=[{"c": "1.0001"}],
)

chapter.withdrawn(
    "scenario-2/eleven-states",
    r"""The paper does not claim the law beyond the ten states that it gives a task: scenario-2/ten-states is about
    these.""",
    line=1463,
)

LATEST = 12


@cache
def finishing_law(arm: Arm) -> tuple[fmpq, ...]:
    """Return the law of the time at which the chain enters its last state from its first, up to 12 steps."""
    mass = [fmpq(int(x == 0)) for x in range(arm.size)]
    law = []
    for _ in range(LATEST):
        after = [sum((mass[x] * arm.transitions[x][y] for x in range(arm.size)), fmpq(0)) for y in range(arm.size)]
        law.append(after[-1] - mass[-1])
        mass = after
    return tuple(law)


def as_the_chain(instance: tuple[int, int], last: object, c: object) -> Answer:
    """Compare the printed law with that of the chain, up to a stage, and look at what is left beyond ten."""
    a, stage = instance
    first, factor = fmpq(a, 10), fmpq(4, 5)
    beyond = (1 - first) ** 10 * factor**45
    if stage > rational(last):
        return answer(beyond <= rational(c), arm=a, beyond_ten=beyond)
    printed = printed_law(stage, first, factor)
    found = finishing_law(task_arm(first))[stage - 1]
    return answer(printed == found and beyond <= rational(c), arm=a, i=stage, printed=printed, chain=found)


chapter.ours(
    Property(
        "scenario-2/ten-states",
        as_the_chain,
        over=Family("the nine tasks, up to twelve steps", lambda: product(range(1, 10), range(1, 13)), complete=True),
        says=r"""A task of ten states before $\star$, which stays in the last one until it is finished, has the
        printed law for $i \le [[last]]$; the printed law has at most $[[c]]$ beyond $i = 10$.""",
        last=10,
        c="0.0000152",
    ),
    Everywhere(),
    line=1463,
    mutants=[{"last": 11}],
    nearest={"c": "down"},
)

chapter.withdrawn(
    "scenario-2/independence",
    r"""The paper does not claim that reward and next state are independent, and does not need it: values depend on
    the mean rewards and on the rows alone. What is true of them is scenario-2/dependence.""",
    line=1469,
)


def covary(instance: tuple[int, int], c: object) -> Answer:
    """Return the covariance of reward and finishing: E[R 1{finish}] - E[R] P{finish}, where R = 1{finish}."""
    a, stage = instance
    arm = task_arm(fmpq(a, 10))
    finish = arm.transitions[stage - 1][-1]
    covariance = finish - arm.rewards[stage - 1] * finish
    return answer(covariance >= rational(c), arm=a, i=stage, finish=finish, covariance=covariance)


chapter.ours(
    Property(
        "scenario-2/dependence",
        covary,
        over=Family("the ten states of the nine tasks", lambda: product(range(1, 10), range(1, 11)), complete=True),
        says=r"""In Scenario 2 the reward and the next state of an activation are dependent, while the posterior of
        MB-PSRL is a product of one of rewards and one of rows: given a state $i \le 10$, the covariance of the reward
        and of finishing is $\rho_i (1 - \rho_i) \ge [[c]]$.""",
        c="0.013",
    ),
    Everywhere(),
    line=1470,
    nearest={"c": "up"},
)

chapter.printed(
    PrintedNumber(
        "scenario-2/size",
        "2357947691",
        lambda: fmpq(paper_model("task-scheduling").number_of_global_states),
        also=lambda: fmpq(11**9),
        says="The global MDP of Scenario 2 has $11^9$ states. [[ours]] These are $[[printed]]$.",
    ),
    Everywhere(),
    line=522,
)

chapter.printed(
    Relation(
        "scenario-3/draws",
        ForAll(u >= 0, v >= 0, u + v <= c, w >= 0, w <= 1),
        1 - u - v >= 0,
        1 - v >= 0,
        1 - w >= 0,
        says=r"""Whatever is drawn, $(p_L, p_R) = (u, v)$ from $\mathrm{Dirichlet}(1, 1, 1)$, so $u + v \le [[c]]$, and
        $p_{RL} = w$ from $\mathrm{Dirichlet}(1, 1)$. [[ours]] The rows of the random walk, each the probabilities of
        moving and what is left of $1$, are probability laws: $[[formula]]$.""",
        c=1,
    ),
    Solver(),
    line=1500,
    under="",
    mutants=[{"c": "1.001"}],
)
