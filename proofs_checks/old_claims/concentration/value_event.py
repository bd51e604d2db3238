"""Event E^V of Lemma `concentration`: it speaks of all S^n global states, its union bound of nS arm states only.

What closes the gap is that V*, as a function of one arm's state, is a mixture of at most S retirement functions of that
arm, whatever n is and wherever the other arms are (`theory.values.hull`). The deviation in E^V is affine in V*, so it
is enough that it is small for those S functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import sympy  # type: ignore[import-untyped]
from flint import fmpq, fmpq_mat

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, undecided
from theory import ONE, ZERO, Arm, Bandit, expectation, gittins_indices, stopped_chain
from theory.gittins import continuation_set, values_with_retirement
from theory.random_models import random_bandit
from theory.values import (
    extreme_functions,
    moved,
    optimal_value,
    retirement_function,
    retirement_mixture,
    value_by_retirement,
)

SECTION = "Lemma concentration: values"
HALF = fmpq(1, 2)


def constant_states(rewards: Sequence[fmpq | int]) -> Arm:
    """Return an arm whose states are all absorbing."""
    size = len(rewards)
    return Arm(rewards=rewards, transitions=[[int(x == y) for y in range(size)] for x in range(size)])


@claim(
    "cited:whittle",
    section="Results from the literature",
    statement="""The optimal value is B - integral up to B of the product over the arms of the derivatives, in the
    retirement reward m, of their retirement functions phi_a(x_a, m), for B >= max index/(1-beta). Each phi_a(x_a, .)
    is convex and linear between breakpoints index/(1-beta), with slopes from 0 to 1, and equals m from the last one
    on.""",
    domain="finite arms, 0 <= beta < 1 (Whittle 1980, Theorem 1)",
    evidence=Evidence.CITED,
    mutants={"one arm left out of the product": {"left_out": 1}, "slopes up to 9/10": {"last_slope": fmpq(9, 10)}},
)
def whittle(book: Book, left_out: int = 0, last_slope: fmpq = ONE) -> Finding:
    """Try it against policy iteration on the product, and phi_a against the stopping problem."""
    tried = 0
    for number in range(12):
        bandit = random_bandit(book.generator(f"cited:whittle {number}"), max_global_states=27)
        for arm in bandit.arms:
            for y in range(arm.size):
                phi = retirement_function(arm, bandit.discount, y)
                slopes, ends = list(phi.slopes), [phi(m) for m in phi.breakpoints]
                between = [(m + after) / 2 for m, after in pairwise(phi.breakpoints)]
                solved = [_with_retirement(arm, bandit.discount, m)[y] for m in (*phi.breakpoints, *between)]
                shaped = slopes == sorted(slopes) and slopes[0] == ZERO and slopes[-1] == last_slope
                if not shaped or [*ends, *map(phi, between)] != solved or ends[-1] != phi.breakpoints[-1]:
                    return fails({"rows": arm.transitions, "rewards": arm.rewards, "state": y, "slopes": slopes})
        fewer = Bandit(bandit.arms[left_out:] or bandit.arms, bandit.discount)
        for state, value in optimal_value(bandit).values.items():
            tried += 1
            found = value_by_retirement(fewer, state[len(state) - len(fewer.arms) :])
            if found != value:
                return fails({"model": bandit, "state": state, "optimum": value, "integral": found})
    return holds(Evidence.CITED, instances=tried)


def _with_retirement(arm: Arm, discount: fmpq, m: fmpq) -> tuple[fmpq, ...]:
    return values_with_retirement(stopped_chain(arm, discount, continuation_set(arm, discount, m)), discount, m)


# -- the printed proof -------------------------------------------------------------------------------------------------


@claim(
    "conc:V/range",
    section=SECTION,
    statement="""One observation R + beta f(Y), for a function f from 0 to 1/(1-beta) such as V*(., x_{-a}) or
    phi_a(., m) with 0 <= m <= 1/(1-beta), lies in [0, 1/(1-beta)], and Hoeffding's bound for the mean of l of them at
    e = L_{k-1}/(2(1-beta) sqrt l) is 1/(SnK tau_k). (R and Y may depend on each other.)""",
    domain="rewards in [0, 1], 0 <= beta < 1, l >= 1; one fixed f",
    evidence=Evidence.PROOF,
    mutants={"beta left out: R + V*": {"discounted": False}, "e = L/(2 sqrt l)": {"width_in_radius": False}},
    repairs=("conc:V/mean",),
)
def value_range(book: Book, discounted: bool = True, width_in_radius: bool = True) -> Finding:
    beta, q, trials = sympy.symbols("beta q l", positive=True)  # q = 2SnK tau_k
    width = 1 + (beta if discounted else 1) / (1 - beta)
    radius = sympy.sqrt(sympy.log(q) / (2 * trials)) / ((1 - beta) if width_in_radius else 1)
    bound = sympy.simplify(2 * sympy.exp(-2 * trials * sympy.simplify(radius**2 / width**2)))
    if sympy.simplify(bound - 2 / q) != 0:
        at_half = sympy.simplify(width.subs(beta, sympy.Rational(1, 2)))
        return fails({"width": str(sympy.simplify(width)), "width at beta = 1/2": str(at_half), "bound": str(bound)})
    # phi_a(., m) is the value of a play that pays at most 1 per step, or (1-beta) m from some step on: its sum
    whole = sympy.simplify((1 - beta**trials) / (1 - beta) + beta**trials / (1 - beta) - 1 / (1 - beta))
    if whole != 0 or not book.stands("cited:hoeffding"):
        return undecided("cited:hoeffding does not stand, or a value may exceed 1/(1-beta)")
    return holds(
        Evidence.PROOF,
        reason=(
            "1 + beta/(1-beta) = 1/(1-beta); rewards in [0, 1] for l steps and then m <= 1/(1-beta) are worth from 0 "
            "to (1-beta^l)/(1-beta) + beta^l/(1-beta) = 1/(1-beta)"
        ),
    )


@claim(
    "conc:V/mean",
    section=SECTION,
    statement="The deviation that E^V bounds is that of the empirical mean r-hat + P-hat V* from r + P V*.",
    domain="all n, S, 0 < beta < 1",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"beta = 1/4": {"beta": fmpq(1, 4)}},
    controls={"r-hat + beta P-hat V*, from r + beta P V*": {"discounted": True}},
)
def printed_mean(book: Book, beta: fmpq = HALF, discounted: bool = False) -> Finding:
    arm = Arm(rewards=[1, 0], transitions=[[HALF, HALF], [HALF, HALF]])
    values = list(optimal_value(Bandit([arm], beta)).values.values())
    deviation = expectation([ONE, ZERO], values) - expectation(arm.transitions[0], values)
    in_event, printed = beta * deviation, (beta if discounted else ONE) * deviation
    if in_event == printed:
        return holds(Evidence.CERTIFIED)
    return fails(
        {
            "model": Bandit([arm], beta),
            "V*": values,
            "observed": "one move from state 1 to state 1; r-hat = r",
            "deviation in E^V": in_event,
            "deviation of r-hat + P-hat V*": printed,
        },
        reason="the range of R + V* is (2-beta)/(1-beta) wide, too wide for the printed radius: see conc:V/range",
    )


@claim(
    "conc:V/union",
    section=SECTION,
    statement="""The deviation r-hat - r + beta (P-hat^a - P^a) V* at a global state x depends on x through x_a only,
    so a union over the nS arm states covers E^V.""",
    domain="all n, S, beta",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"arm 2 pays 1/2 or 3/4": {"of_arm_2": (HALF, fmpq(3, 4))}},
    controls={"arm 2 alike in both states": {"of_arm_2": (ZERO, ZERO)}, "n = 1": {"of_arm_2": ()}},
)
def union_over_local_states(book: Book, of_arm_2: tuple[fmpq, ...] = (ZERO, ONE)) -> Finding:
    arm = Arm(rewards=[1, 0], transitions=[[HALF, HALF], [HALF, HALF]])
    bandit = Bandit([arm, constant_states(of_arm_2)] if of_arm_2 else [arm], HALF)
    optimum = optimal_value(bandit).values
    deviations = {}
    for state in optimum:
        if state[0] == 0:
            values = [optimum[moved(state, 0, y)] for y in range(2)]
            deviations[state] = HALF * (values[0] - expectation(arm.transitions[0], values))
    if len(set(deviations.values())) == 1:
        return holds(Evidence.CERTIFIED)
    return fails(
        {
            "model": bandit,
            "V*": {str(state): value for state, value in optimum.items()},
            "observed": "one move of arm 1 from state 1 to state 1; r-hat = r",
            "deviation at each x": {str(state): value for state, value in deviations.items()},
        },
        reason="S^(n-1) functions V*(., x_{-a}) per arm, of which the printed union counts one",
    )


# -- the hull of retirement functions ----------------------------------------------------------------------------------


@claim(
    "conc:V/hull",
    section=SECTION,
    statement="""For each arm a and all states of the other arms, V*(y, x_{-a}) = c + sum_j w_j phi_a(y, m_j) with
    w_j >= 0 summing to 1, c >= 0 not depending on y, and m_j the arm's own breakpoints
    (index/(1-beta)).""",
    domain="any number of arms and states, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"c = 0": {"with_constant": False}, "one other arm left out": {"left_out": 1}},
)
def hull(book: Book, with_constant: bool = True, left_out: int = 0) -> Finding:
    """Random exact bandits could refute it; SymPy does the two identities; the argument is in `reason`."""
    instances = 0
    for number in range(60):
        bandit = random_bandit(book.generator(f"conc:V/hull {number}"), max_global_states=27)
        optimum = optimal_value(bandit).values
        for state in optimum:
            for a in range(len(bandit.arms)):
                others = [b for b in range(len(bandit.arms)) if b != a][left_out:]
                seen = Bandit([bandit.arms[b] for b in (a, *others)], bandit.discount)
                mixture = retirement_mixture(seen, 0, [state[b] for b in (a, *others)])
                shift = ZERO if with_constant else mixture.constant
                expected = tuple(optimum[moved(state, a, y)] for y in range(bandit.arms[a].size))
                right = min(mixture.weights) >= 0 and sum(mixture.weights, ZERO) == 1 and mixture.constant >= 0
                instances += 1
                if not right or tuple(value - shift for value in mixture.values) != expected:
                    return fails(
                        {"model": bandit, "arm": a + 1, "state": state, "V*": expected, "mixture": mixture.values}
                    )
    if not (_step_is_retirement() and _mixture_of_steps() and book.stands("cited:whittle")):
        return undecided("a symbolic step does not come out, or cited:whittle does not stand")
    return holds(
        Evidence.PROOF,
        reason=(
            "Whittle's integral is linear in g(m) = prod_{b != a} d/dm phi_b(x_b, m), a non-decreasing "
            "step function that ends at 1 (each phi_b is convex, with slopes from 0 to 1; for n = 1, g = "
            "1); for one unit step at p it is B - (phi_a(y, B) - phi_a(y, p)) = phi_a(y, p), which is "
            "linear in p between two breakpoints, constant below the first and p above the last. Symbolic: the "
            "product of two non-decreasing functions from 0 to 1 is one (so by induction that of any number); "
            "the sum by parts; the step; the interpolation"
        ),
        exact_instances=instances,
    )


def _mixture_of_steps() -> bool:
    """Check that products of slopes do not decrease, and the sum by parts, one jump at a time (so by induction)."""
    f, g, df, dg = sympy.symbols("f g df dg", nonnegative=True)
    grows = sympy.expand((f + df) * (g + dg) - f * g).is_nonnegative is True
    # B is sum of jumps times B; a further jump at p adds (to g) a unit step from p on, times its size
    B, before, after, jump, at_p = sympy.symbols("B before after jump at_p")
    # `before` = sum of jumps so far; `after` = B before - integral so far; the integral of phi' from p to B is B - at_p
    by_parts = sympy.expand((B * (before + jump) - ((B * before - after) + jump * (B - at_p))) - (after + jump * at_p))
    return grows and by_parts == 0


def _step_is_retirement() -> bool:
    """Check both identities on a generic segment of a retirement function, between breakpoints m and m + d."""
    m, d, rest, slope, value, share = sympy.symbols("m d rest slope value share", positive=True)
    B = m + d + rest  # phi has some slopes between m + d and B that add up to B - (value + slope d)
    p = m + share * d
    at_p = value + slope * (p - m)
    integral = slope * (m + d - p) + (B - (value + slope * d))
    interpolated = (1 - share) * value + share * (value + slope * d)
    return bool(sympy.expand(B - integral - at_p) == 0 and sympy.expand(interpolated - at_p) == 0)


@claim(
    "conc:V/functions",
    section=SECTION,
    statement="""Per arm, S functions are enough, whatever n is: one for each distinct index, the last of them
    constant. Two arms can need all S of them.""",
    domain="any n; the example has n = 2, S = 3",
    evidence=Evidence.PROOF,
    mutants={"S - 1 are enough": {"fewer": 1}},
)
def number_of_functions(book: Book, fewer: int = 0) -> Finding:
    """Arm 2's states are absorbing, and each pays one index of arm 1: V*(., x_2) is an extreme function itself."""
    third = fmpq(1, 3)
    arm = Arm(rewards=[1, HALF, 0], transitions=[[third] * 3, [HALF, HALF, 0], [0, HALF, HALF]])
    beta = HALF
    levels, functions = extreme_functions(arm, beta)
    bandit = Bandit([arm, constant_states([(1 - beta) * m for m in levels])], beta)
    optimum = optimal_value(bandit).values
    needed = [tuple(optimum[y, j] for y in range(arm.size)) for j in range(len(levels))]
    # affinely independent modulo constants: none is a mixture of the others, plus a constant
    directions = [[f[y] - f[0] - functions[-1][y] + functions[-1][0] for y in range(1, 3)] for f in needed[:-1]]
    independent = fmpq_mat(directions).rank() == len(levels) - 1
    if not independent or tuple(needed) != functions or len(set(functions[-1])) != 1:
        raise ArithmeticError("the example does not have three independent functions")
    if len(needed) > arm.size - fewer:
        return fails({"model": bandit, "V*(., x_2), independent modulo constants": needed, "claimed": arm.size - fewer})
    if not book.stands("conc:V/hull"):
        return undecided("conc:V/hull does not stand")
    return holds(
        Evidence.PROOF,
        indices=gittins_indices(arm, beta),
        functions=functions,
        reason="phi_a(y, m) = m for m at or above the arm's largest breakpoint; there the deviation is r-hat - r",
    )
