r"""Lemma `concentration_T_i`: the number of steps spent in one state by K episodes, its law, mean and lower tail.

An episode starts in state i with probability 1/S and, as no arm moves, stays there for all its steps.
"""

from __future__ import annotations

from itertools import product

from flint import fmpq
from sympy import Eq, Sum  # type: ignore[import-untyped]

from proofs_checks.computations.forced_regrets import AtMostHalf, ReachesHalf
from proofs_checks.evidence import Argument, ByHand, Invariant, LeastAt, Step, Uses
from proofs_checks.ledger import Chapter
from proofs_checks.statements import Answer, Family, ForAll, Process, Property, Relation, answer
from proofs_checks.statements.symbols import K, N, S, a, b, beta, c, d, m, p
from theory import ONE, ZERO, rational
from theory.paper import mean_visits, visit_law, visits_below

chapter = Chapter(under="lem:concentration_T_i")
SIZES = ForAll(S >= 1, K >= 1, beta >= 0, beta < 1)
LONGEST = 8
Case = tuple[int, int, fmpq]
CASES = Family(
    r"$S \in \{1, 2, 3, 5\}$, $K \in \{1, 2, 3\}$, $\beta \in \{0, \frac{1}{2}, \frac{9}{10}\}$",
    lambda: product((1, 2, 3, 5), (1, 2, 3), (ZERO, fmpq(1, 2), fmpq(9, 10))),
)
EVERY_SIZE = r"$S, K \ge 1$, $0 \le \beta < 1$"


def law_of_steps(S: int, K: int, beta: fmpq, longest: int = LONGEST) -> list[fmpq]:
    """Return P(T_i = t), t = 0, ..., `longest`, step by step: episodes start, go on and end as the model says."""
    waiting = {0: ONE}  # the probability of so many visits when an episode starts
    for _ in range(K):
        after = {t: chance * (1 - fmpq(1, S)) for t, chance in waiting.items()}
        playing = {t + 1: chance / S for t, chance in waiting.items() if t < longest}  # at the first step in state i
        while playing:
            for t, chance in playing.items():
                after[t] = after.get(t, ZERO) + chance * (1 - beta)
            playing = {t + 1: chance * beta for t, chance in playing.items() if t < longest and beta}
        waiting = after
    return [waiting.get(t, ZERO) for t in range(longest + 1)]


def law_of_products(S: int, K: int, beta: fmpq, shift: int) -> list[fmpq]:
    """Return the law of the sum of K products G H, with P(H = h) = (1-beta) beta^(h - shift), by convolution."""
    one = [fmpq(1, S) * (1 - beta) * (beta ** (h - shift) if h > shift else ONE) for h in range(shift, LONGEST + 1)]
    one = [ZERO] * shift + one
    one[0] += 1 - fmpq(1, S)
    law = [ONE] + [ZERO] * LONGEST
    for _ in range(K):
        law = [sum((law[j] * one[t - j] for j in range(t + 1)), ZERO) for t in range(LONGEST + 1)]
    return law


def _same_law(case: Case, shift: int) -> Answer:
    steps, products = law_of_steps(*case), law_of_products(*case, shift)
    told = dict(zip(("S", "K", "beta"), case, strict=True))
    return answer(steps == products, **told, law_of_the_steps=steps, law_of_the_sum=products)


def _lemma(case: Case, d: object) -> Answer:
    S, K, beta = case
    below = visits_below(S, K, beta, mean_visits(S, K, beta) / 2)
    same = law_of_steps(S, K, beta) == visit_law(S, K, beta, LONGEST)
    return answer(same and below <= rational(d) * S / K, S=S, K=K, beta=beta, probability_below_half=below)


chapter.printed(
    Property(
        "lem:concentration_T_i",
        _lemma,
        over=CASES,
        domain=EVERY_SIZE,
        says=r"""The number $T_i$ of steps in state $i$ has the law of $\sum_{k \le K} G_k H_k$, its mean is
        $\frac{K}{S(1-\beta)}$, and $\mathbb{P}(T_i \ge \mathbb{E}[T_i]/2) \ge 1 - [[d]] S/K$.""",
        d=8,
    ),
    Argument(
        Step("", Uses("lem:concentration_T_i/i")),
        Step("", Uses("lem:concentration_T_i/ii")),
        Step("", Uses("lem:concentration_T_i/iii", same={"d": "d"})),
        conclusion=ByHand("These are its three parts."),
    ),
    line=1150,
    under="",
    nearest={"d": "down"},
)

chapter.implied(
    Process(
        "thm:lower_bound/independent-of-play",
        Eq(p, 1, evaluate=False),
        start={p: 1},
        move={p: a * p},
        inputs=ForAll(),
        says=r"""Whatever is played, an episode is at every step in the state in which it began, so that $T_i$ depends
        only on initial states and lengths: each step multiplies the probability $p$ to be still there by
        $Q_a(i, i) = [[a]]$, as passive arms do not move either, and after any number of steps $[[formula]]$.""",
        a=1,
    ),
    Invariant(),
    line=1127,
    under="thm:lower_bound",
    nearest={"a": "down"},
)

