r"""Section 2: Markovian bandits, Gittins indices, geometric lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.section_2.checks import operations
from theory import gittins_indices
from theory.gittins import refutation
from theory.random_models import random_arm, random_discount
from theory.values import Activation, global_states, product_process

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator
from theory.certified import horizon_moment
from theory.paper import paper_model
from theory.values import Policy, geometric_mixture

chapter = Chapter()

# == The model, its optimal policies and the Gittins index.

at = chapter.heading("")
RANDOM = "random exact bandits of one to three arms; discounts from $0$ to $0.99$; ties and rows with zeros included"

def of_two_arms() -> Iterator[Bandit]:
    yield from map(paper_model, ("counterexample-m1", "counterexample-m2"))

def is_stochastic(bandit: Bandit, others: str) -> Answer:
    states = global_states(bandit, "")
    for (a, arm), x in product(enumerate(bandit.arms), states):
        row = [
            arm.transitions[x[a]][y[a]]
            for y in states
            if others == "anywhere" or all(x[b] == y[b] for b in range(len(x)) if b != a)
        ]
        if sum(row, fmpq(0)) != 1:
            return answer(False, model=bandit, arm=a + 1, x=x, row=row)
    return answer(True)

at.printed(196).property("eq:defP",
    r"""$P^a(\boldsymbol{x}, \boldsymbol{y}) = Q(x_a, y_a)$ if $x_b = y_b$ for all $b \ne a$, and $0$ otherwise.
    [[ours]] For every arm $a$ the rows of $P^a$ are probability laws over $\mathcal{E}$, the other arms being
    [[others]] in $\boldsymbol{y}$.""",
    is_stochastic, over=Family(RANDOM, of_two_arms, draw=random_bandit), domain=r"$n \ge 1$ arms of $S$ states each",
    others="as before", kernel="P_stochastic", false={"others": "anywhere"})

def _two_of_one_size(source: Generator) -> Bandit:
    size = int(source.integers(2, 4))
    return Bandit([random_arm(source, size) for _ in range(2)], random_discount(source))

def same_values_by_name(bandit: Bandit, names: str) -> Answer:
    tagged = names == "pairs $(a, x_a)$"
    name = {(a, x): (a, x) if tagged else x for a, x in bandit.arm_states}
    reward = {name[a, x]: bandit.arms[a].rewards[x] for a, x in bandit.arm_states}
    row = {name[a, x]: bandit.arms[a].transitions[x] for a, x in bandit.arm_states}
    process = product_process(bandit, lambda a, x: Activation(reward[name[a, x]], row[name[a, x]]))
    found, expected = process.solve().values, optimal_value(bandit).values
    return answer(found == expected, model=bandit, values=expected, by_names=found)

at.printed(172).property("sec:def/disjoint",
    r"""Nothing is lost with pairwise distinct state spaces: $\mathcal{S}^a \cap \mathcal{S}^b = \emptyset$ for $a \ne
    b$. [[ours]] With [[names]] for the states, one function $r$ and one matrix $Q$ on the union of the state spaces
    describe all arms, and from every global state the optimal value is that of the arms.""",
    same_values_by_name, over=Family("two arms of equally many states", of_two_arms, draw=_two_of_one_size),
    domain=r"finite bandits, $0 \le \beta < 1$", names="pairs $(a, x_a)$",
    by=ByHand(r"""$x_a \mapsto (a, x_a)$ is one to one on each $\mathcal{S}^a$, and carries $r^a$, $Q^a$, hence $P^a$
        and every policy, over to the renamed arms."""),
    false={"names": "the numbers $x_a$"})

def optimal_from_all(bandit: Bandit, which: str) -> Answer:
    states = global_states(bandit, "")
    tables = [
        policy_value(bandit, dict(zip(states, choice, strict=True)))
        for choice in product(range(len(bandit.arms)), repeat=len(states))
    ]
    best = {state: max(values[state] for values in tables) for state in states}
    at_start = [values for values in tables if values[bandit.start()] == best[bandit.start()]]
    good = [values == best for values in at_start]
    return answer(all(good) if which == "Every" else any(good), model=bandit, best=best, from_initial=bandit.start())

at.printed(228).property("pb:problem_1/exists",
    r"""There is $\pi_*$, the same for all $\boldsymbol{x}$ and $\rho$, with $V^{\pi_*}_M(\boldsymbol{x}) \ge
    V^\pi_M(\boldsymbol{x})$ for all $\pi \in \Pi$ and $\boldsymbol{x} \in \mathcal{E}$. [[ours]] [[which]]
    deterministic policy whose value is the largest from one global state attains the largest value from all of
    them.""",
    optimal_from_all,
    over=Family("random exact bandits of at most 6 global states, with all their policies",
        draw=lambda source: random_bandit(source, max_arms=2, max_global_states=6)),
    domain=r"$n \ge 1$ arms of $S$ states each, $0 \le \beta < 1$", which="Some", kernel="optimal_policy",
    false={"which": "Every"}, max_instances=40)

def _drawn_arm(source: Generator) -> Bandit:
    return Bandit([random_arm(source, int(source.integers(1, 6)))], random_discount(source))

def is_supremum(model: Bandit, stopping: str) -> Answer:
    (arm,), beta = model.arms, model.discount
    computed = gittins_indices(arm, beta)
    supremum = gittins_indices(arm, beta, "definition") if stopping == "any stopping time" else arm.rewards
    refuted = refutation(arm, beta, computed)
    return answer(computed == supremum and not refuted, model=model, computed=computed, certificate=refuted)

at.ours(237).property("eq:eq_Gindex",
    r"""The supremum of discounted reward per discounted time over [[stopping]] $\tau > 0$, which may toss coins, is
    attained, by one that tosses none; and, for rational rewards, rows and $\beta$, a rational number at which playing
    on and retiring tie, by a rational solution of the Bellman equation of retirement, is that supremum. (The indices
    that elimination of the states computes are held to this tie, and to the exit times of sets of states.)""",
    is_supremum, over=Family("random exact arms of one to five states", draw=_drawn_arm),
    domain=r"finite arms, $0 \le \beta < 1$", stopping="any stopping time",
    kernel=("index_is_attained", "indices_are_gittins"), false={"stopping": r"$\tau = 1$"}, max_instances=40)

def by_reward(bandit: Bandit) -> Priority:
    return tuple(sorted(bandit.arm_states, key=lambda s: bandit.arms[s[0]].rewards[s[1]], reverse=True))

ORDERS = {"Gittins index": gittins_priority, "mean reward": by_reward}

def largest_first(bandit: Bandit, what: str) -> Answer:
    """Return whether an order of the arm states has the optimal value, by policy iteration, from every state."""
    best, found = optimal_value(bandit).values, policy_value(bandit, priority_policy(bandit, ORDERS[what](bandit)))
    state = max(best, key=lambda each: best[each] - found[each])
    return answer(best == found, model=bandit, state=state, optimum=best[state], of_the_order=found[state])

at.printed(243).property("gittins-optimal",
    r"""Playing an arm of largest current [[what]] is an optimal policy, from every global state. [[ours]] Among all
    ways to play that may look at past states and arms and toss coins (Gittins 1979).""",
    largest_first, over=Family(RANDOM, of_two_arms, draw=random_bandit),
    domain=r"$n \ge 1$ arms of $S$ states each, rewards of any size, $0 \le \beta < 1$", what="Gittins index",
    kernel="gittins_policy_is_optimal", false={"what": "mean reward"}, max_instances=60)

WORK = 2 * m**2 + d * m - 4
"""Operations that removing one of m states takes."""

def full_arm(size: int) -> Arm:
    total = sum(range(1, size + 1))
    return Arm(rewards=[fmpq(x, size) for x in range(size)],
        transitions=[[fmpq(y + 1, total) for y in range(size)]] * size)

def arm_of_few_states(generator: Generator) -> Arm:
    return random_arm(generator, int(generator.integers(1, 10)))

def cheap(arm: Arm, c: object, d: object) -> Answer:
    """Compare the number of operations done with the sum, which they take if no row has a zero, and with a bound."""
    total = sum((2 * left**2 + rational(d) * left - 4 for left in range(1, arm.size + 1)), ZERO)
    found = operations(arm)
    exact = found == total or any(p == 0 for row in arm.transitions for p in row)
    return answer(exact and found <= total <= rational(c) * arm.size**3, S=arm.size, operations=found, sum=total)

at.printed(245).property("gittins-cost",
    r"""The indices of an arm of $S$ states take $O(S^3)$ arithmetic operations, the index policy $O(nS^3)$. [[ours]]
    Counted at $\beta = \frac12$, elimination of the states one by one (Sonin 2008) takes $\sum_{m=1}^S (2m^2 +
    [[d]]m - 4)$ operations and comparisons for each arm whose rows have no zero, and no more for others; at most
    $[[c]]S^3$.""",
    cheap, over=Family("arms of 1 to 9 states", lambda: map(full_arm, range(1, 10)), draw=arm_of_few_states),
    domain="finite arms", c=5, d=7, by=Samples(100), nearest="c d", max_instances=200)

at.ours(245).relation("gittins-cost/sum", "The sum of `gittins-cost` is at most $[[c]]S^3$: $[[formula]]$.",
    ForAll(S >= 1), Sum(WORK, (m, 1, S)) <= c * S**3, by=LeastAt(S, 1, steps=True), c=5, d=7, nearest="c d")

# == The discounted value as a total over a geometric number of steps, and the moments of that number.

at = chapter.heading("eq:V-vs_R")
LENGTHS = ForAll(N >= 0, beta >= 0, beta < 1)

def _models() -> Iterator[tuple[Bandit, Policy]]:
    yield Bandit([Arm(rewards=[1], transitions=[[1]])], fmpq(1, 2)), lambda state: 0
    for name in ("counterexample-m1", "counterexample-m2"):
        yield paper_model(name), lambda state: state[0] % 2

def _drawn(generator: Generator) -> tuple[Bandit, Policy]:
    bandit = random_bandit(generator, discount=lambda source: fmpq(int(source.integers(0, 7)), 10))
    return bandit, random_policy(generator, bandit)

def as_geometric_total(model: tuple[Bandit, Policy], a: object) -> Answer:
    """Return whether V minus the mean total of up to nS steps lies in the range of what later steps may pay."""
    bandit, policy = model
    values = policy_value(bandit, policy)
    steps = len(bandit.arm_states)
    mixture, mass = geometric_mixture(bandit, policy, steps)
    shift = bandit.discount ** int(rational(a).p)
    rewards = [reward for arm in bandit.arms for reward in arm.rewards]
    left = mass * (steps + 1 / (1 - bandit.discount))
    totals = {state: shift * mean for state, mean in mixture.items()}
    return all_of(
        answer(left * min(rewards) <= value - totals[x] <= left * max(rewards), model=bandit, state=x, value=value,
            total=totals[x], of_steps=steps)
        for x, value in values.items())

at.printed(217).property("eq:V-vs_R",
    r"""$V^\pi_M(\boldsymbol{x}) = \mathbb{E}\left[\sum_{t=1}^H R_t \mid \boldsymbol{X}_1 = \boldsymbol{x}, A_t =
    \pi(\boldsymbol{X}_t)\right]$, with $H$ geometric of parameter $1-\beta > 0$. [[ours]] So $\mathbb{P}(H = m) =
    (1-\beta)\beta^{m-1[[a=0?+#]]}$ for $m = 1, 2, \ldots$""",
    as_geometric_total, over=Family("exact bandits with a policy", _models, draw=_drawn),
    domain=r"""rewards in $[0, 1]$, $0 \le \beta < 1$, a length $H$ independent of states and rewards; the expectation
    is that under the law of the run""",
    a=0, kernel=("discounted_is_mean_total", "value_of_runs"), false={"lengths from 0 on": {"a": 1}}, under="")

REST = (N + 1 / (1 - beta), N**2 + 2 * N / (1 - beta) + (1 + beta) / (1 - beta) ** 2)  # E[H + N], E[(H + N)^2]
MOMENTS = tuple((Eq(Sum(m**power * (1 - beta) * beta ** (m - 1), (m, 1, N)) + beta**N * rest, value)
    for power, rest, value in ((1, REST[0], c / (1 - beta)), (2, REST[1], b * (1 + beta) / (1 - beta) ** 2))))

at.ours(217).relation("eq:V-vs_R/moments",
    r"""$\mathbb{E}[H] = \frac{1}{1-\beta}$ and $\mathbb{E}[H^2] = \frac{1+\beta}{(1-\beta)^2}$: for every natural $N$,
    $[[formula]]$, and what stands beside the sums tends to $0$.""",
    LENGTHS, *MOMENTS, c=1, b=1, kernel="geometric_moments", nearest="c b")

at.printed(502).number("eq:V-vs_R/steps",
    r"""With $K = [[episodes]]$ episodes and $\beta = [[beta]]$ there are $K/(1-\beta)$, $[[printed]]$, steps in
    expectation.""",
    "300000", lambda episodes, beta: int(episodes) * horizon_moment(1, rational(beta)),
    also=lambda episodes, beta: int(episodes) / (1 - rational(beta)), episodes=3000, beta="0.99", by=Everywhere(),
    false=[{"beta": "0.98"}, {"episodes": 2999}])
