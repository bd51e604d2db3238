"""MB-UCRL2 (appendix): its regret, display by display.

L stands for L_{k-1} and s for sqrt(S); both are free, with L > 0 and s >= 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from flint import arb, fmpq

from proofs_checks.computations.symbolic import algebra, is_identity, nonnegative_above
from proofs_checks.claims.mb_ucrl2.event import SECTION
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import Arm, Bandit, Exact, GlobalState, expectation, rational, sympy_rational
from theory.certified import Truth, at_most, less
from theory.optimism import distance
from theory.paper import log_factor
from theory.random_models import random_bandit, random_member, random_policy
from theory.values import finite_horizon_value, values_after


@claim(
    "ucrl2/decomposition",
    section=SECTION,
    statement="""With rewards of M_k in [0, R], W_{M_k,1:H} - W_{M,1:H} is at most the expectation in M of the sum over
    steps h = 1..H of |r_k - r| + (R/2)(H - h) ||Q_k - Q||_1 at the arm state played: sharper than B_k = R H by the
    factor 1/2 and by H - h.""",
    domain="any two models with rewards of M_k in [0, R], any policy, any H",
    evidence=Evidence.PROOF,
    mutants={
        "factor 1/4": {"factor": fmpq(1, 4)},
        "H - h - 1": {"fewer": 1},
        "R is 2/3 of the range": {"cut": fmpq(2, 3)},
    },
)
def sharper_decomposition(
    book: Book, factor: fmpq = fmpq(1, 2), fewer: int = 0, cut: fmpq = fmpq(1), instances: int = 150
) -> Finding:
    """One step telescopes; the other two facts are 0 <= W_{M_k,h+1:H} <= R (H - h), and the span bound.

    The span bound: let the positive entries of Q_k - Q sum to p, as the negative ones do, and let the averages of
    W_{M_k,h+1:H} over them be R (H - h) - u and v, with u, v >= 0. Then (Q_k - Q) W is p (R (H - h) - u) - p v, and
    ||Q_k - Q||_1 = 2p.
    """
    sympy = algebra()
    r, r_k, R_, left, p, u, v = sympy.symbols("r r_k R left p u v")  # left = H - h
    Q, Q_k, W, W_k = sympy.symbols("Q Q_k W W_k", commutative=False)
    one_step = sympy.expand(r_k + Q_k * W_k - (r + Q * W) - ((r_k - r) + (Q_k - Q) * W_k + Q * (W_k - W))) == 0
    share = sympy_rational(factor * cut)
    span = share * R_ * (left - fewer) * (2 * p) - (p * (R_ * left - u) - p * v)
    spans = nonnegative_above(sympy.expand(span), {R_: 0, left: 0, p: 0, u: 0, v: 0})
    range_of_w = book.stands("ucrl2/B_k/repair")  # times R
    generator = book.generator("ucrl2/decomposition")
    for _ in range(instances):
        drawn = random_bandit(generator, max_arms=2, max_global_states=9, radii=True)
        R = fmpq(int(generator.integers(1, 4)))
        arms = [replace(arm, rewards=tuple(R * r for r in arm.rewards), states=()) for arm in drawn.arms]
        believed = Bandit(arms, drawn.discount, drawn.initial)
        true = random_member(generator, believed)
        policy, H = random_policy(generator, believed), int(generator.integers(1, 6))

        def cost(a: int, x: int, left: int, true: Bandit = true, believed: Bandit = believed, R: fmpq = R) -> fmpq:
            reward_gap, row_gap = gaps(true, believed, a, x)
            return reward_gap + factor * cut * R * max(0, left - 1 - fewer) * row_gap

        bound = expected_sum(true, policy, H, cost)
        of_k, of_m = finite_horizon_value(believed, policy, H), finite_horizon_value(true, policy, H)
        for state in policy:
            if of_k[state] - of_m[state] > bound[state]:
                return fails({"M": true, "M_k": believed, "R": R, "policy": policy, "H": H, "state": state,
                              "difference": of_k[state] - of_m[state], "bound": bound[state]})  # fmt: skip
    if not (one_step and spans and range_of_w):
        return undecided("neither proved nor refuted")
    return holds(
        Evidence.PROOF,
        reason="W_k - W = r_k - r + (Q_k - Q) W_k' + Q (W_k' - W'); entries of Q_k - Q sum to 0, so its product with "
        "values in [0, R(H - h)] is at most R(H - h) times its positive part, which is half its L1 norm; induct",
        random_models_tried=instances,
    )


def gaps(true: Bandit, believed: Bandit, arm: int, state: int) -> tuple[fmpq, fmpq]:
    """Return |r_k - r| and the L1 distance of the rows, in one arm state."""
    ours, theirs = true.arms[arm], believed.arms[arm]
    return abs(theirs.rewards[state] - ours.rewards[state]), distance(
        theirs.transitions[state], ours.transitions[state]
    )


def expected_sum(
    true: Bandit, policy: dict[GlobalState, int], steps: int, cost: Callable[[int, int, int], fmpq]
) -> dict[GlobalState, fmpq]:
    """Return the expectation over an episode in `true` of the sum of cost(arm, its state, steps left, this one too)."""
    total = dict.fromkeys(policy, fmpq(0))
    for left in range(1, steps + 1):
        total = {
            state: cost(a, state[a], left)
            + expectation(true.arms[a].transitions[state[a]], values_after(true, total, state, a))
            for state, a in policy.items()
        }
    return total


WITNESS_L, WITNESS_ROOT_N, WITNESS_H = 6, 1000, 3


def rarely_left(rate: Exact, reward: Exact, first: Exact = 0) -> Bandit:
    """Return one arm that leaves its state A, of reward `first`, at `rate` for an absorbing state B of this reward."""
    return Bandit(
        [Arm(rewards=[first, reward], transitions=[[1 - rational(rate), rate], [0, 1]], states=["A", "B"])], 0, ["A"]
    )


def _printed_bound(true: Bandit, share: fmpq) -> arb:
    """Return the display's right-hand side for `rarely_left`, with its counts in A and 1 in B."""
    leaving = true.arms[0].transitions[0][1]
    in_a = sum(((1 - leaving) ** h for h in range(WITNESS_H)), fmpq(0))
    in_b = WITNESS_H - in_a
    per_visit = arb(share) * (WITNESS_L + (2 * WITNESS_L + 3 * arb(2).sqrt()) * WITNESS_H)
    return per_visit * (arb(in_a) / WITNESS_ROOT_N + arb(in_b))


