"""Event E^V of Lemma `concentration`: it speaks of S^n global states, the union bound in its proof of nS arm states.

What closes the gap is that V*, as a function of one arm's state, is a mixture of at most S retirement functions of that
arm, whatever n is and wherever the other arms are. The deviation in E^V is affine in V*, so it is enough that it is
small for those S functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from flint import fmpq
from sympy import Eq  # type: ignore[import-untyped]

from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import deviation
from proofs_checks.computations.value_deviations import constant, deviations_of_one_move, independent_functions
from proofs_checks.evidence import Algebra, Argument, Everywhere, InKernel, Step, Uses
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Family, ForAll, Property, Relation, answer
from proofs_checks.statements.symbols import a, beta, d, ell, r, u, v, x, y
from theory import Bandit, expectation, rational
from theory.random_models import random_bandit, random_rewards, random_row
from theory.values import extreme_functions, moved, optimal_value, retirement_mixture

if TYPE_CHECKING:
    from numpy.random import Generator

chapter = Chapter(under="lem:concentration")

chapter.ours(
    Relation(
        "conc:V/range",
        ForAll(beta >= 0, beta < 1, r >= 0, r <= 1, v >= 0, v <= 1 / (1 - beta), x >= 0, x <= 1, ell >= 1, y > 1),
        r + (beta + a) * v <= 1 / (1 - beta),
        (1 - x) / (1 - beta) + x * v <= 1 / (1 - beta),
        deviation(),
        says=r"""One observation $R + \beta f(Y)$, for a function $f$ from $0$ to $\frac{1}{1-\beta}$, is from $0$ to
        $\frac{1}{1-\beta}$; $V^*(\cdot, x_{-a})$ and $\phi_a(\cdot, m)$ with $0 \le m \le \frac{1}{1-\beta}$ are such
        functions, since rewards of at most $1$ for $\ell$ steps and then $m$ are worth at most
        $\frac{1-\beta^\ell}{1-\beta} + \beta^\ell m$; and Hoeffding's bound for the mean of $\ell$ observations at
        $\epsilon = [[*s]]\frac{1}{1-\beta}\sqrt{\frac{\log y}{2\ell}}$ is at most $2/y$. With $x = \beta^\ell$:
        $[[formula]]$.""",
        a=0,
        s=1,
    ),
    Argument(Step("", Uses("cited:hoeffding"))),
    line=716,
    repairs="conc:V/mean",
    witnesses=[{beta: fmpq(1, 2), r: fmpq(1), v: fmpq(2), x: fmpq(1), ell: fmpq(1), y: fmpq(2)}],
    nearest={"a": "up", "s": "down"},
)

chapter.printed(
    Relation(
        "conc:V/mean",
        ForAll(u >= -1, u <= 1, beta > 0, beta < 1, v * (1 - beta) <= 1, -v * (1 - beta) <= 1),
        Eq(u + beta * v, u + d * v, evaluate=False),
        says=r"""The deviation that $\mathcal{E}^V$ bounds is that of the empirical mean $\hat r + \hat P V^*$ from
        $r + P V^*$. [[ours]] With $u = \hat r - r$ and $v = (\hat P - P)V^*$, $[[formula]]$.""",
        d=1,
    ),
    Algebra(),
    line=716,
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="missing-discount",
    witnesses=[{u: fmpq(0), v: fmpq(1, 2), beta: fmpq(1, 2)}],
    mutants=[{"d": "9/10"}],
    controls={"with the discount": {"d": beta}},
)


def depends_on_one_state(of_arm_2: Sequence[int | fmpq]) -> Answer:
    """Return whether the deviation after one move of arm 1 is the same in all states of arm 2."""
    bandit, found = deviations_of_one_move([fmpq(each) for each in of_arm_2])
    told = {str(state): each for state, each in found.items()}
    return answer(len(set(found.values())) == 1, model=bandit, one_move="of arm 1, from state 1 to 1", deviations=told)


chapter.implied(
    Property(
        "conc:V/union",
        depends_on_one_state,
        says=r"""$\hat r - r + \beta(\hat P^a - P^a)V^*$ at a global state $x$ depends on $x$ through $x_a$ only, so
        that a union over the $nS$ arm states covers $\mathcal{E}^V$ (arm 2 of the example pays [[of_arm_2]]).""",
        of_arm_2=(0, 1),
    ),
    Everywhere(),
    line=718,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="union-over-global-states",
    mutants={"arm 2 pays 1/2 or 3/4": {"of_arm_2": (fmpq(1, 2), fmpq(3, 4))}},
    controls={"arm 2 alike in both states": {"of_arm_2": (0, 0)}, "n = 1": {"of_arm_2": ()}},
)


def is_mixture(bandit: Bandit, with_constant: bool, left_out: int) -> Answer:
    """Hold V*(., x_-a) by policy iteration on the product to the mixture of the arm's retirement functions."""
    optimum = optimal_value(bandit).values
    for state in optimum:
        for arm in range(len(bandit.arms)):
            others = [each for each in range(len(bandit.arms)) if each != arm][left_out:]
            seen = Bandit([bandit.arms[each] for each in (arm, *others)], bandit.discount)
            mixture = retirement_mixture(seen, 0, [state[each] for each in (arm, *others)])
            shift = 0 if with_constant else mixture.constant
            expected = tuple(optimum[moved(state, arm, y)] for y in range(bandit.arms[arm].size))
            convex = min(mixture.weights) >= 0 and sum(mixture.weights) == 1 and mixture.constant >= 0
            if not convex or tuple(value - shift for value in mixture.values) != expected:
                return answer(False, model=bandit, arm=arm + 1, state=state, optimum=expected, mixture=mixture.values)
    return answer(True)


