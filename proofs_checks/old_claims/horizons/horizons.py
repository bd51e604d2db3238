"""Episodes of geometric length: the discounted value as a total over one, and the number of steps of K."""

from __future__ import annotations

import sympy  # type: ignore[import-untyped]

from proofs_checks.ledger import Book, Evidence, Finding, claim, decide, fails
from theory import paper_model, rational
from theory.certified import horizon_moment
from theory.values import geometric_mixture, policy_value

MODEL_SECTION = "Model and definitions"


@claim(
    "eq:V-vs_R",
    section=MODEL_SECTION,
    statement="""The discounted value of a policy equals its expected total reward over H steps, H of law
    P(H = m) = (1-beta) beta^(m-1), m = 1, 2, ...""",
    domain="rewards in [0, 1], 0 <= beta < 1, H independent of the states and rewards",
    evidence=Evidence.PROOF,
    mutants={"H counted from 0: P(H = m) = (1-beta) beta^m": {"shortest": 0}},
)
def value_over_a_geometric_horizon(book: Book, shortest: int = 1) -> Finding:
    beta, z, n, total = sympy.symbols("beta z n s_n", positive=True)
    # with s_n = 1 + z + ... + z^(n-1): E[s_min(H,n)] grows from n to n+1 as the discounted sum does, beta^n z^n
    of_length, longer = (1 - beta) * beta ** (n + 1 - shortest), beta ** (n + 1 - shortest)
    grown = (of_length + longer * beta) * (total + z**n) - longer * total
    first = (1 - beta) * beta ** (1 - shortest) + beta ** (2 - shortest)
    if sympy.simplify(grown - beta**n * z**n) != 0 or sympy.simplify(first - 1) != 0:
        half = rational("1/2")
        length = horizon_moment(1, half) - (1 - shortest)
        return fails({"model": "one arm, one state, reward 1", "beta": half, "V": 1 / (1 - half), "E[W_1:H]": length})
    bandit = paper_model("counterexample-m2")
    largest = max(reward for arm in bandit.arms for reward in arm.rewards)
    mixture, mass = geometric_mixture(bandit, lambda state: state[0] % 2, 40)
    values = policy_value(bandit, lambda state: state[0] % 2)
    rest = mass * (40 + 1 / (1 - bandit.discount)) * largest
    return decide(
        all(0 <= values[state] - mixture[state] <= rest for state in values),
        Evidence.PROOF,
        reason="""Induction on n over the horizon min(H, n), symbolic in beta and in the transition matrix z; the part
        left out is at most beta^n (n + 1/(1-beta)) and tends to 0. An exact model lies within that part.""",
        largest_gap=max(values[state] - mixture[state] for state in values),
        allowed_gap=rest,
    )


@claim(
    "eq:V-vs_R/steps",
    section="Numerical experiments",
    statement="K episodes take K/(1-beta) steps in expectation, 300 000 for K = 3000 and beta = 0.99.",
    domain="K >= 1, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"K beta/(1-beta)": {"shift": 1}, "30 000": {"printed": 30_000}},
)
def expected_steps(book: Book, shift: int = 0, printed: int = 300_000) -> Finding:
    beta, n = sympy.symbols("beta n", positive=True)
    partial = (1 - beta**n) / (1 - beta)  # sum of P(H >= m) = beta^(m-1) over m <= n
    induction = sympy.simplify(partial.subs(n, n + 1) - partial - beta**n) == 0 and partial.subs(n, 1) == 1
    tends_to = sympy.simplify(beta**shift / (1 - beta) - partial - beta**n / (1 - beta)) == 0  # beta^n/(1-beta) -> 0
    instances = {b: 3000 * horizon_moment(1, b) for b in ("0", "1/2", "99/100")}
    claimed = {b: 3000 * rational(b) ** shift / (1 - rational(b)) for b in instances}
    return decide(
        induction and tends_to and instances == claimed and instances["99/100"] == printed,
        Evidence.PROOF,
        reason="E[H] is the sum of P(H >= m); its partial sums are (1 - beta^n)/(1-beta), by induction, and "
        "fall short of 1/(1-beta) by beta^n/(1-beta).",
        exact_for_3000_episodes=instances,
        claimed=claimed,
    )
