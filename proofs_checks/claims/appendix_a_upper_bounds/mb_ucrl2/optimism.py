"""MB-UCRL2: what is optimistic, and from which initial states (the sketch in Section 5.1, and Section A.4).

A pair of policy and model is chosen for the initial law. From other states it need not be optimistic, and on average
over that law it is: this is all that the proof needs.
"""

from __future__ import annotations

from proofs_checks.claims.section_2 import largest_first
from proofs_checks.computations.confidence_sets import SETS, WithMembers, with_share
from proofs_checks.computations.initial_laws import best_from_law, named
from proofs_checks.evidence import Argument, ByHand, InKernel, Step, Uses
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Family, Property, answer
from theory import ZERO, Exact, gittins_value, optimistic_value, rational
from theory.paper import COUNTEREXAMPLE_RADIUS, counterexample, counterexample_m2
from theory.random_models import random_bandit
from theory.values import optimal_value

chapter = Chapter(under="eq:optimism")
THEOREM_3 = r"""the confidence set of Appendix C: arm $a$ with $L_1$ radius $1/5$, arm $b$ known, $\beta = 1/2$
(dividing all rewards by $4$ puts them into $[0, 1]$ and divides all values by $4$)"""
REAL_REWARDS = {"mean rewards": "real"}

# -- as printed: from every state


def one_pair(radius: Exact, first: str, states: str) -> Answer:
    """Return whether one policy and bandit of the set have the largest value from each of some states.

    If so, its mean over these states is the mean of the largest values, which are extended value iteration's where
    that is attained in the set.
    """
    estimates, names = counterexample(radius=radius), named(states)
    if not all(optimistic_value(estimates, None, (*named(first), each)).attained for each in names):
        return answer(False, why="a largest value is not attained")
    return best_from_law(estimates, named(first), names)


chapter.printed(
    Property(
        "eq:optimism",
        one_pair,
        domain=THEOREM_3,
        says=r"""One policy $\pi_k$ and one bandit $M_k$ of the plausible set have $V^{\pi_k}_{M_k}(x) = \max_\pi
        \max_{M' \in \mathbb{M}_k} V^{\pi}_{M'}(x)$ from every global state $x$. [[ours]] Here with arm $a$
        in $[[first]]$ and arm $b$ in any of $[[states]]$; the $L_1$ radius is $[[radius]]$.""",
        reading=REAL_REWARDS,
        radius=COUNTEREXAMPLE_RADIUS,
        first="A_1",
        states="B_1, B_3",
    ),
    line=427,
    under="thm:regret_upper_bound",
    verdict=Verdict.FAILS,
    refutation=InKernel("optimism_fails", radius=COUNTEREXAMPLE_RADIUS, first="A_1", states="B_1, B_3"),
    severity=Severity.FALSE,
    cause="optimism-every-state",
    mutants={"radius 1/10": {"radius": "1/10"}},
    controls={"radius 0": {"radius": 0}, "arm b in B1 and B2": {"states": "B_1, B_2"}},
)


def dominates(start: str) -> Answer:
    """Compare M_k, the best from (A1, B3) with its optimal policy, with another bandit of the set."""
    estimates = counterexample()
    chosen = optimistic_value(estimates, None, ("A1", "B3")).sharing.bandit
    true = counterexample_m2()
    if chosen is None:
        raise ArithmeticError("extended value iteration is not attained from (A1, B3)")
    left, right = (gittins_value(each, named(start)).value for each in (chosen, true))
    return answer(left >= right, M_k=chosen, M=true, x=start, V_of_M_k=left, V_of_M=right)


chapter.implied(
    Property(
        "eq:optimism/dominates",
        dominates,
        domain=THEOREM_3 + r"; $\rho$ is the point mass at $(A_1, B_3)$",
        says=r"""With $\pi_k$ and $M_k$ chosen as in eq. (6) for the initial law $\rho$, $V^{\pi_k}_{M_k}(x) \ge
        V^{\pi_*}_M(x)$ from every global state $x$, if $M$ is in the plausible set; here from $([[start]])$, for the
        bandit $M = M_2$ of Appendix C.""",
        reading=REAL_REWARDS,
        start="A_1, B_1",
    ),
    line=991,
    verdict=Verdict.FAILS,
    refutation=InKernel("domination_fails", start="A_1, B_1"),
    severity=Severity.GAP,
    cause="optimism-every-state",
    mutants={"from (A1, B2)": {"start": "A_1, B_2"}},
    controls={"from (A1, B3) itself": {"start": "A_1, B_3"}},
)

# -- on average over the initial law


def optimistic_where_chosen(drawn: WithMembers, where: str, share: object) -> Answer:
    """Choose M_k, with radii times a share, by extended value iteration where that is attained; compare with members.

    Where the rows of extended value iteration cannot be shared, nothing is learned.
    """
    estimates, members = drawn
    factor = max(ZERO, rational(share))
    chosen = optimistic_value(with_share(estimates, factor, factor)).sharing.bandit
    if chosen is None:
        return answer(True)
    values = optimal_value(chosen).values
    starts = [estimates.start()] if where == "the initial law" else list(values)
    for member in members:
        others = optimal_value(member).values
        for start in starts:
            if values[start] < others[start]:
                told = {"estimates": estimates, "M_k": chosen, "M": member, "x": str(start)}
                return answer(False, **told, V_of_M_k=values[start], V_of_M=others[start])
    return answer(True)