chapter.ours(
    Property(
        "conc:V/hull",
        is_mixture,
        over=Family("random exact bandits", draw=partial(random_bandit, max_global_states=9)),
        domain=r"any number of arms and states, rewards $\ge 0$, $0 \le \beta < 1$",
        says=r"""For each arm $a$ and all states of the others, $V^*(y, x_{-a}) = c + \sum_j w_j \phi_a(y, m_j)$
        with $w_j \ge 0$, $\sum_j w_j = 1$, $c \ge 0$ not depending on $y$, $\phi_a(y, m)$ the optimal value of arm
        $a$ alone with retirement reward $m$, and $m_j$ the arm's indices divided by $1-\beta$.""",
        with_constant=True,
        left_out=0,
    ),
    InKernel("hull", "retirement_equation", with_constant=True, left_out=0),
    line=718,
    repairs="conc:V/union",
    mutants={"without a constant": {"with_constant": False}, "one other arm left out": {"left_out": 1}},
)


Estimated: TypeAlias = "tuple[Bandit, tuple[fmpq, ...], fmpq]"
"""A bandit, and an estimated row and mean reward of its first arm's first state."""


def within_those_of_functions(drawn: Estimated, share: object) -> Answer:
    """Compare the deviation at every global state with the largest of those of the arm's retirement functions."""
    bandit, row, mean = drawn
    arm = bandit.arms[0]

    def deviation(function: Sequence[fmpq]) -> fmpq:
        gained = expectation(row, function) - expectation(arm.transitions[0], function)
        found: fmpq = mean - arm.rewards[0] + bandit.discount * gained
        return abs(found)

    largest = max(map(deviation, extreme_functions(arm, bandit.discount)[1]))
    optimum = optimal_value(bandit).values
    for state in optimum:
        found = deviation([optimum[moved(state, 0, y)] for y in range(arm.size)])
        if found > rational(share) * largest:
            return answer(False, model=bandit, row=row, mean=mean, x=state, deviation=found, of_the_functions=largest)
    return answer(True)


def _drawn_estimate(source: Generator) -> Estimated:
    bandit = random_bandit(source, max_global_states=9)
    return bandit, random_row(source, bandit.arms[0].size), random_rewards(source, 1)[0]


