"""The scenarios' formulas: the hazards of scenario 2, the draws of scenario 3, and their sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy  # type: ignore[import-untyped]  # it ships no types
from flint import fmpq

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide, fails, holds, holds_only
from theory import Arm, Exact, paper_model, rational, sympy_rational
from theory.paper import task_arm

SECTION = "Scenarios"


def stage_law(first: Any, decay: Any, stages: int) -> list[Any]:
    """Return P{tau = i}, i = 1..stages, as product of hazards rho_i = 1 - (1 - rho_1) lambda^(i-1)."""
    law, going_on = [], 1
    for i in range(stages):
        hazard = 1 - (1 - first) * decay**i
        law.append(hazard * going_on)
        going_on = going_on * (1 - hazard)
    return law


@claim(
    "scenario-2/law",
    section=SECTION,
    statement="""The printed probability {1 - (1-rho_1) lambda^(i-1)} (1-rho_1)^(i-1) lambda^((i-1)(i-2)/2) is that of
    tau = i for hazards 1 - (1-rho_1) lambda^(i-1).""",
    domain="i = 1..10 (the text says i >= 2), every rho_1 and lambda; P{x_a = i} in the text stands for P{tau = i}",
    evidence=Evidence.PROOF,
    mutants={"exponent i(i-1)/2": {"shift": 1}, "exponent (i-2)(i-3)/2": {"shift": -1}},
)
def hazard_law(book: Book, shift: int = 0) -> Finding:
    first, decay = sympy.symbols("rho lambda", positive=True)
    for i, probability in enumerate(stage_law(first, decay, 10), start=1):
        exponent = sympy.Rational((i - 1 + shift) * (i - 2 + shift), 2)
        printed = (1 - (1 - first) * decay ** (i - 1)) * (1 - first) ** (i - 1) * decay**exponent
        if sympy.expand(printed - probability) != 0:
            return fails({"i": i, "printed": str(printed), "product": str(probability)})
    return holds(Evidence.PROOF, reason="The exponents of lambda add up: 0 + 1 + ... + (i-2) = (i-1)(i-2)/2.")


@claim(
    "scenario-2/increasing",
    section=SECTION,
    statement="The hazard increases strictly with the stage.",
    domain="0 < rho_1 < 1, 0 < lambda < 1, every stage",
    evidence=Evidence.PROOF,
    mutants={"lambda = 1": {"decay": 1}, "lambda = 5/4": {"decay": fmpq(5, 4)}},
)
def increasing_hazard(book: Book, decay: Exact | None = None) -> Finding:
    rest, odds, i = sympy.symbols("rest odds i", positive=True)  # rest = 1 - rho_1, lambda = odds / (1 + odds)
    factor = odds / (1 + odds) if decay is None else sympy_rational(decay)
    growth = sympy.factor(sympy.simplify((1 - rest * factor**i) - (1 - rest * factor ** (i - 1))))
    expected = rest * factor ** (i - 1) * (1 - factor)
    if sympy.simplify(growth - expected) != 0 or not sympy.simplify(1 - factor).is_positive:
        return fails({"growth": str(growth)})
    return holds(Evidence.PROOF, reason="rho_{i+1} - rho_i = (1 - rho_1) lambda^(i-1) (1 - lambda) > 0.")


@claim(
    "scenario-2/eleven-states",
    section=SECTION,
    statement="The execution time of the task with eleven states has the printed law for every i >= 2.",
    domain="arms a = 1..9, i = 1..20",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.EXHAUSTIVE,
    mutants={"nine stages": {"stages": 9}, "lambda = 1/2 in the formula": {"decay": fmpq(1, 2)}},
    controls={"i up to 10": {"longest": 10}},
)
def eleven_states(book: Book, stages: int = 10, decay: Exact = fmpq(4, 5), longest: int = 20) -> Finding:
    differences: list[tuple[int, int, fmpq, fmpq]] = []
    for a in range(1, 10):
        first = fmpq(a, 10)
        printed, found = (
            stage_law(first, rational(decay), longest),
            _finishing_law(task_arm(first, stages=stages), longest),
        )
        differences += [(i, a, p, q) for i, (p, q) in enumerate(zip(printed, found, strict=True), start=1) if p != q]
    if not differences:
        return holds(Evidence.EXHAUSTIVE, instances=9 * longest)
    i, a, p, q = min(differences)
    witness = {"arm": a, "i": i, "printed": p, "chain": q}
    if i <= 10:
        return fails(witness)
    return holds_only(
        "i <= 10: the chain stays in state 10 with hazard rho_10, and every arm differs at i = 11",
        Evidence.EXHAUSTIVE,
        {**witness, "printed law's mass beyond i = 10": fmpq(9, 10) ** 10 * fmpq(4, 5) ** 45},
        instances=9 * longest,
        reason="The mass beyond stage 10 is largest for arm 1, and is (1-rho_1)^10 lambda^45.",
    )


def _finishing_law(arm: Arm, longest: int) -> list[fmpq]:
    """Return the law of the time at which the chain enters its last state, from its first."""
    finished = arm.size - 1
    mass = [fmpq(int(x == 0)) for x in range(arm.size)]
    law = []
    for _ in range(longest):
        after = [sum((mass[x] * arm.transitions[x][y] for x in range(arm.size)), fmpq(0)) for y in range(arm.size)]
        law.append(after[finished] - mass[finished])
        mass = after
    return law


@claim(
    "scenario-2/independence",
    section=SECTION,
    statement="""Given the state in which an arm is played, reward and next state are independent, as a product of a
    posterior of rewards and one of rows supposes.""",
    domain="scenario 2: reward 1 exactly on the transition to the finished state; stages 1..10 of arms 1..9",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    printed=False,
    mutants={"arm 9 only": {"arms": (9,)}},
    controls={"a task that finishes for certain": {"arms": (10,)}},
)
def independence(book: Book, arms: Sequence[int] = tuple(range(1, 10))) -> Finding:
    for a in arms:
        arm = task_arm(fmpq(a, 10))
        for x in range(arm.size - 1):
            finish = arm.transitions[x][arm.size - 1]
            covariance = finish - arm.rewards[x] * finish  # E[R 1{finish}] - E[R] P{finish}, R = 1{finish}
            if covariance != 0:
                return fails(
                    {"arm": a, "stage": x + 1, "P{finish}": finish, "covariance of reward and finishing": covariance},
                    reason="Values depend on mean rewards and rows only; the law of the pair does not.",
                )
    return holds(Evidence.CERTIFIED, arms=list(arms))


@claim(
    "scenario-2/size",
    section=SECTION,
    statement="The global MDP of scenario 2 has 11^9 = 2357947691 states.",
    domain="nine arms of eleven states",
    evidence=Evidence.CERTIFIED,
    mutants={"9^11": {"printed": 9**11}},
)
def size(book: Book, printed: int = 2357947691) -> Finding:
    states = paper_model("task-scheduling").number_of_global_states
    return decide(states == printed == 11**9, Evidence.CERTIFIED, states=states)


@claim(
    "scenarios/steps",
    section=SECTION,
    statement="3000 episodes with beta = 0.99, horizons geometric of parameter 0.01, take 300000 steps in expectation.",
    domain="K = 3000, beta = 99/100",
    evidence=Evidence.CERTIFIED,
    mutants={"beta = 0.9": {"discount": fmpq(9, 10)}, "parameter 0.99": {"parameter": fmpq(99, 100)}},
)
def steps(book: Book, discount: Exact = fmpq(99, 100), parameter: Exact = fmpq(1, 100)) -> Finding:
    t = sympy.Symbol("t")
    p = sympy_rational(parameter)
    generating = p * t / (1 - (1 - p) * t)  # of the geometric law on 1, 2, ...
    mean = sympy.diff(generating, t).subs(t, 1)
    agrees = 3000 * mean == 300000 and p == 1 - sympy_rational(discount)
    return decide(bool(agrees), Evidence.CERTIFIED, mean_horizon=str(mean), steps=str(3000 * mean))


@claim(
    "scenario-3/draws",
    section=SECTION,
    statement="""Whatever is drawn, (p_L, p_R) from Dirichlet(1,1,1), p_RL from Dirichlet(1,1), makes a random walk arm:
    its rows are probability rows.""",
    domain="all of the simplices",
    evidence=Evidence.PROOF,
    mutants={"p_L and p_R independent and uniform": {"independent": True}},
)
def draws(book: Book, independent: bool = False) -> Finding:
    u, v, w = sympy.symbols("u v w", positive=True)  # a point of the simplex is (u, v, w) / (u + v + w)
    total = u + v + w
    left, right = (u / (1 + u), v / (1 + v)) if independent else (u / total, v / total)
    back = u / (u + v)
    entries = {
        "state 1": (1 - right, right),
        "states 2 and 3": (left, 1 - left - right, right),
        "state 4": (back, 1 - back),
    }
    for name, row in entries.items():
        if sympy.simplify(sum(row) - 1) != 0:
            return fails({"row": name, "sum": str(sum(row))})
        for entry in row:
            parts = sympy.fraction(sympy.cancel(entry))
            if any(coefficient < 0 for part in parts for coefficient in sympy.Poly(part, u, v, w).coeffs()):
                corner = fmpq(3, 4), fmpq(1, 2)
                return fails({"row": name, "p_L": corner[0], "p_R": corner[1], "1 - p_L - p_R": 1 - sum(corner)})
    return holds(Evidence.PROOF, reason="Every entry is a quotient of polynomials with positive coefficients.")
