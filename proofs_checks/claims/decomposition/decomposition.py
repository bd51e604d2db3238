"""The concentration gap: one policy in two models over a finite horizon (`lem:regret_decomposition`).

For a policy pi and horizon H, with W' the values in M_k and W those in M, and X played in M,
``W'_{1:H} - W_{1:H} = E sum_t (r_k - r)(X_t) + ((P_k - P) W'_{t+1:H})(X_t)``: everything here follows from it.
"""

from __future__ import annotations

from itertools import pairwise

import sympy  # type: ignore[import-untyped]
from flint import fmpq

from proofs_checks.arguments.row_arguments import (
    at_most_the_horizon,
    decomposition_step,
    idle_arms_leave_the_norm,
    longer_is_more,
    one_step_difference,
)
from proofs_checks.arguments.symbolic import is_identity, nonnegative_above
from proofs_checks.claims.decomposition.model_pairs import (
    LONGEST,
    bound_of_lemma,
    first_violation,
    pairs,
    upper_bound,
    won_or_lost,
)
from proofs_checks.ledger import Book, Evidence, Finding, claim, fails, holds, undecided
from theory import ZERO, GlobalState, expectation, sympy_rational
from theory.optimism import distance
from theory.values import finite_horizon_value, moved, values_after

SECTION = "Proof of Theorem 1: concentration gap"
DOMAIN = "finite bandits M, M_k of equal sizes, rewards of M_k at least 0; any deterministic policy; H >= 1; any start"


@claim(
    "lem:regret_decomposition/step",
    section=SECTION,
    statement="""P_k W' - P W = (P_k - P) W' + P (W' - W), and it does not change when a constant c is taken from W' in
    the first product, the rows being probabilities.""",
    domain="all rows of equal length, all values, all c",
    evidence=Evidence.PROOF,
    mutants={"P_k in the second product": {"second": "learned"}, "rows that sum to less": {"total": fmpq(1, 2)}},
)
def step(book: Book, second: str = "true", total: fmpq = fmpq(1)) -> Finding:
    """Expand one term of the sums: c (p_k - p) is left, and its sum over the next states is c (sum p_k - 1)."""
    p_k, p, c = sympy.symbols("p_k p c")
    left = one_step_difference(second)
    if not is_identity(left, c * (p_k - p)):
        return fails({"left over for one next state": str(left), "should be": "c (p_k - p)"})
    if total != 1:
        return fails({"sum of the row of M_k": total, "c": 1, "left over": total - 1})
    return holds(Evidence.PROOF, reason="For one next state c (p_k - p) is left; over all of them this sums to 0.")


@claim(
    "lem:regret_decomposition/monotone",
    section=SECTION,
    statement="W_{M_k,h:H}(x) <= W_{M_k,1:H}(x) for every h and x, so a bound on W_{1:H} bounds every W_{h:H}.",
    domain="rewards of M_k at least 0; any policy",
    evidence=Evidence.PROOF,
    mutants={"rewards from -1": {"lowest": -1}},
)
def monotone(book: Book, lowest: int = 0) -> Finding:
    """Prove the induction in free symbols; compare W_{j+1} - W_j = P (W_j - W_{j-1}) with computed values."""
    for pair in pairs(book, "monotone", lowest):
        spans = [finite_horizon_value(pair.learned, pair.policy, steps) for steps in range(LONGEST + 1)]
        gains = [{x: b[x] - a[x] for x in b} for a, b in pairwise(spans)]
        for steps, gain in enumerate(gains):
            for state, arm in pair.policy.items():
                owner, x = pair.learned.arms[arm], state[arm]
                again = (
                    owner.rewards[x]
                    if steps == 0
                    else expectation(owner.transitions[x], values_after(pair.learned, gains[steps - 1], state, arm))
                )
                if gain[state] != again or gain[state] < 0:
                    return fails({"M_k": pair.learned, "steps": steps, "state": state, "gain of one step": gain[state]})
    if not longer_is_more(lowest):
        return undecided("the induction needs rewards of at least 0")
    return holds(
        Evidence.PROOF,
        reason="Induction: W_1 - W_0 = r >= 0, and W_{j+1} - W_j = P (W_j - W_{j-1}) for a row P of any length.",
    )


