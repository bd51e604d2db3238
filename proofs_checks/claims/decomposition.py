"""The concentration gap: one policy in two models over a finite horizon (`lem:regret_decomposition`).

For a policy pi and horizon H, with W' the values in M_k and W those in M, and X played in M,
``W'_{1:H} - W_{1:H} = E sum_t (r_k - r)(X_t) + ((P_k - P) W'_{t+1:H})(X_t)``: everything here follows from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import sympy  # type: ignore[import-untyped]
from flint import fmpq

from proofs_checks.ledger import Book, Evidence, Finding, claim, fails, holds
from theory import Arm, Bandit, GlobalState
from theory.optimism import distance
from theory.rationals import ZERO
from theory.stopping import expectation
from theory.values.horizon import finite_horizon_value
from theory.values.product import Values, moved, values_after

if TYPE_CHECKING:
    import numpy as np

SECTION = "Proof of Theorem 1: concentration gap"
DOMAIN = "finite bandits M, M_k of equal sizes, rewards of M_k at least 0; any deterministic policy; H >= 1; any start"
SAMPLES = 40
LONGEST = 5


@dataclass(frozen=True)
class Pair:
    """The true model, the learner's model, and the policy played in both."""

    true: Bandit
    learned: Bandit
    policy: Mapping[GlobalState, int]

    def described(self, **more: object) -> dict[str, object]:
        """Return the pair as a witness, with more entries."""
        policy = {str(state): arm for state, arm in self.policy.items()}
        return {"M": self.true, "M_k": self.learned, "policy (arm from 0)": policy, **more}


def random_bandit(generator: np.random.Generator, sizes: tuple[int, ...], lowest: int = 0) -> Bandit:
    """Return a bandit with rewards in {6*lowest, ..., 6}/6 and rows of small denominators, zeros among them."""
    made = []
    for size in sizes:
        rows = []
        for _ in range(size):
            weights = [int(w) for w in generator.integers(0, 4, size)]
            weights[int(generator.integers(size))] += 1
            rows.append([fmpq(w, sum(weights)) for w in weights])
        made.append(Arm([fmpq(int(r), 6) for r in generator.integers(6 * lowest, 7, size)], rows))
    return Bandit(made, fmpq(int(generator.integers(0, 10)), 10))


def random_policy(generator: np.random.Generator, bandit: Bandit) -> dict[GlobalState, int]:
    """Return a deterministic policy drawn uniformly."""
    states = finite_horizon_value(bandit, lambda _: 0, 0)
    return {state: int(generator.integers(len(bandit.arms))) for state in states}


def pairs(book: Book, purpose: str, lowest: int = 0) -> Iterator[Pair]:
    """Yield small pairs made by hand, then random ones; `lowest` bounds the rewards of M_k."""
    yield won_or_lost()
    if lowest < 0:
        yield leaving_or_staying(lowest)
    generator = book.generator(purpose)
    for _ in range(SAMPLES):
        sizes = ((1,), (3,), (1, 1), (2, 2), (2, 3))[int(generator.integers(5))]
        true, learned = random_bandit(generator, sizes), random_bandit(generator, sizes, lowest)
        yield Pair(true, learned, random_policy(generator, true))


def won_or_lost() -> Pair:
    """One arm; from its first state M_k moves at once to a state of reward 1, M to one of reward 0; both absorb."""
    rewards = (0, 1, 0)
    true, learned = (Arm(rewards, [first, [0, 1, 0], [0, 0, 1]]) for first in ([0, 0, 1], [0, 1, 0]))
    return Pair(Bandit([true], 0), Bandit([learned], 0), {(0,): 0, (1,): 0, (2,): 0})


def leaving_or_staying(reward: int) -> Pair:
    """One arm whose first state costs; M_k leaves it at once for a state of reward 0, M stays."""
    true, learned = (Arm((reward, 0), [first, [0, 1]]) for first in ([1, 0], [0, 1]))
    return Pair(Bandit([true], 0), Bandit([learned], 0), {(0,): 0, (1,): 0})


def bound_of_lemma(pair: Pair, steps: int, multiple: fmpq) -> Values:
    """Return E sum over t <= `steps` of |r_k - r| + `multiple` * ||Q_k - Q||_1, play being in M."""
    table = dict(pair.policy)
    values: Values = dict.fromkeys(table, ZERO)
    for _ in range(steps):
        values = {state: _one_more(pair, values, state, arm, multiple) for state, arm in table.items()}
    return values


def _one_more(pair: Pair, values: Values, state: GlobalState, arm: int, multiple: fmpq) -> fmpq:
    true, learned, x = pair.true.arms[arm], pair.learned.arms[arm], state[arm]
    now = abs(learned.rewards[x] - true.rewards[x]) + multiple * distance(learned.transitions[x], true.transitions[x])
    value: fmpq = now + expectation(true.transitions[x], values_after(pair.true, values, state, arm))
    return value


