"""The value W over a finite horizon, and the passage between W and V (the sketch of the proof in Section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from flint import fmpq

from proofs_checks.evidence import Argument, ByHand, InKernel, Step, Uses
from proofs_checks.ledger import Chapter
from proofs_checks.statements import Answer, Family, Property, answer
from theory import Arm, Bandit, GlobalState, expectation, gittins_priority, policy_value, rational
from theory.paper import paper_model
from theory.random_models import random_bandit, random_policy
from theory.values import finite_horizon_value, geometric_mixture, moved, policy_table, priority_policy, values_after

if TYPE_CHECKING:
    from numpy.random import Generator

PolicyTable: TypeAlias = "dict[GlobalState, int]"
Values: TypeAlias = "dict[GlobalState, fmpq]"
Stretch: TypeAlias = "tuple[Bandit, PolicyTable, int, int]"
"""A model, a policy, h and H."""

chapter = Chapter(under="")
ANY = r"$n \ge 1$ arms of $S$ states each, any stationary policy, $1 \le h \le H$"


def paths(bandit: Bandit, policy: PolicyTable, start: GlobalState, steps: int) -> Iterator[tuple[fmpq, fmpq]]:
    """Yield the total reward of every path of this many steps from `start`, with its probability."""
    if steps == 0:
        yield fmpq(0), fmpq(1)
        return
    arm = policy[start]
    for y, probability in enumerate(bandit.arms[arm].transitions[start[arm]]):
        if probability:
            for total, weight in paths(bandit, policy, moved(start, arm, y), steps - 1):
                yield bandit.arms[arm].rewards[start[arm]] + total, probability * weight


def one_step_mean(bandit: Bandit, policy: PolicyTable, values: Values) -> Values:
    """Return P^pi applied to values."""
    return {
        state: expectation(bandit.arms[a].transitions[state[a]], values_after(bandit, values, state, a))
        for state, a in policy.items()
    }


def by_recursion(bandit: Bandit, policy: PolicyTable, h: int, H: int) -> Values:
    """Return W_{h:H} by the recursion as printed, from W_{H:H} down."""
    reward = {state: bandit.arms[a].rewards[state[a]] for state, a in policy.items()}
    values = dict(reward)
    for _ in range(H - 1, h - 1, -1):
        ahead = one_step_mean(bandit, policy, values)
        values = {state: reward[state] + ahead[state] for state in policy}
    return values


def _drawn(source: Generator) -> Stretch:
    bandit = random_bandit(source, max_arms=2, max_global_states=9)
    H = int(source.integers(1, 5))
    return bandit, random_policy(source, bandit), int(source.integers(1, H + 1)), H


def _known() -> Iterator[Stretch]:
    bandit = paper_model("counterexample-m1")
    yield from ((bandit, policy_table(bandit, lambda state: state[0] % 2), h, 3) for h in (1, 2, 3))


STRETCHES = Family("random exact bandits, policies and horizons", _known, draw=_drawn)


def is_mean_total(stretch: Stretch, d: object) -> Answer:
    """Compare the recursion with the sum over all paths."""
    bandit, policy, h, H = stretch
    steps, start = int(rational(d).p) + H - h, bandit.start() if bandit.initial else (0,) * len(bandit.arms)
    by_paths = sum((total * weight for total, weight in paths(bandit, policy, start, steps)), fmpq(0))
    found = by_recursion(bandit, policy, h, H)[start]
    return answer(found == by_paths, model=bandit, start=start, h=h, H=H, recursion=found, over_all_paths=by_paths)


chapter.printed(
    Property(
        "eq:discounted_reward",
        is_mean_total,
        over=STRETCHES,
        domain=ANY,
        says=r"""The recursion for $W^\pi_{M,h:H}$, ended by $W^\pi_{M,H:H} = r^\pi$, gives the expected total reward,
        without discount, of $H - h + [[d]]$ steps from $\boldsymbol{x}$.""",
        d=1,
    ),
    InKernel("recursion_is_total", "total_is_sum", d=1),
    line=401,
    mutants=[{"d": 0}, {"d": 2}],
    looked_at=60,
)


def of_steps(stretch: Stretch, d: object) -> Answer:
    """Compare W_{h:H} with W of a number of steps."""
    bandit, policy, h, H = stretch
    found, expected = (
        by_recursion(bandit, policy, h, H),
        finite_horizon_value(bandit, policy, H - h + int(rational(d).p)),
    )
    return answer(found == expected, model=bandit, h=h, H=H, recursion=found, of_steps=expected)


chapter.implied(
    Property(
        "eq:discounted_reward/steps",
        of_steps,
        over=STRETCHES,
        domain=ANY,
        says=r"""$W^\pi_{M,h:H}$ depends on $h$ and $H$ through the number of steps only: it is $W^\pi_{M,1:m}$ with
        $m = H - h + [[d]]$.""",
        d=1,
    ),
    InKernel("recursion_is_total", d=1),
    line=400,
    under="eq:discounted_reward",
    mutants=[{"d": 0}, {"d": 2}],
    looked_at=60,
)

LONGEST = 6


def mean_is_discounted(stretch: Stretch, first: object) -> Answer:
    """Compare exactly: horizons beyond 6 add beta^6 (W_{1:6} + P^6 V), since W_{1:6+h} = W_{1:6} + P^6 W_{1:h}."""
    bandit, policy, *_ = stretch
    value = policy_value(bandit, policy)
    mixture, mass = geometric_mixture(bandit, policy, LONGEST)
    total, later = finite_horizon_value(bandit, policy, LONGEST), dict(value)
    for _ in range(LONGEST):
        later = one_step_mean(bandit, policy, later)
    scale = bandit.discount ** (1 - int(rational(first).p))
    means = {state: scale * (mixture[state] + mass * (total[state] + later[state])) for state in policy}
    return answer(means == value, model=bandit, value=value, mean_over_horizons=means)


chapter.printed(
    Property(
        "eq:discounted_reward/mean",
        mean_is_discounted,
        over=STRETCHES,
        domain=r"$n \ge 1$ arms of $S$ states each, any stationary policy, $0 \le \beta < 1$",
        says=r"""$V^\pi_M(\boldsymbol{x}) = \mathbb{E}[W^\pi_{M,1:H}(\boldsymbol{x})]$ for $H$ with the geometric law
        $\mathbb{P}(H = h) = (1-\beta)\beta^{h-[[first]]}$ on $h \ge [[first]]$""",
        first=1,
    ),
    InKernel("V_is_mean_W", first=1),
    line=407,
    under="eq:discounted_reward",
    mutants=[{"first": 0}],
    looked_at=60,
)


def _slow_or_quick() -> Bandit:
    """Arm 1 pays 0 and then 1 for ever; arm 2 pays 1 and then 0 for ever."""
    slow = Arm(rewards=[0, 1], transitions=[[0, 1], [0, 1]], states=["slow", "paid"])
    quick = Arm(rewards=[1, 0], transitions=[[0, 1], [0, 1]], states=["quick", "spent"])
    return Bandit([slow, quick], fmpq(1, 2), ["slow", "quick"])


def always(bandit: Bandit, arm: int) -> PolicyTable:
    """Return the policy that plays one arm for ever."""
    return policy_table(bandit, lambda _: arm)


def same_mean(bandit: Bandit, chosen: str) -> Answer:
    """Compare E[V] with E[W_{1:H}] for a policy that plays arm 2 if H = 1, or if a coin of the same chance says so."""
    start = bandit.start()
    slow, quick = (always(bandit, arm) for arm in (0, 1))
    chance = 1 - bandit.discount
    of_slow, of_quick = policy_value(bandit, slow)[start], policy_value(bandit, quick)[start]
    of_v = chance * of_quick + (1 - chance) * of_slow
    if chosen == "by looking at $H_k$":
        of_w = geometric_mixture(bandit, quick, 1)[0][start] + of_slow - geometric_mixture(bandit, slow, 1)[0][start]
    else:
        means = {arm: _mean_of_totals(bandit, table)[start] for arm, table in ((0, slow), (1, quick))}
        of_w = chance * means[1] + (1 - chance) * means[0]
    return answer(of_v == of_w, model=bandit, mean_of_V=of_v, mean_of_W=of_w)


def _mean_of_totals(bandit: Bandit, policy: PolicyTable) -> Values:
    mixture, mass = geometric_mixture(bandit, policy, 1)
    total, later = finite_horizon_value(bandit, policy, 1), one_step_mean(bandit, policy, policy_value(bandit, policy))
    return {state: mixture[state] + mass * (total[state] + later[state]) for state in policy}


chapter.printed(
    Property(
        "eq:equivalence_V_W",
        same_mean,
        over=Family(
            "two arms, one that pays from the second step on, one that pays in the first step",
            lambda: iter([_slow_or_quick()]),
        ),
        domain=r"""any learner; $\pi_k$ drawn from a law that depends on $\mathcal{O}_{k-1}$, $\boldsymbol{X}_{t_k}$
        of law $\rho$; the kernel's theorem is for one policy and one model, which is what they are given
        $\mathcal{O}_{k-1}$ and $\pi_k$""",
        says=r"""$\mathbb{E}[V^{\pi_k}_M(\boldsymbol{X}_{t_k}) \mid \mathcal{O}_{k-1}, \pi_k] =
        \mathbb{E}[W^{\pi_k}_{M,1:H_k} (\boldsymbol{X}_{t_k}) \mid \mathcal{O}_{k-1}, \pi_k]$, if $\pi_k$ is chosen
        [[chosen]].""",
        chosen="from the past alone",
    ),
    InKernel("mean_V_is_mean_W", chosen="from the past alone"),
    line=411,
    mutants=[{"chosen": "by looking at $H_k$"}],
)


def best_over_episode(bandit: Bandit, what: str) -> Answer:
    """Compare the mean total reward of an episode under the order with that of every single arm, up to 16 steps."""
    reward = {(a, x): bandit.arms[a].rewards[x] for a, x in bandit.arm_states}
    order = (
        gittins_priority(bandit) if what == "Gittins index" else sorted(reward, key=reward.__getitem__, reverse=True)
    )
    found, mass = geometric_mixture(bandit, priority_policy(bandit, order), 16)
    rest = mass * (16 + 1 / (1 - bandit.discount)) * max(map(abs, reward.values()))
    for arm in range(len(bandit.arms)):
        other, _ = geometric_mixture(bandit, always(bandit, arm), 16)
        for state, total in other.items():
            if total > found[state] + rest:
                return answer(False, model=bandit, state=state, always_arm=arm + 1, total=total, of_order=found[state])
    return answer(True)


chapter.printed(
    Property(
        "eq:discounted_reward/episode",
        best_over_episode,
        over=Family(
            "random exact bandits and policies that always play one arm",
            lambda: iter([_slow_or_quick(), paper_model("counterexample-m1")]),
            draw=lambda source: random_bandit(source, discount=lambda each: fmpq(int(each.integers(0, 5)), 8)),
        ),
        domain=r"$n \ge 1$ arms of $S$ states each, $0 \le \beta < 1$",
        says=r"""Playing an arm of largest [[what]] maximises the expected total reward, without discount, over an
        episode whose length is geometric of parameter $1 - \beta$.""",
        what="Gittins index",
    ),
    Argument(
        Step("", Uses("gittins-optimal", same={"what": "what"})),
        Step("", Uses("eq:discounted_reward/mean")),
        conclusion=ByHand("The two together: the expected total of each policy is its discounted value."),
    ),
    line=264,
    under="eq:discounted_reward",
    mutants=[{"what": "mean reward"}],
    looked_at=20,
)
