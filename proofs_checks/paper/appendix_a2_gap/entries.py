r"""Lemma `regret_decomposition`: one policy in two models over a finite horizon (Section A.2, concentration gap).

For a policy and an episode of H steps let W' be the values in M_k and W those in M. One step of the recursion splits
W' - W into the difference of rewards, that of rows, and the mean of W' - W one step later; the lemma follows by
induction, for rows of any length.
"""

from __future__ import annotations

from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.shared.model_pairs import PAIRS, Pair, within_bound
from theory.optimism import distance

chapter = Chapter()
at = chapter.heading("lem:regret_decomposition")
BANDITS = r"""$M$ and $M_k$ of $n$ arms of $S$ states each, with $r_k \ge 0$; any deterministic policy $\pi$, $H \ge
1$, any initial state"""
A, B, D, E, G = sympy.symbols("A B D E G", real=True)

at.printed(754).process("lem:regret_decomposition/step",
    r"""$P_k^{\pi_k}W^{\pi_k}_{M_k} - P^{\pi_k}W^{\pi_k}_M = (P_k^{\pi_k} - P^{\pi_k})W^{\pi_k}_{M_k} +
    P^{\pi_k}(W^{\pi_k}_{M_k} - W^{\pi_k}_M)$. [[ours]] So too with $W^{\pi_k}_{M_k} - c$ in the first product, for
    every number $c \ge 0$, since both rows have the sum $1$. Over any number of next states, with $p$, $q$ their
    probabilities in $M$ and $M_k$, and $v$, $w$ their values there, $[[formula]]$ with $A = \sum (qw - pv)$, $E = \sum
    (q-p)(w-c)$, $G = \sum p(w-v)$ and $D = \sum (q-p)$, which is $0$ in the end.""",
    Eq(A, d * (E + c * D) + G), start={A: 0, E: 0, G: 0, D: 0},
    move={A: A + q * w - p * v, E: E + (q - p) * (w - c), G: G + p * (w - v), D: D + q - p},
    inputs=ForAll(p >= 0, q >= 0, v >= 0, w >= 0), fixed=ForAll(c >= 0), d=1, by=Invariant(),
    candidates=[({c: fmpq(1)}, ({p: fmpq(0), q: fmpq(1), v: fmpq(0), w: fmpq(1)},
                                {p: fmpq(1), q: fmpq(0), v: fmpq(0), w: fmpq(0)}))], nearest="d")

def longer_is_more(pair: Pair, a: object) -> Answer:
    pair = pair.with_rewards_from(a)
    totals = [finite_horizon_value(pair.learned, pair.policy, steps) for steps in (0, *pair.lengths)]
    return all_of(
        answer(value >= before[x], **pair.told(steps=steps, state=x, value=value, one_step_less=before[x]))
        for steps, (before, after) in zip(pair.lengths, pairwise(totals), strict=True) for x, value in after.items())

at.implied(754).property("lem:regret_decomposition/monotone",
    r"""With rewards of $M_k$ in $[[[a]], 1]$, $W^{\pi}_{M_k,h:H}(x) \le W^{\pi}_{M_k,1:H}(x)$ for all $h \le H$ and
    $x$: a bound on $W_{1:H}$ bounds every $W_{h:H}$.""",
    longer_is_more, over=PAIRS, domain=BANDITS, a=0, kernel="total_monotone", false={"a": "-1/100"})

def between_0_and_length(pair: Pair, a: object, d: object) -> Answer:
    pair = pair.with_rewards_from(a)
    return all_of(answer(0 <= value <= steps - rational(d), **pair.told(H=steps, state=state, W=value))
        for steps in pair.lengths
        for state, value in finite_horizon_value(pair.learned, pair.policy, steps).items())

at.printed(908).property("lem:regret_decomposition/horizon-bound",
    r"""$W^{\pi_k}_{M_k,1:H_k}(X_{t_k}) \le H_k$, as rewards are at most $1$, and $B_k = H_k$. [[ours]] With rewards of
    $M_k$ in $[[[a]], 1]$, $0 \le W^\pi_{M_k,1:H}(x) \le H[[d=0? - #]]$ for every $x$.""",
    between_0_and_length, over=PAIRS, domain=r"finite bandits, any policy, $H \ge 1$", a=0, d=0,
    kernel="total_at_most_horizon", false={"a": "-1/100"}, nearest="d")

def equal_norms(pair: Pair, arm: str) -> Answer:
    for state, played in pair.policy.items():
        whole: dict[GlobalState, fmpq] = {}
        for sign, bandit in ((1, pair.learned), (-1, pair.true)):
            for to, probability in enumerate(bandit.arms[played].transitions[state[played]]):
                after = moved(state, played, to)
                whole[after] = whole.get(after, fmpq(0)) + sign * probability
        other = played if arm == "played" else (played + 1) % len(pair.true.arms)
        rows = [bandit.arms[other].transitions[state[other]] for bandit in (pair.learned, pair.true)]
        norm = sum(map(abs, whole.values()), fmpq(0))
        if norm != distance(*rows):
            return answer(False, **pair.told(state=state, of_global_rows=norm, of_local_rows=distance(*rows)))
    return answer(True)

at.printed(766).property("lem:regret_decomposition/norms",
    r"""$\lVert P_k^{\pi_k}(x,\cdot) - P^{\pi_k}(x,\cdot)\rVert_1 = \lVert Q_k(x_a,\cdot) - Q(x_a,\cdot)\rVert_1$ for
    the arm $a$ that is [[arm]] in $x$.""",
    equal_norms, over=PAIRS, domain=BANDITS, arm="played", kernel="global_distance",
    false={"the row of another arm": {"arm": "next"}})

LEMMA = r"""$W^{\pi}_{M_k,1:H}(x) - W^{\pi}_{M,1:H}(x) \le \mathbb{E}\big[\sum_{t=1}^{H} |r_k(X_t) - r(X_t)| +
[[*f]]B\lVert Q_k(X_t,\cdot) - Q(X_t,\cdot)\rVert_1\big]$, where $X_t$ is the state of the arm played at
step $t$ of play in $M$ from $x$"""

at.printed(736).property("lem:regret_decomposition",
    r"""$\mathbb{E}[\Delta_k^{conc} \mid \mathcal{O}_{k-1}, H_k, M_k, M] \le \mathbb{E}\big[\sum_{t=t_k}^{t_{k+1}-1}
    |r_k(X_{t,A_t}) - r(X_{t,A_t})| + B_k\lVert Q_k(X_{t,A_t},\cdot) - Q(X_{t,A_t},\cdot)\rVert_1 \mid
    \mathcal{O}_{k-1}, H_k, M_k, M\big]$ where $W^{\pi_k}_{M_k,1:H_k}(x) \le B_k$ for any $x$. [[ours]] For one policy
    and $H$ steps from $x$: """
    + LEMMA + r", and $B \ge 0$ bounds $[[of]]$ of $M_k$ in all states; rewards of $M_k$ from $[[a]]$ on.",
    within_bound, over=PAIRS, domain=BANDITS, f=1, of="W_{1:H}", a=0, kernel="regret_decomposition",
    false={"rewards of $M_k$ from -1": {"a": -1},
        "rewards from -1, every $W_{h:H}$ bounded": {"a": -1, "of": "W_{h:H}"}},
    nearest="f", under="thm:regret_upper_bound")