def upper_bound(pair: Pair, steps: int, of: str) -> fmpq:
    """Return the least B >= 0 that bounds the values of M_k: ``of`` the whole horizon, all shorter, or their size."""
    spans = {"whole horizon": [steps], "one step less": [steps - 1]}.get(of, list(range(steps + 1)))
    values = [v for span in spans for v in finite_horizon_value(pair.learned, pair.policy, span).values()]
    largest: fmpq = max([ZERO, *(map(abs, values) if of == "absolute" else values)])
    return largest


def first_violation(pair: Pair, of: str, factor: fmpq, longest: int = LONGEST) -> dict[str, object] | None:
    """Return where the inequality with ``factor * B`` in place of B fails, or None."""
    for steps in range(1, longest + 1):
        bound = upper_bound(pair, steps, of)
        left, right = (
            finite_horizon_value(pair.learned, pair.policy, steps),
            bound_of_lemma(pair, steps, factor * bound),
        )
        true = finite_horizon_value(pair.true, pair.policy, steps)
        for state in true:
            gap = left[state] - true[state]
            if gap > right[state]:
                return pair.described(H=steps, start=state, B=bound, factor=factor, gap=gap, bound=right[state])
    return None


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
    size = 3
    c = sympy.Symbol("c")
    q, w, v = (sympy.symbols(f"{name}1:{size + 1}") for name in ("q", "w", "v"))
    p = sympy.symbols(f"p1:{size}")
    learned = (*p, sympy.Rational(str(total)) - sum(p))
    true = (*q[:-1], 1 - sum(q[:-1]))
    difference = _dot(learned, w) - _dot(true, v)
    moved_part = _dot([a - b for a, b in zip(learned, true, strict=True)], [each - c for each in w])
    rest = _dot(true if second == "true" else learned, [a - b for a, b in zip(w, v, strict=True)])
    left_over = sympy.expand(difference - moved_part - rest)
    if left_over != 0:
        return fails({"difference of the two sides": str(left_over), "rows of length": size})
    return holds(Evidence.PROOF, reason="the identity is linear, one term per next state; expanded at three states")


def _dot(row: object, values: object) -> sympy.Expr:
    return sympy.Add(*(a * b for a, b in zip(row, values, strict=True)))  # type: ignore[call-overload]


@claim(
    "lem:regret_decomposition/monotone",
    section=SECTION,
    statement="W_{M_k,h:H}(x) <= W_{M_k,1:H}(x) for every h and x, so a bound on W_{1:H} bounds every W_{h:H}.",
    domain="rewards of M_k at least 0; any policy",
    evidence=Evidence.PROOF,
    mutants={"rewards from -1": {"lowest": -1}},
)
def monotone(book: Book, lowest: int = 0) -> Finding:
    """Check W_{j+1} - W_j = P (W_j - W_{j-1}) and W_1 - W_0 = r on instances: products of non-negative factors."""
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
    return holds(Evidence.PROOF, reason="W_{j+1} - W_j = P^j r: non-negative entries times non-negative rewards")


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
    return holds(
        Evidence.PROOF, reason="induction: a mean of values in [0, H-1] plus a reward in [0, 1]; instances agree"
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
    for state in ((0,), (1, 0), (0, 1, 2)):
        for arm in range(len(state)):
            assert len({moved(state, arm, to) for to in range(4)}) == 4
    return holds(
        Evidence.PROOF,
        reason="the global states that arm a can move to are distinct, one per y_a, and carry P = Q(x_a, y_a); "
        "instances agree",
        compared=tried,
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
    assert book.stands(*WORKING_STEPS, "lem:regret_decomposition/monotone")
    return holds(
        Evidence.PROOF,
        reason=(
            "induction on H by the identity of the step, with |W'| <= B there: W' >= 0 and W'_{2:H} <= W'_{1:H} "
            "both use rewards of M_k >= 0; instances agree"
        ),
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
    assert book.stands(*WORKING_STEPS)
    return holds(Evidence.PROOF, reason="sum (p' - p) w <= ||p' - p||_1 max |w|, and induction; instances agree")


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
    assert book.stands(*WORKING_STEPS, "lem:regret_decomposition/monotone")
    return holds(
        Evidence.PROOF,
        reason=(
            "c = B/2 in the identity of the step: |W' - B/2| <= B/2. In the least favourable pair M_k moves at once "
            "to a state of reward 1 and M to one of reward 0: the gap is H-1, the bound 2 factor H"
        ),
    )