@claim(
    "ucrl2/display-half",
    section=SECTION,
    statement="""Under the event, the expectation of Delta^conc_k given the past and H_k is at most that of one half of
    the sum over the episode's steps of (L + (2L + 3 sqrt S) H_k)/sqrt(max{1, N}).""",
    domain="any past of at least one episode, any H_k, and models M, M_k of the plausible set as printed",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"one quarter of the sum": {"share": fmpq(1, 4)}},
    controls={"rewards cut off at 1": {"cut_off": True}},
)
def display_with_half(book: Book, share: fmpq = fmpq(1, 2), cut_off: bool = False) -> Finding:
    """Prove it step by step from the sharper decomposition; refute it where a rare state's reward exceeds 1."""
    sympy = algebra()
    L, s, h, rest = sympy.symbols("L s h rest")
    H = h + rest
    printed = sympy_rational(share) * (L + (2 * L + 3 * s) * H)
    at_step_h = L + (H - h) * (L + sympy.Rational(3, 2) * s)  # both radii doubled
    enough = nonnegative_above(printed - at_step_h, {L: 0, s: 1, h: 1, rest: 0})
    proved = enough and book.finding("ucrl2/decomposition").verdict is Verdict.HOLDS
    reason = "sharper decomposition: at step h, with both radii doubled, the slack is h(L + 1.5 sqrt S) - L/2 >= 0"
    if cut_off:
        return holds(Evidence.PROOF, reason=reason) if proved else undecided("not implied step by step")
    witness = _rare_state_witness(share)
    if not proved:
        return fails(witness)
    return holds_only("plausible sets cut to rewards in [0, 1]", Evidence.PROOF, witness, reason=reason)