chapter.ours(
    Property(
        "eq:optimism/repair",
        optimistic_where_chosen,
        over=SETS,
        domain=r"any plausible set, any law $\rho$ of the initial state",
        says=r"""With $\pi_k$ and $M_k$ chosen as in eq. (6)[[share=1? (all radii times $#$)]], on average over
        [[where]] of $X$, $\mathbb{E}[V^{\pi_k}_{M_k}(X)] \ge \mathbb{E}[V^{\pi}_{M}(X)]$ for every policy
        $\pi$ and every $M$ of the plausible set.""",
        where="the initial law",
        share=1,
    ),
    InKernel("optimistic_on_average", where="the initial law", share=1),
    line=991,
    repairs=("eq:optimism", "eq:optimism/dominates"),
    mutants={"from every global state": {"where": "any law"}},
    nearest={"share": "down"},
    looked_at=30,
)

chapter.printed(
    Property(
        "ucrl2/model-gap",
        optimistic_where_chosen,
        over=SETS,
        domain=r"any model, any $k \ge 2$; $H_k$ and $X_{t_k} \sim \rho$ independent of the past",
        says=r"""$\mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}}] \le 0$ for MB-UCRL2, with the event
        $\mathcal{E}^{\text{UCRL2}}_{k-1}$ on which $M$ is in the plausible set. (Held to $V^{\pi_k}_{M_k} \ge
        V^{\pi_*}_{M}$ on average over [[where]][[share=1?, all radii times $#$]].)""",
        reading={"first episodes": "from 2", "plausible rewards": "within [0, 1]"},
        where="the initial law",
        share=1,
    ),
    Argument(
        Step("", Uses("eq:def_model/repair")),
        Step("", Uses("eq:optimism/repair", same={"where": "where", "share": "share"})),
        conclusion=ByHand(
            r"""On the event, which is determined by the past as $\pi_k$ and $M_k$ are, $M \in \mathbb{M}_k$, and the
            mean of $V^{\pi_*}_M(X_{t_k}) - V^{\pi_k}_{M_k}(X_{t_k})$ over $X_{t_k} \sim \rho$ is at most $0$ given
            the past; off the event the product is $0$."""
        ),
    ),
    line=992,
    under="thm:regret_upper_bound",
    mutants={"from every global state": {"where": "any law"}},
    nearest={"share": "down"},
    looked_at=30,
)

# -- the policy

chapter.withdrawn(
    "eq:EVI/optimal-policy",
    r"""It asked that every maximiser of eq. (6) be optimal from states that are never reached from the initial law too,
    which the paper does not say; what it says, that $\pi_k$ is an optimal policy of some $M_k$, is
    `eq:EVI/optimal-policy/repair`.""",
    line=991,
)


chapter.printed(
    Property(
        "eq:EVI/optimal-policy/repair",
        largest_first,
        over=Family("exact bandits of one to three arms of one to three states, ties included", draw=random_bandit),
        domain=r"any plausible set, any law $\rho$ of the initial state",
        says=r"""$\pi_k$ can be taken as an optimal policy of the most optimistic $M_k$: playing an arm of largest
        current [[what]] of $M_k$ is optimal for $M_k$ from every global state, and so has the largest value
        $V^{\pi}_{M'}(\rho)$ over all policies and all $M'$ of the set.""",
        what="Gittins index",
    ),
    Argument(
        Step("", Uses("gittins-optimal", same={"what": "what"})),
        conclusion=ByHand(
            r"""A policy that is optimal from every state has the largest mean over $\rho$ in $M_k$, and $M_k$ is the
            model of a pair that has the largest mean over the set."""
        ),
    ),
    line=991,
    under="thm:regret_upper_bound",
    mutants=[{"what": "mean reward"}],
    looked_at=60,
)

CAUSES = [
    Cause(
        "optimism-every-state",
        Severity.FALSE,
        line=427,
        title="One policy and one model are not optimistic from every initial state",
        printed=r"$V^{\pi_k}_{M_k}(x) = \max_\pi\max_{M'\in\mathbb{M}_k} V^{\pi}_{M'}(x) \ge V^{\pi_*}_M(x)$",
        why=r"""The best row of an arm's state depends on where the other arms are. In the confidence set of Appendix
        C the bandit that is best from $(A_1, B_3)$ is worth $5.899\ldots$ from $(A_1, B_1)$, where $M_2$ of the same
        set is worth $5.996\ldots$; and no bandit of the set is best from both: with either state equally likely the
        largest value is $6.208\ldots$, the mean of the two largest $6.233\ldots$""",
        instead=r"""Lines 427 and 991: $\mathbb{E}[V^{\pi_k}_{M_k}(X)] = \max_\pi\max_{M'\in\mathbb{M}_k}
        \mathbb{E}[V^{\pi}_{M'}(X)] \ge \mathbb{E}[V^{\pi_*}_M(X)]$ for $X \sim \rho$.""",
        follows=r"""Nothing in the regret bound: $X_{t_k} \sim \rho$ is independent of the past, so the average is all
        that $\mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}}] \le 0$ needs. An algorithm that computes a policy
        from one state, or for another law, loses it.""",
        witness="eq:optimism",
    ),
]