@claim(
    "lem:regret_decomposition/horizon-bound",
    section=SECTION,
    statement="0 <= W_{M_k,1:H}(x) <= H, so that B_k = H_k may be taken.",
    domain="rewards of M_k in [0, 1]; any policy; H >= 1",
    evidence=Evidence.PROOF,
    mutants={"rewards from -1": {"lowest": -1}, "H - 1": {"less": 1}},
)
def horizon_bound(book: Book, lowest: int = 0, less: int = 0) -> Finding:
    for pair in pairs(book, "horizon bound", lowest):
        for steps in range(1, LONGEST + 1):
            for state, value in finite_horizon_value(pair.learned, pair.policy, steps).items():
                if not 0 <= value <= steps - less:
                    return fails({"M_k": pair.learned, "H": steps, "state": state, "W": value})
    if not (longer_is_more(lowest) and at_most_the_horizon(less)):
        return undecided("the induction needs rewards in [0, 1] and the bound H")
    return holds(
        Evidence.PROOF,
        reason="Induction: (H + 1) - r - sum p W = (1 - r) + sum p (H - W) for a row of any length; W grows with H.",
    )


@claim(
    "lem:regret_decomposition/norms",
    section=SECTION,
    statement="||P_k^pi(x,.) - P^pi(x,.)||_1 = ||Q_k(x_a,.) - Q(x_a,.)||_1 with a = pi(x).",
    domain="finite bandits of equal sizes, any policy, any global state x",
    evidence=Evidence.PROOF,
    mutants={"row of the next arm": {"shift": 1}},
)
def norms(book: Book, shift: int = 0) -> Finding:
    tried = 0
    for pair in pairs(book, "norms"):
        for state, arm in pair.policy.items():
            tried += 1
            whole: dict[GlobalState, fmpq] = {}
            for sign, bandit in ((1, pair.learned), (-1, pair.true)):
                for to, p in enumerate(bandit.arms[arm].transitions[state[arm]]):
                    after = moved(state, arm, to)
                    whole[after] = whole.get(after, ZERO) + sign * p
            other = (arm + shift) % len(pair.true.arms)
            local = distance(
                pair.learned.arms[other].transitions[state[other]], pair.true.arms[other].transitions[state[other]]
            )
            norm = sum(map(abs, whole.values()), ZERO)
            if norm != local:
                return fails(pair.described(state=state, global_norm=norm, local_norm=local))
    if not idle_arms_leave_the_norm():
        return undecided("the sum over an idle arm is not 1")
    return holds(
        Evidence.PROOF,
        reason="""P(x, y) is Q(x_a, y_a) times 1{y_b = x_b} for each other arm b, and the sum of that indicator over
        y_b is 1: summed out one after the other, the idle arms leave the norm as it is.""",
        instances_compared=tried,
    )


WORKING_STEPS = ("lem:regret_decomposition/step", "lem:regret_decomposition/norms")


@claim(
    "lem:regret_decomposition",
    section=SECTION,
    statement="""W_{M_k,1:H}(x) - W_{M,1:H}(x) <= E sum_{t<=H} |r_k(X_t) - r(X_t)| + B ||Q_k(X_t,.) - Q(X_t,.)||_1,
    play being in M from x, for every B >= 0 that bounds W_{M_k,1:H} in all global states.""",
    domain=DOMAIN,
    evidence=Evidence.PROOF,
    mutants={
        "rewards of M_k from -1": {"lowest": -1},
        "rewards from -1, B bounds every W_{h:H}": {"lowest": -1, "of": "all horizons"},
        "B/4 in place of B": {"factor": fmpq(1, 4)},
    },
)
def decomposition(book: Book, lowest: int = 0, of: str = "whole horizon", factor: fmpq = fmpq(1)) -> Finding:
    """Compare both sides exactly, with the least admissible B, for every H up to five and every start."""
    for pair in pairs(book, "decomposition", lowest):
        if violation := first_violation(pair, of, factor):
            return fails(violation)
    B = sympy.Symbol("B")
    proved = lowest >= 0 and decomposition_step(0 * B, B, 0 * B, sympy_rational(factor) * B)
    if not (proved and book.stands(*WORKING_STEPS, "lem:regret_decomposition/monotone")):
        return undecided("the induction on H does not apply")
    return holds(
        Evidence.PROOF,
        reason="""Induction on H by the identity of the step, where 0 <= W' <= B: both W' >= 0 and
        W'_{2:H} <= W'_{1:H} use that the rewards of M_k are at least 0.""",
    )