def _rare_state_witness(share: fmpq) -> dict[str, object]:
    true, centre, believed = (rarely_left(fmpq(p, 10**5), r) for p, r in ((1, "1/2"), (401, 1), (801, 4)))
    gap = max(distance(model.arms[0].transitions[0], centre.arms[0].transitions[0]) for model in (true, believed))
    value, optimistic = (finite_horizon_value(model, lambda _: 0, WITNESS_H)[0,] for model in (true, believed))
    in_set = at_most(lambda: arb(gap), lambda: (WITNESS_L + fmpq(3, 2) * arb(2).sqrt()) / WITNESS_ROOT_N)
    beyond = less(lambda: _printed_bound(true, share), lambda: arb(optimistic - value))
    if in_set.both(beyond) is not Truth.YES:
        raise ArithmeticError("the stored witness is none")
    return {
        "S, n": (2, 1),
        "H_k": WITNESS_H,
        "L": WITNESS_L,
        "N(A), N(B)": (WITNESS_ROOT_N**2, 1),
        "radius L/(2 sqrt N) of the reward of B": fmpq(WITNESS_L, 2),
        "radius (L + 1.5 sqrt 2)/1000 of the row of A": (WITNESS_L + fmpq(3, 2) * arb(2).sqrt()) / WITNESS_ROOT_N,
        "largest distance of a row from the estimate": gap,
        "M": true,
        "estimates": centre,
        "M_k": believed,
        "W_{M_k} - W_M from A": optimistic - value,
        "printed bound": _printed_bound(true, share),
    }


@claim(
    "ucrl2/three-halves",
    section=SECTION,
    statement="(1/2)(L + (2L + 3 sqrt S) H) <= (3/2)(L + sqrt S) H.",
    domain="L >= 0, S >= 1, H >= 1",
    evidence=Evidence.PROOF,
    mutants={"5/4 in place of 3/2": {"factor": fmpq(5, 4)}, "H = 1/2": {"least_H": fmpq(1, 2)}},
)
def three_halves(book: Book, factor: fmpq = fmpq(3, 2), least_H: fmpq = fmpq(1)) -> Finding:
    sympy = algebra()
    L, s, H = sympy.symbols("L s H")
    times = sympy_rational(factor)
    slack = times * (L + s) * H - (L + (2 * L + 3 * s) * H) / 2
    if nonnegative_above(slack, {L: 0, s: 1, H: sympy_rational(least_H)}):
        return holds(Evidence.PROOF, reason="all coefficients are non-negative in L, sqrt S - 1, H - 1")
    at = {L: 100, s: 1, H: sympy_rational(least_H)}
    value = slack.subs(at)
    if value < 0:
        return fails({"L, sqrt S": (100, 1), "H": least_H, "right minus left": rational(value)})
    return undecided("neither proved nor refuted")


def double_sum_times_longest(front: Any, two: int) -> Finding:
    """Decide front * m * (S n m + 2 sqrt(S n K m)) = front * (S n m^2 + two sqrt(S n K) m^(3/2)), m = max H."""
    S, n, K, root = algebra().symbols("S n K root", positive=True)  # root = sqrt(m)
    left = front * root**2 * (S * n * root**2 + 2 * algebra().sqrt(S * n * K) * root)
    right = front * (S * n * root**4 + two * algebra().sqrt(S * n * K) * root**3)
    if is_identity(left, right):
        return holds(
            Evidence.PROOF, reason="Lemma sum bounds the double sum; L_{k-1} <= L_K and H_k <= max H before it"
        )
    at = {S: 1, n: 1, K: 1, root: 1}
    if not ((left - right).subs(at) / front).is_positive:
        return undecided("neither proved nor refuted")
    return fails({"S = n = K = max H": 1, "left": str(left.subs(at)), "right": str(right.subs(at))})


@claim(
    "ucrl2/sum",
    section=SECTION,
    statement="""The sum over episodes of one half of the printed sums is at most (3/2)(L_K + sqrt S) times
    S n max H^2 + 2 sqrt(S n K) max H^(3/2).""",
    domain="episodes k >= 2, where L_{k-1} is defined; Lemma sum and L_{k-1} <= L_K assumed",
    evidence=Evidence.PROOF,
    mutants={"1 in place of the inner 2": {"two": 1}},
)
def summed(book: Book, two: int = 2) -> Finding:
    if not book.stands("ucrl2/three-halves", "lem:sum", "conc:L"):
        return undecided("what it rests on does not stand")
    L, s = algebra().symbols("L s", positive=True)
    front = algebra().Rational(3, 2) * (L + s)
    return double_sum_times_longest(front, two)


NUMBER_OF_ARMS, LAST_EPISODE = 8, 7


