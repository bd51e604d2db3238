"""The empirical estimates (`def:estimators`): their means, and no activation yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.computations.comparisons import certain
from proofs_checks.computations.union_sums import log_argument_increases
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide, fails, holds, holds_only, undecided
from theory import ONE, ZERO
from theory.certified import at_most, enclosure, transition_count_law
from theory.paper import log_factor

SECTION = "Estimators and bonuses"
HALF = fmpq(1, 2)
REGION = """all 2 <= k <= K but two cells: (K, k) = (2, 2) with Sn/(1-beta) < e^2/(4 log 2) = 2.665..., and
(K, k) = (3, 2) with Sn/(1-beta) < e^2/(6 log 3) = 1.120..."""


# -- the mean of r-hat ---------------------------------------------------------------------------------------------


def _two_episodes(first: int, then: Sequence[int], means: Sequence[Any]) -> Iterator[tuple[Any, int, int]]:
    """Yield (probability, activations, rewards) of arm 0: two arms of one state, two episodes of one step.

    Arm `first` is played, then arm ``then[reward]``; rewards are Bernoulli.
    """
    for rewards in product((0, 1), repeat=2):
        played = (first, then[rewards[0]])
        probability = 1
        for arm, reward in zip(played, rewards, strict=True):
            probability = probability * (means[arm] if reward else 1 - means[arm])
        of_arm_0 = [reward for arm, reward in zip(played, rewards, strict=True) if arm == 0]
        yield probability, len(of_arm_0), sum(of_arm_0)


@claim(
    "def:estimators/mean-reward",
    section=SECTION,
    statement="""Whatever the learning algorithm, the empirical mean r-hat_{k-1}(x_a) of a state activated at least
    once has expectation r(x_a).""",
    domain="all models and algorithms; the check: two arms of one state, beta = 0, k = 3",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"keeps the arm when its reward was 0": {"then": (0, 1)}},
    controls={"keeps the arm": {"then": (0, 0)}, "leaves the arm": {"then": (1, 1)}},
)
def mean_reward(book: Book, then: tuple[int, int] = (1, 0)) -> Finding:
    means = (HALF, HALF)
    outcomes = list(_two_episodes(0, then, means))
    expectation = sum((p * fmpq(total, count) for p, count, total in outcomes), ZERO)
    law = [{"probability": p, "activations": count, "rewards": total} for p, count, total in outcomes]
    return decide(
        expectation == means[0],
        Evidence.CERTIFIED,
        arms="two, of one state each; either gives the reward 1 with probability 1/2, else 0",
        algorithm=f"arm 1 first; then arm {then[0] + 1} after the reward 0, arm {then[1] + 1} after the reward 1",
        r_of_arm_1=means[0],
        expectation_of_r_hat_of_arm_1=expectation,
        outcomes_for_arm_1=law,
    )


@claim(
    "def:estimators/mean-reward/repair",
    section=SECTION,
    statement="""The weighted error N_{k-1}(x_a) (r-hat_{k-1}(x_a) - r(x_a)) has expectation 0. (A bound on r-hat
    itself must therefore hold for every count at once: the union over l in the proof cannot be left
    out.)""",
    domain="two arms of one state with Bernoulli rewards of any means p, q; two episodes, beta = 0; all 8 algorithms",
    evidence=Evidence.EXHAUSTIVE,
    mutants={"not weighted": {"weighted": False}},
    repairs=("def:estimators/mean-reward",),
)
def mean_reward_repair(book: Book, weighted: bool = True) -> Finding:
    """Expand the expectation, a polynomial in p and q: it must vanish as one."""
    p, q = sympy.symbols("p q")
    algorithms = list(product((0, 1), product((0, 1), repeat=2)))
    for first, then in algorithms:
        error = sympy.Integer(0)
        for probability, count, total in _two_episodes(first, then, (p, q)):
            if count:
                error += probability * (total - count * p) / (1 if weighted else count)
        if sympy.expand(error) != 0:
            return fails({"first arm": first, "arm after reward 0, 1": then, "expectation": str(sympy.factor(error))})
    return holds(Evidence.EXHAUSTIVE, instances=len(algorithms))


# -- the next state of an episode's last step ----------------------------------------------------------------------


def _count_error(
    rows: Sequence[Sequence[fmpq]], start: Sequence[fmpq], horizons: Sequence[int], restart: bool
) -> list[list[fmpq]]:
    """Return the matrix E[N(x) (Q-hat(x, y) - Q(x, y))] given the episode lengths."""
    size = len(rows)
    error = [[ZERO] * size for _ in range(size)]
    for counts, probability in transition_count_law(rows, start, horizons, restart).items():
        for x, y in product(range(size), repeat=2):
            error[x][y] += probability * (counts[x][y] - sum(counts[x]) * rows[x][y])
    return error


@claim(
    "def:estimators/next-state",
    section=SECTION,
    statement="""With Q-hat_{k-1} as its formula is written, where the next state of step t is X_{t+1} also at the
    last step of an episode (there X_{t+1} is the following episode's first state, drawn from rho):
    given the episode lengths, N(x_a) (Q-hat(x_a, .) - Q(x_a, .)) has expectation 0.""",
    domain="all models; the check: one arm of two states, k = 2, H_1 = 1",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"H_1 = H_2 = 2": {"horizons": (2, 2)}},
    controls={"the state the arm moved to": {"restart": False}},
)
def next_state(book: Book, horizons: tuple[int, ...] = (1,), restart: bool = True) -> Finding:
    rows, start = [[ZERO, ONE], [ZERO, ONE]], [ONE, ZERO]
    error = _count_error(rows, start, horizons, restart)
    if all(entry == 0 for row in error for entry in row):
        return holds(Evidence.CERTIFIED)
    law = transition_count_law(rows, start, horizons, restart)
    return fails(
        {
            "Q": rows,
            "rho": start,
            "episode lengths": horizons,
            "law of the counts": [{"counts": counts, "probability": p} for counts, p in law.items()],
            "expected N (Q-hat - Q)": error,
        },
        reason="with H geometric, Q-hat(1, .) has mean (1-beta, beta) here where Q(1, .) = (0, 1)",
    )


@claim(
    "def:estimators/next-state/repair",
    section=SECTION,
    statement="""With the state that the arm moved to counted at the last step of an episode too, N(x_a) (Q-hat(x_a,
    .) - Q(x_a, .)) has expectation 0, given the episode lengths.""",
    domain="one arm; any rows, any initial law, any lengths",
    evidence=Evidence.PROOF,
    mutants={"X_{t+1} as written": {"restart": True}},
    repairs=("def:estimators/next-state",),
)
def next_state_repair(book: Book, restart: bool = False) -> Finding:
    """Random exact models could refute it; the mean of one step's term is symbolic."""
    generator = book.generator("def:estimators/next-state/repair")
    instances = 40
    for _ in range(instances):
        size = int(generator.integers(1, 4))
        *rows, start = ([fmpq(int(w), int(ws.sum())) for w in ws] for ws in generator.integers(1, 5, (size + 1, size)))
        horizons = tuple(int(h) for h in generator.integers(1, 3, 2))
        error = _count_error(rows, start, horizons, restart)
        if any(entry != 0 for row in error for entry in row):
            return fails({"Q": rows, "rho": start, "episode lengths": horizons, "expected N (Q-hat - Q)": error})
    q, rho = sympy.symbols("q rho")  # Q(x, y), and the probability that an episode starts in y
    counted = rho if restart else q  # P(y is counted | the arm is in x), at the last step of an episode
    of_step, of_last = (sympy.expand(p * (1 - q) + (1 - p) * (0 - q)) for p in (q, counted))
    if of_step != 0 or of_last != 0:
        return undecided(f"a last step's term has the mean {of_last}")
    return holds(
        Evidence.PROOF,
        reason=(
            "N (Q-hat(x, y) - Q(x, y)) is the sum over the steps t of 1{X_t = x} (1{y is counted} - Q(x, y)); given "
            "what precedes the move, each term has mean 0, whatever the algorithm"
        ),
        exact_instances=instances,
    )


# -- no activation yet -----------------------------------------------------------------------------------------------


def uncovered(guess: fmpq, divisor: int, K: int, k: int) -> fmpq | None:
    """Return a discount at which c + beta/(1-beta) <= L_{k-1}/(d(1-beta)) is not shown, or None: it holds for all.

    Here c = max(guess, 1-guess), d = `divisor`, S = n = 1. Multiplied by d(1-beta), the left side is u + v beta; and
    L^2 = 2 log(2K tau_k) >= 2 log(2K(k-1) log(K(k-1))) + 2 beta, with equality at 0. What L^2 then exceeds (u + v
    beta)^2 by is concave in beta, so its ends decide; at beta = 0 nothing is lost.
    """
    largest = max(guess, 1 - guess)
    u, v = divisor * largest, divisor * (1 - largest)

    def least_square(beta: fmpq) -> arb:
        return log_factor(1, 1, K, k, 0) ** 2 + 2 * beta

    for beta in (ZERO, ONE):
        if not certain(at_most(partial(arb, (u + v * beta) ** 2), partial(least_square, beta))):
            return beta
    return None


def _steps_of_uncovered() -> bool:
    """Check what `uncovered` says of logarithm, product and concavity, and that the cell S = n = 1 is the least."""
    b, c, d, u, v, level = sympy.symbols("beta c d u v level", real=True)
    gain = sympy.simplify(sympy.diff(-sympy.log(1 - b) - b, b) - b / (1 - b)) == 0  # >= 0, and 0 at beta = 0
    product = sympy.simplify(d * (1 - b) * (c + b / (1 - b)) - (d * c + d * (1 - c) * b)) == 0
    concave = sympy.simplify(sympy.diff(level + 2 * b - (u + v * b) ** 2, b, 2) + 2 * v**2) == 0
    return gain and product and concave and log_argument_increases()


@claim(
    "def:estimators/no-visit",
    section=SECTION,
    statement="""Where N_{k'}(x_a) = 0, the estimates being 0/0 := 0, the bounds of events E^r and E^V hold for every
    r(x_a) in [0, 1] and every row of Q; that is, L_{k-1}/2 >= 1.""",
    domain="all S, n, 2 <= k <= K, beta in [0, 1)",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={"radius L/4": {"divisor": 4}},
    controls={"r-hat := 1/2": {"guess": HALF}},
)
def no_visit(book: Book, guess: fmpq = ZERO, divisor: int = 2) -> Finding:
    """2SnK tau increases with Sn, K, k and beta, so the smallest cells decide, at Sn = 1 and beta = 0."""

    def radius(K: int, k: int) -> arb:
        return log_factor(1, 1, K, k, 0) / divisor

    if not _steps_of_uncovered():
        return undecided("the smallest cells may not decide")
    cells = ((2, 2), (3, 2), (3, 3), (4, 2))  # every other cell is above (3, 3) or (4, 2)
    exceptions = [cell for cell in cells if uncovered(guess, divisor, *cell) is not None]
    if not exceptions:
        return holds(Evidence.CERTIFIED, least_L=enclosure(lambda: log_factor(1, 1, 2, 2, 0)))
    K, k = exceptions[-1]
    witness = {
        "S, n, K, k, beta, N": (1, 1, K, k, 0, 0),
        "r": 1 if guess <= HALF else 0,
        "r-hat": guess,
        "radius": enclosure(partial(radius, K, k)),
    }
    if exceptions != [(2, 2), (3, 2)]:
        return fails(witness)
    return holds_only(
        REGION,
        Evidence.CERTIFIED,
        witness,
        reason="L >= 2 exactly where 2SnK tau_k >= e^2; it is above that at (3, 3) and (4, 2) for S = n = 1, beta = 0",
        least_Sn_over_one_minus_beta={
            "(2, 2)": enclosure(lambda: arb(2).exp() / (4 * arb(2).log())),
            "(3, 2)": enclosure(lambda: arb(2).exp() / (6 * arb(3).log())),
        },
    )


@claim(
    "def:estimators/no-visit/repair",
    section=SECTION,
    statement="""Where N_{k'}(x_a) = 0, with r-hat := 1/2 and Q-hat(x_a, .) := any probability row, the bounds of E^r
    and E^V hold.""",
    domain="all S, n, 2 <= k <= K, beta in [0, 1)",
    evidence=Evidence.PROOF,
    mutants={"r-hat := 0": {"guess": ZERO}, "radius L/3": {"divisor": 3}},
    repairs=("def:estimators/no-visit",),
)
def no_visit_repair(book: Book, guess: fmpq = HALF, divisor: int = 2) -> Finding:
    """Decide c + beta/(1-beta) <= L/(d(1-beta)) with c = max(guess, 1-guess), at K = k = 2."""
    if not _steps_of_uncovered():
        return undecided("the smallest cell may not decide")
    beta = uncovered(guess, divisor, 2, 2)
    if beta == ONE:
        return undecided("the bound log(1/(1-beta)) >= beta is not enough")
    if beta is not None:
        radius = enclosure(lambda: log_factor(1, 1, 2, 2, 0) / divisor)
        return fails({"S, n, K, k, beta, N": (1, 1, 2, 2, 0, 0), "r-hat": guess, "r": ONE, "radius": radius})
    return holds(
        Evidence.PROOF,
        reason=(
            "|r-hat - r| <= 1/2 and |(P-hat - P) V| <= 1/(1-beta), so L >= 1 + beta is needed; L^2 >= 2 "
            "log(4 log 2) + 2 log(1/(1-beta)) >= 2 + 2 beta >= (1+beta)^2, as 4 log 2 > e"
        ),
    )


@claim(
    "def:estimators/no-visit-Q",
    section=SECTION,
    statement="""Where N_{k'}(x_a) = 0, the bound of E^Q holds for a zero row (at L1 distance 1) and for any
    probability row (at most 2): L_{k-1} + 1.5 sqrt S >= 2.""",
    domain="all S, n, 2 <= k <= K, beta in [0, 1)",
    evidence=Evidence.PROOF,
    mutants={"without 1.5 sqrt S, two states": {"constant": ZERO, "least_size": 2}},
)
def no_visit_transitions(book: Book, constant: fmpq = fmpq(3, 2), least_size: int = 1) -> Finding:
    def radius() -> arb:
        return log_factor(least_size, 1, 2, 2, 0) + constant * arb(least_size).sqrt()

    if not log_argument_increases():
        return undecided("the smallest cell may not decide")
    found = certain(at_most(lambda: arb(2), radius))
    least = enclosure(radius)
    if not found:
        return fails({"S, n, K, k, beta, N": (least_size, 1, 2, 2, 0, 0), "radius": least, "distance": 2})
    return holds(Evidence.PROOF, least_radius=least, reason="increasing in S, n, K, k and beta: S = n = 1, K = k = 2")