@claim(
    "lem:regret_decomposition/signed",
    section=SECTION,
    statement="""The inequality of the lemma holds for rewards of any sign when B bounds the absolute value of
    W_{M_k,h:H} for every h.""",
    domain="finite bandits of equal sizes, rewards of any sign; any deterministic policy; H >= 1; any start",
    evidence=Evidence.PROOF,
    mutants={
        "B bounds W_{h:H} from above only": {"of": "all horizons"},
        "B bounds W_{1:H} only": {"of": "whole horizon"},
    },
)
def signed(book: Book, of: str = "absolute") -> Finding:
    for pair in pairs(book, "signed", -1):
        if violation := first_violation(pair, of, fmpq(1)):
            return fails(violation)
    B = sympy.Symbol("B")
    if of != "absolute" or not decomposition_step(-B, B, 0 * B, B) or not book.stands(*WORKING_STEPS):
        return undecided("the induction on H does not apply")
    return holds(Evidence.PROOF, reason="The induction of the lemma, where -B <= W' <= B.")


@claim(
    "lem:regret_decomposition/sharper",
    section=SECTION,
    statement="""In the lemma, B/2 may stand for B, and B need bound W_{M_k,2:H} only. No factor below 1/2 does for all
    H when B is the least bound of W_{M_k,1:H}.""",
    domain=DOMAIN,
    evidence=Evidence.PROOF,
    mutants={
        "49/100 in place of 1/2": {"factor": fmpq(49, 100), "of": "whole horizon"},
        "rewards of M_k from -1": {"lowest": -1},
    },
)
def sharper(book: Book, factor: fmpq = fmpq(1, 2), of: str = "one step less", lowest: int = 0) -> Finding:
    """Bound the factor from below, too: a reward of H - 1 that is surely lost needs at least (H-1)/(2H)."""
    for pair in pairs(book, "sharper", lowest):
        if violation := first_violation(pair, of, factor):
            return fails(violation)
    worst, longest = won_or_lost(), 60
    gap = finite_horizon_value(worst.learned, worst.policy, longest)[0,]  # M earns nothing
    bound = upper_bound(worst, longest, "whole horizon")
    if of == "whole horizon" and gap > (right := bound_of_lemma(worst, longest, factor * bound)[0,]):
        return fails(worst.described(H=longest, gap=gap, B=bound, factor=factor, bound=right))
    B = sympy.Symbol("B")
    proved = lowest >= 0 and decomposition_step(0 * B, B, B / 2, sympy_rational(factor) * B)
    stands = book.stands(*WORKING_STEPS, "lem:regret_decomposition/monotone")
    if not (proved and stands and no_factor_below_half()):
        return undecided("the induction on H does not apply")
    return holds(
        Evidence.PROOF,
        reason="""The step with c = B/2, where |W' - B/2| <= B/2. Least favourable: M_k moves at once to a state of
        reward 1, M to one of reward 0; the gap is H - 1, the bound 2 factor H, and (1/2 - e) fails from H > 1/(2e).""",
    )


def no_factor_below_half() -> bool:
    """Prove for every H that `won_or_lost` has the values (H-1, H, 0) in M_k and (0, 0, 0) from its first state in M.

    So the gap less the bound with the factor 1/2 - e is H - 1 - 2 (1/2 - e) H = 2 e H - 1.
    """
    H, e, more = sympy.symbols("H e more", positive=True)
    arm = won_or_lost().learned.arms[0]
    rows = [[sympy_rational(p) for p in row] for row in arm.transitions]
    rewards = [sympy_rational(r) for r in arm.rewards]
    values = [H - 1, H, sympy.Integer(0)]
    following = [r + sum(p * v for p, v in zip(row, values, strict=True)) for r, row in zip(rewards, rows, strict=True)]
    recursion = all(is_identity(a, b.subs(H, H + 1)) for a, b in zip(following, values, strict=True))
    begins = [value.subs(H, 1) for value in values] == rewards
    excess = (H - 1 - 2 * (sympy.Rational(1, 2) - e) * H).subs(H, 1 / (2 * e) + more)
    return recursion and begins and nonnegative_above(sympy.expand(excess), {e: 0, more: 0})