def _regret_of_run() -> tuple[int, list[int]]:
    """Run MB-UCRL2 on arms of one state at beta = 0, rewards 0 but for the last arm, which pays 1; H_k = 1.

    The optimistic reward is the mean plus L/(2 sqrt max(1, N)), with mean 0 at N = 0. So while only worthless arms
    have been tried, the ones tried at most once tie for the largest, whatever L is; ties go to the arm least tried.
    """
    counts = [0] * NUMBER_OF_ARMS
    played = []
    regret = 0
    for _ in range(LAST_EPISODE):
        arm = min(range(NUMBER_OF_ARMS), key=lambda a: (max(1, counts[a]), counts[a], a))
        counts[arm] += 1
        played.append(arm + 1)
        regret += int(arm + 1 < NUMBER_OF_ARMS)
    return regret, played


@claim(
    "eq:proof_UCRL2_regret",
    section=SECTION,
    statement="""E[regret of MB-UCRL2] <= 5/(1 - beta) + the sum over k of E[Delta^model_k 1{not E}] and
    E[Delta^conc_k 1{not E}], both with the complement of the event, as printed.""",
    domain="K >= 2, any bandit",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"6 in place of 5": {"constant": 6}},
    controls={"with the event itself": {"on_event": True}},
)
def regret_display(book: Book, constant: int = 5, on_event: bool = False) -> Finding:
    """One deterministic run: the event holds surely, so the printed sums vanish while the regret does not."""
    if on_event:
        return _regret_split(book, constant)
    short = less(lambda: arb(1), lambda: arb(LAST_EPISODE).log())  # log(K(k-1)) from k = 2 on
    untried = less(lambda: arb(2), lambda: log_factor(1, NUMBER_OF_ARMS, LAST_EPISODE, 2, 0))  # |0 - 1| <= L/2
    regret, played = _regret_of_run()
    if short.both(untried) is Truth.YES and regret > constant:
        return fails(
            {
                "S, n, K, beta": (1, NUMBER_OF_ARMS, LAST_EPISODE, 0),
                "rewards": [0] * (NUMBER_OF_ARMS - 1) + [1],
                "optimistic reward": "mean (0 if untried) + L/(2 sqrt(max{1, N})); ties to the least tried",
                "arms played (all tie when tried at most once)": played,
                "H_k": 1,
                "probability of the complement of the event": 0,
                "regret": regret,
                "printed bound": constant,
            },
            reason="two displays later stands the event of MB-PSRL, on sampled models; here are none",
        )
    return undecided("the run is no witness for this constant")


@claim(
    "eq:proof_UCRL2_regret/repair",
    section=SECTION,
    statement="""E[regret of MB-UCRL2] <= 5/(1 - beta) + the sum over k of E[Delta^model_k 1{E}] and
    E[Delta^conc_k 1{E}].""",
    domain="K >= 1, any bandit; H_k independent of the event, whose complement has probability at most 5/K",
    evidence=Evidence.PROOF,
    mutants={"4 in place of 5": {"constant": 4}},
    repairs=("eq:proof_UCRL2_regret",),
)
def regret_display_repaired(book: Book, constant: int = 5) -> Finding:
    return _regret_split(book, constant)


def _regret_split(book: Book, constant: int) -> Finding:
    sympy = algebra()
    K, beta = sympy.symbols("K beta", positive=True)
    lost = K * (5 / K) * (1 / (1 - beta))  # K episodes, the event's complement, E[H_k] since Delta_k <= H_k
    rests_on = "lem:concentration_ucrl/sharper", "eq:V-vs_R/steps"  # 3/K, at most 5/K
    if sympy.simplify(lost - constant / (1 - beta)) == 0 and book.stands(*rests_on):
        return holds(
            Evidence.PROOF,
            reason="Delta_k = Delta_k 1{E} + Delta_k 1{not E}; the second is at most H_k 1{not E}, a product of "
            "independent variables of means 1/(1 - beta) and at most 5/K",
        )
    return lost_off_the_event(5, constant)


def lost_off_the_event(failures: int, constant: int) -> Finding:
    """Refute that events of complement `failures`/K lose at most constant/(1-beta), by K episodes of one step each."""
    K = 2 * failures
    probability = fmpq(failures, K)
    lost = K * probability  # beta = 0: H_k = 1
    if lost <= constant:
        return undecided("neither proved nor refuted")
    return fails(
        {
            "K, beta": (K, 0),
            "P(not E), independent of H_k = 1": probability,
            "Delta_k off the event; 0 on it": 1,
            "E of the sum of the Delta_k": lost,
            "claimed": constant,
        }
    )