chapter.printed(
    Property(
        "lem:concentration_T_i/i",
        _same_law,
        over=CASES,
        domain=EVERY_SIZE,
        says=r"""$T_i$ has the law of $\sum_{k=1}^{K} G_k H_k$, with $G_k$ Bernoulli of mean $\frac{1}{S}$ and
        $\mathbb{P}(H_k = h) = (1-\beta)\beta^{h-[[shift]]}$, $h \ge [[shift]]$, all independent.""",
        shift=1,
    ),
    Argument(
        Step("", Uses("thm:lower_bound/independent-of-play")),
        conclusion=ByHand(
            r"""An episode that starts in $i$, which has probability $\frac{1}{S}$, spends all its $H_k$ steps there,
            and any other one none; initial states and lengths are independent."""
        ),
    ),
    line=1153,
    mutants=[{"shift": 0}],
)

PARTIAL_MEAN = K / S * (Sum(m * (1 - beta) * beta ** (m - 1), (m, 1, N)) + beta**N * (N + 1 / (1 - beta)))

chapter.printed(
    Relation(
        "lem:concentration_T_i/ii",
        SIZES.where(N >= 0),
        Eq(PARTIAL_MEAN, c * K / (S * (1 - beta)), evaluate=False),
        says=r"""$\mathbb{E}[T_i] = K\,\mathbb{E}[G_1]\,\mathbb{E}[H_1] = \frac{K}{S(1-\beta)}$. [[ours]] For every $N$:
        $[[formula]]$, and what stands beside the sum tends to $0$.""",
        c=1,
    ),
    Argument(
        Step("", Uses("lem:concentration_T_i/i")),
        Step("By induction:", LeastAt(N, 0, steps=True), Eq(PARTIAL_MEAN, c * K / (S * (1 - beta)), evaluate=False)),
        Step(r"The mean of a sum of products of independent variables, and $\beta^N N \to 0$.", ByHand()),
    ),
    line=1154,
    nearest={"c": "down"},
)

MEAN, SECOND = 1 / (S * (1 - beta)), (1 + beta) / (S * (1 - beta) ** 2)

chapter.printed(
    Relation(
        "lem:concentration_T_i/variance",
        ForAll(S >= 1, beta >= 0, beta < 1),
        c * S * MEAN**2 >= SECOND,
        (c * S - d) * MEAN**2 >= SECOND - MEAN**2,
        Eq(SECOND - MEAN**2, ((1 + beta) * S - d) * MEAN**2, evaluate=False),
        says=r"""With $\mathbb{E}[G_1H_1] = \frac{1}{S(1-\beta)}$ and $\mathbb{E}[(G_1H_1)^2] =
        \frac{1+\beta}{S(1-\beta)^2}$ the bounds on the second moment and the variance are, with the exact variance,
        $[[formula]]$.""",
        c=2,
        d=1,
    ),
    Argument(
        Step(
            r"$\mathbb{E}[H] = \frac{1}{1-\beta}$ and $\mathbb{E}[H^2] = \frac{1+\beta}{(1-\beta)^2}$.",
            Uses("eq:V-vs_R/moments", at={N: 0}),
        )
    ),
    line=1174,
    nearest={"c": "down", "d": "up"},
)

VARIANCE_OVER_SQUARE = ((1 + beta) * S - 1) / K  # Var[T] / E[T]^2, T being a sum of K independent terms

chapter.printed(
    Relation(
        "lem:concentration_T_i/chebyshev",
        SIZES,
        AtMostHalf(S, K, beta) <= c * VARIANCE_OVER_SQUARE,
        c * VARIANCE_OVER_SQUARE <= d * S / K,
        says=r"""With $\frac{\mathrm{Var}[T_i]}{\mathbb{E}[T_i]^2} = \frac{1}{K}
        \frac{\mathrm{Var}[G_1H_1]}{\mathbb{E}[G_1H_1]^2} = \frac{(1+\beta)S-1}{K}$, $[[formula]]$.""",
        c=4,
        d=8,
    ),
    Argument(
        Step("The variance of one episode's visits:", Uses("lem:concentration_T_i/variance")),
        Step(
            r"Chebyshev's inequality, $T_i$ being a sum of $K$ independent terms:",
            ByHand(),
            AtMostHalf(S, K, beta) <= 4 * VARIANCE_OVER_SQUARE,
        ),
    ),
    line=1171,
    mutants=[{"c": "1/2"}],
    nearest={"d": "down"},
)

chapter.printed(
    Relation(
        "lem:concentration_T_i/iii",
        SIZES,
        ReachesHalf(S, K, beta) >= 1 - d * S / K,
        d=8,
    ),
    Argument(
        Step("", Uses("lem:concentration_T_i/chebyshev")),
        Step(
            "The complement of what is smaller than half of the mean:",
            ByHand(),
            ReachesHalf(S, K, beta) >= 1 - AtMostHalf(S, K, beta),
        ),
    ),
    line=1155,
    nearest={"d": "down"},
)

chapter.printed(
    Relation(
        "thm:lower_bound/half",
        SIZES.where(a * S <= K),
        ReachesHalf(S, K, beta) >= b,
        says=r"With $\tau = \mathbb{E}[T_i]/2$ and $K \ge [[a]] S$, $[[formula]]$.",
        a=16,
        b="1/2",
    ),
    Argument(Step("", Uses("lem:concentration_T_i/iii"))),
    line=1147,
    under="thm:lower_bound",
    witnesses=[{S: fmpq(2), K: fmpq(32), beta: fmpq(9, 10)}, {S: fmpq(6), K: fmpq(6), beta: fmpq(49, 50)}],
    mutants=[{"a": 1}],
    nearest={"b": "up"},
    looked_at=40,
)
