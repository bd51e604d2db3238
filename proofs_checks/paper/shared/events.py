"""Formulas, readings, cases and steps that entries about the events of Section A.2 share."""

from __future__ import annotations

from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.shared.comparisons import whole
from proofs_checks.paper.shared.deviation_cases import DeviationCase, Level, of_means, of_rows
from proofs_checks.paper.shared.deviation_families import Bound, leaves, of_k, reward_cases, row_cases, value_cases
from theory.certified import horizon_tail
from theory.paper import horizon_bound

FROM_2 = {"first episodes": "from 2"}
OBSERVED = {**FROM_2, "next state": "observed", "clock": "tau_k"}
FAIR = {**OBSERVED, "no visit": "any estimate"}
LITERAL = {**FROM_2, "next state": "literal", "clock": "tau_k"}
MAIN_TEXT = {"next state": "observed", "clock": "t_k"}

LEARNERS = (
    "any learner of Section 3, which may look at all that it has observed before it chooses the policy of an episode"
)
ANY_SIZES = rf"$S, n \ge 1$, $2 \le k \le K$, $1 \le k' \le k-1$, $0 \le \beta < 1$; rewards in $[0, 1]$; {LEARNERS}"
CASES = "exact cases, adaptive learners among them"
REWARDS, ROWS, VALUES = Family(CASES, reward_cases), Family(CASES, row_cases), Family(CASES, value_cases)
FUNCTIONS = Family(CASES, lambda: value_cases("functions"))

EPISODES = ForAll(K >= 2, k >= 2, k <= K, beta >= 0, beta < 1)
SIZES = ForAll(S >= 1, n >= 1, K >= 2, k >= 2, k <= K, beta >= 0, beta < 1)
LOG = log(K * (k - 1))
BOUND = LOG / (1 - beta)
TAU = (k - 1) * BOUND
Y = 2 * S * n * K * TAU  # L_{k-1}^2 = 2 log Y
L_EARLIER = sqrt(2 * log(Y))  # L_{k-1}
LAST = 4 * S * n * K**2 * log(K) / (1 - beta)  # L_K^2 = 2 log LAST
L_K = sqrt(2 * log(LAST))
LAST_IS_LARGE = log_at_least(Rational(17, 25), 2, K), log_at_least(Rational(1, 2), 2, LAST)
MEAN_LENGTH = Step(r"$\mathbb{E}[H_k] = \frac{1}{1-\beta}$:", Uses("eq:V-vs_R/moments", {N: 0, beta: 0}))

# -- the parts of an event: lengths of episodes, and estimates of rewards, rows or values

Lengths: TypeAlias = tuple[int, int, fmpq]
"""K, k and a discount."""
Estimates: TypeAlias = tuple[DeviationCase, Level]
Part: TypeAlias = Lengths | Estimates

LONG_EPISODES: tuple[Lengths, ...] = ((7, 2, fmpq(33, 37)), (3, 2, fmpq(2, 5)), (3, 3, fmpq(1, 2)))
REWARD_CASES, ROW_CASES, VALUE_CASES = (reward_cases, of_means), (row_cases, of_rows), (value_cases, of_means)

def estimates(*kinds: tuple[Callable[[], Iterator[DeviationCase]], Level]) -> Iterator[Estimates]:
    """Yield the cases of each kind of estimate, each with the level of its event."""
    yield from ((case, level) for cases, level in kinds for case in cases())

def long_episode(cell: Lengths, c: object) -> Answer:
    """Return whether, with an exact probability of at most c/K, an earlier episode is longer than E^H allows."""
    episodes, number, beta = cell
    found = horizon_tail(whole(horizon_bound(*cell)) + 1, beta, number - 1)
    bound = rational(c) / episodes
    return answer(found <= bound, K_k_beta=cell, probability=found, bound=bound)

def part_within(part: Part, s: object, c: object) -> Answer:
    """Return whether one part of an event, with s times the radius of estimates, fails with probability at most c/K."""
    if isinstance(part[0], DeviationCase):
        return leaves(part[0], part[1], of_k, s, c)
    return long_episode(part, c)

def leaving(
    claim_id: str,
    cases: Family,
    level: Level,
    bound: Bound,
    says: str,
    *more: DeviationCase,
    c: int = 1,
    **details: Any,
) -> Property:
    """Return the claim that estimates leave s times the radius of a level with a probability of at most a bound."""
    return Property(
        claim_id,
        lambda case, s, c: leaves(case, level, bound, s, c),
        over=Family(cases.says, lambda: chain(cases.members(), more)),
        says=says,
        **{"domain": ANY_SIZES, "reading": OBSERVED, **details},
        s=1,
        c=c,
    )

def deviation() -> sympy.Rel:
    """Return the relation that Hoeffding's bound at s sqrt(log(y)/(2l)) is at most 2/y; y is 2SnK tau_k or 2SnK t_k."""
    return 2 * exp(-2 * ell * (s * sqrt(log(y) / (2 * ell))) ** 2) <= 2 / y

def distance() -> sympy.Rel:
    """Return the relation that Weissman's bound at s sqrt(2 log(2^S y)/l) is at most 1/y; y is SnK tau_k or SnK t_k."""
    return 2**S * exp(-ell * (s * sqrt(2 * log(2**S * y) / ell)) ** 2 / 2) <= 1 / y

# -- the event of values

E_V = r"""that $|\hat r_{k'}(x_a) - r(x_a) + \beta\sum_y(\hat P^a_{k'}(x, y) - P^a(x, y))V_M^{\pi_*}(y)| \le [[*s]]
\frac{L_{k-1}}{2(1-\beta)\sqrt{\max\{1, N_{k'}(x_a)\}}}$ for all $x$, $a$ and $k' \le k-1$."""
