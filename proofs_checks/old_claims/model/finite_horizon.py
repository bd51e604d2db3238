"""The finite-horizon value W, and what lets the proofs pass between W and the discounted value V (section 4)."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from proofs_checks.computations.symbolic import algebra, is_identity
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, undecided
from theory import Arm, Bandit, GlobalState, expectation, policy_value
from theory.random_models import random_bandit, random_policy
from theory.values import finite_horizon_value, geometric_mixture, moved, values_after

SECTION = "Model and definitions"
RANDOM = "random exact bandits of at most 9 global states, random deterministic policies, horizons 1 to 4"

PolicyTable = dict[GlobalState, int]
Values = dict[GlobalState, fmpq]


def paths(
    bandit: Bandit, policy: PolicyTable, start: GlobalState, steps: int
) -> Iterator[tuple[list[GlobalState], fmpq]]:
    """Yield every path of `steps` global states that starts in `start`, with its probability."""
    if steps == 1:
        yield [start], fmpq(1)
        return
    arm = policy[start]
    for y, probability in enumerate(bandit.arms[arm].transitions[start[arm]]):
        if probability:
            for path, weight in paths(bandit, policy, moved(start, arm, y), steps - 1):
                yield [start, *path], probability * weight


def printed_recursion(bandit: Bandit, policy: PolicyTable, h: int, H: int) -> Values:
    """Return W_{h:H} by the recursion as printed, from W_{H:H} down."""
    reward = {state: bandit.arms[a].rewards[state[a]] for state, a in policy.items()}
    values = dict(reward)
    for _ in range(H - 1, h - 1, -1):
        values = {
            state: reward[state]
            + expectation(bandit.arms[a].transitions[state[a]], values_after(bandit, values, state, a))
            for state, a in policy.items()
        }
    return values


@claim(
    "eq:discounted_reward",
    section=SECTION,
    statement="""The recursion for W_{h:H}, ended by W_{H:H} = r, gives the expected total undiscounted reward of the
    steps h, ..., H, both ends included.""",
    domain=RANDOM,
    evidence=Evidence.TESTED,
    mutants={"one step fewer": {"steps_more": 0}},
)
def recursion(book: Book, steps_more: int = 1, instances: int = 150) -> Finding:
    """Compare with the sum over all paths."""
    generator = book.generator("eq:discounted_reward")
    for _ in range(instances):
        bandit = random_bandit(generator, max_arms=2, max_global_states=9)
        policy = random_policy(generator, bandit)
        H, start = int(generator.integers(2, 5)), bandit.start()
        h = int(generator.integers(1, H))
        by_paths = sum(
            (
                weight * sum((bandit.arms[policy[x]].rewards[x[policy[x]]] for x in path), fmpq(0))
                for path, weight in paths(bandit, policy, start, H - h + steps_more)
            ),
            fmpq(0),
        )
        found = printed_recursion(bandit, policy, h, H)[start]
        if found != by_paths:
            return fails({"bandit": bandit, "policy": policy, "h, H": (h, H), "W": found, "over all paths": by_paths})
    return holds(Evidence.TESTED, instances=instances)


@claim(
    "eq:discounted_reward/steps",
    section=SECTION,
    statement="W_{h:H} depends on h and H only through the number H - h + 1 of steps.",
    domain="1 <= h <= H <= 5; random exact bandits and policies",
    evidence=Evidence.TESTED,
    mutants={"H - h steps": {"more": 0}},
)
def depends_on_steps(book: Book, more: int = 1, instances: int = 60) -> Finding:
    generator = book.generator("eq:discounted_reward/steps")
    for _ in range(instances):
        bandit = random_bandit(generator, max_arms=2, max_global_states=9)
        policy = random_policy(generator, bandit)
        for H in range(1, 6):
            for h in range(1, H + 1):
                found = printed_recursion(bandit, policy, h, H)
                if found != finite_horizon_value(bandit, policy, H - h + more):
                    return fails({"bandit": bandit, "policy": policy, "h, H": (h, H), "W": found})
    return holds(Evidence.TESTED, instances=instances)


@claim(
    "eq:discounted_reward/mean",
    section=SECTION,
    statement="""V^pi(x) = E[W^pi_{1:H}(x)] for every policy, state and model, when H has the geometric law
    P(H = h) = (1 - beta) beta^(h-1) on h = 1, 2, ...""",
    domain="0 <= beta < 1, any finite bandit, any stationary policy",
    evidence=Evidence.PROOF,
    mutants={"H counted from 0": {"first": 0}, "parameter beta": {"swapped": True}},
)
def mean_over_horizons(book: Book, first: int = 1, swapped: bool = False, instances: int = 60) -> Finding:
    """Prove the weights by telescoping; then compare, with the exact remainder, on random models."""
    sympy = algebra()
    beta, j, m = sympy.symbols("beta j m", positive=True)
    keep = 1 - beta if swapped else beta
    weight = (1 - keep) * keep ** (m - first)  # P(H = m)
    claimed = beta**j - beta**m  # sum of P(H = h) over h = j+1, ..., m, which tends to beta^j
    telescopes = is_identity(sympy.expand_power_exp(claimed - claimed.subs(m, m - 1)), sympy.expand_power_exp(weight))
    if not telescopes:
        return fails(
            {
                "beta": fmpq(1, 3),
                "P(H >= 1) as claimed, the weight of the first reward": fmpq(1),
                "P(H = 1)": str(weight.subs({m: 1, beta: sympy.Rational(1, 3)})),
                "P(H = 1) that the identity needs": fmpq(2, 3),
            }
        )
    for bandit, policy in _instances(book, instances):
        if (refuted := _remainder_refutation(bandit, policy, longest=6)) is not None:
            return fails({"bandit": bandit, "policy": policy, **refuted})
    return holds(
        Evidence.PROOF,
        reason="E[W] = sum over j of P(H > j) P^j r by exchanging two sums of bounded terms; P(H > j) = beta^j "
        "telescopes; the Neumann series is V",
        random_models_compared_with_exact_remainder=instances,
    )


def _instances(book: Book, instances: int) -> Iterator[tuple[Bandit, PolicyTable]]:
    generator = book.generator("eq:discounted_reward/mean")
    for _ in range(instances):
        bandit = random_bandit(generator, max_arms=2, max_global_states=9)
        yield bandit, random_policy(generator, bandit)


def _remainder_refutation(bandit: Bandit, policy: PolicyTable, longest: int) -> dict[str, object] | None:
    """Compare exactly: horizons beyond T add beta^T (W_{1:T} + P^T V), since W_{1:T+h} = W_{1:T} + P^T W_{1:h}."""
    value = policy_value(bandit, policy)
    mixture, mass = geometric_mixture(bandit, policy, longest)
    total, later = finite_horizon_value(bandit, policy, longest), dict(value)
    for _ in range(longest):
        later = {
            state: expectation(bandit.arms[a].transitions[state[a]], values_after(bandit, later, state, a))
            for state, a in policy.items()
        }
    for state in policy:
        found = mixture[state] + mass * (total[state] + later[state])
        if found != value[state]:
            return {"global state": state, "V": value[state], "E[W]": found}
    return None


def _two_absorbing_choices() -> Bandit:
    """Arm 1 pays 0 and then 1 for ever; arm 2 pays 1 and then 0 for ever."""
    slow = Arm(rewards=[0, 1], transitions=[[0, 1], [0, 1]], states=["slow", "paid"])
    quick = Arm(rewards=[1, 0], transitions=[[0, 1], [0, 1]], states=["quick", "spent"])
    return Bandit([slow, quick], fmpq(1, 2), ["slow", "quick"])


@claim(
    "eq:equivalence_V_W",
    section=SECTION,
    statement="""Given the past, V and W_{1:H_k} of the policy used have the same expectation, when policy and initial
    state are independent of the horizon H_k given the past.""",
    domain="any law of (policy, initial state) given the past that is independent of H_k",
    evidence=Evidence.PROOF,
    mutants={"policy chosen with H_k known": {"quick_up_to": 1}},
)
def equivalence(book: Book, quick_up_to: int = 0) -> Finding:
    """Split E[W] and E[V] by the choice c of (policy, initial state), and by the horizon h, whose law is P(h).

    The terms of the two sums are P(h) q(c | h) W(c, h) and q(c) P(h) W(c, h): equal when the choice ignores h.
    """
    rests_on = book.finding("eq:discounted_reward/mean")
    sympy = algebra()
    h, c = sympy.symbols("h c", integer=True, positive=True)
    law, value, chosen = (sympy.Function(name) for name in ("P", "W", "q"))
    chosen_at = chosen(c) if quick_up_to == 0 else chosen(c, h)
    termwise = is_identity(law(h) * chosen_at * value(c, h), chosen(c) * (law(h) * value(c, h)))
    bandit = _two_absorbing_choices()
    start = bandit.start()
    slow, quick = (dict.fromkeys(policy_value(bandit, lambda _: 0), arm) for arm in (0, 1))
    # the quick policy when H_k <= quick_up_to, else the slow one
    up_to, beyond = geometric_mixture(bandit, quick, quick_up_to)[0], geometric_mixture(bandit, slow, quick_up_to)[0]
    chance = 1 - bandit.discount**quick_up_to
    of_v = chance * policy_value(bandit, quick)[start] + (1 - chance) * policy_value(bandit, slow)[start]
    of_w = up_to[start] + policy_value(bandit, slow)[start] - beyond[start]
    if of_v != of_w or rests_on.verdict is not Verdict.HOLDS:
        return fails({"bandit": bandit, "quick if H_k <=": quick_up_to, "E[V]": of_v, "E[W]": of_w})
    if not termwise:
        return undecided("the two sums differ term by term, and this bandit does not tell them apart")
    return holds(
        Evidence.PROOF,
        reason="given the past, the sums over policy, initial state and horizon agree term by term; summed over the "
        "horizon first, V = E[W] applies",
        without_independence="see the mutant: E[V] = 1 but E[W] = 3/2",
    )