chapter.ours(
    Property(
        "conc:V/deviation-of-mixture",
        within_those_of_functions,
        over=Family(
            "random exact bandits and estimates",
            lambda: iter([(independent_functions()[0], (fmpq(1), fmpq(0), fmpq(0)), fmpq(1))]),
            draw=_drawn_estimate,
        ),
        domain=r"any number of arms and states, $0 \le \beta < 1$; any $\hat r$, any probability row $\hat Q$",
        says=r"""At every global state $x$ the deviation $|\hat r(x_a) - r(x_a) + \beta\sum_y(\hat P^a(x, y) - P^a(x,
        y))V^*(y)|$ is at most $[[*share]]e$, if the same with $\phi_a(\cdot, m_s)$ for $V^*(\cdot, x_{-a})$ is at most
        $e$ for each of the $S$ indices $(1-\beta)m_s$ of the arm.""",
        share=1,
    ),
    InKernel("deviation_of_hull", share=1),
    line=718,
    repairs="conc:V/union",
    nearest={"share": "down"},
)


def needs(functions: int) -> Answer:
    """Return whether the example needs so many functions, of which the last one is constant."""
    bandit, needed, independent = independent_functions()
    return answer(independent == functions and constant(needed[-1]), model=bandit, functions=needed)


chapter.ours(
    Property(
        "conc:V/functions",
        needs,
        says=r"""Per arm, $S$ functions are enough, whatever $n$ is: the arm's retirement functions at its indices,
        the last of which is constant. Two arms of three states can need [[functions]].""",
        functions=3,
    ),
    Argument(Step("", Uses("conc:V/hull")), conclusion=Everywhere()),
    line=718,
    mutants=[{"functions": 2}, {"functions": 4}],
)

CAUSES = [
    Cause(
        "missing-discount",
        Severity.SLIP,
        line=716,
        title="The discount is missing in the mean that E^V is about",
        printed=r"$\hat r_{k-1} + \hat P_{k-1}V_M^{\pi_*}$ is the empirical mean of $r + PV_M^{\pi_*}$.",
        why=r"""$\mathcal{E}^V$ has $\hat r + \beta\hat P V^*$. The range of $R + V^*(Y)$ is
        $\frac{2-\beta}{1-\beta}$ wide, too wide for the radius; that of $R + \beta V^*(Y)$ is $\frac{1}{1-\beta}$.""",
        instead=r"$\hat r_{k-1} + \beta\hat P_{k-1}V_M^{\pi_*}$ is the empirical mean of $r + \beta PV_M^{\pi_*}$.",
        follows="Nothing.",
        witness="conc:V/mean",
    ),
    Cause(
        "union-over-global-states",
        Severity.GAP,
        line=718,
        title="Event E^V speaks of all global states, and its union bound of the arm states",
        printed=r"""$\mathcal{E}^V_{k-1}$ is for all $x \in \mathcal{E}$; by Hoeffding's inequality and the same
        approach as above, $\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le 2/K$.""",
        why=r"""The deviation at $x$ contains $V^*(\cdot, x_{-a})$, one function for each of the $S^{n-1}$ states of
        the other arms. Two arms, $\beta = 1/2$, rewards $(1, 0)$, rows $(1/2, 1/2)$, and a second arm that pays $0$
        or $1$ for good: after one move of arm 1 the deviation is $1/4$ in one state of arm 2 and $0$ in the other.""",
        instead=r"""Line 655: $\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le \frac{S}{K\log(K(k-1))}$, and line 718: as
        $V_M^{\pi_*}(\cdot, x_{-a})$ is a mixture of $S$ functions of the arm alone. Or, in line 649,
        $\sqrt{2\log(2S^2nK\tau_k)}$ for $L_{k-1}$, and $1/K$.""",
        follows=r"""The additive term of MB-UCBVI's bound gains a factor $S$, or its bonus a $\log S$. As printed,
        $2/K$ is proved for $n = 1$, for $S \le 3$, for $K(k-1) \ge e^{S/2}$, for few steps and for long episodes;
        in between it is neither proved nor refuted.""",
        witness="conc:V/union",
    ),
]
