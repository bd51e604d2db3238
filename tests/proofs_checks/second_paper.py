r"""Another paper, written with `proofs_checks.claimcheck` alone: UCB1 and its regret.

P. Auer, N. Cesa-Bianchi, P. Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*, Machine Learning 47,
2002: Theorem 1 with its proof, Theorem 3 in part, and Facts 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import comb

import sympy
from flint import arb, fmpq

from proofs_checks.claimcheck.evidence import Algebra, Everywhere, LeastAt, Solver
from proofs_checks.claimcheck.ledger import Cause, Chapter, Registry, Severity
from proofs_checks.claimcheck.statements import Answer, Family, ForAll, Place, answer
from proofs_checks.claimcheck.statements.symbols import L, T, c, d, m, s, t, u, x
from theory.certified import at_most

chapter = Chapter()
proof = chapter.heading("ucb1:theorem-1")


def in_section(number: str, heading: str, order: int, line: int) -> Place:
    return Place(line, number, heading, order=order)


STATEMENT, PROOF, GREEDY = (
    in_section("2", "Main results", 0, 236), in_section("3", "Proofs", 1, 242), in_section("2", "Main results", 0, 239),
)


def pulls(rewards: tuple[fmpq, ...], rounds: int) -> list[int]:
    """Return how often UCB1 plays each arm when every arm pays a constant; the first of tied arms is played."""
    counts = [1] * len(rewards)
    for played in range(len(rewards), rounds):
        indices = [arb(each) + (2 * arb(played).log() / count).sqrt() for each, count in zip(rewards, counts, strict=True)]
        counts[max(range(len(rewards)), key=lambda arm: (float(indices[arm].mid()), -arm))] += 1
    return counts


def plays_are_few(case: tuple[tuple[fmpq, ...], int], factor: object) -> Answer:
    """Return whether every arm but the best is played at most factor ln(n)/gap^2 + 1 + pi^2/3 times in n rounds."""
    rewards, rounds = case
    best, found = max(rewards), pulls(rewards, rounds)
    worst = max(
        (count - arb(fmpq(str(factor))) * arb(rounds).log() / (best - reward) ** 2, arm)
        for arm, (reward, count) in enumerate(zip(rewards, found, strict=True)) if reward < best
    )
    return answer(at_most(lambda: worst[0], lambda: 1 + arb.pi() ** 2 / 3), rewards=rewards, rounds=rounds, plays=found)


def games() -> Iterator[tuple[tuple[fmpq, ...], int]]:
    """Yield two and three arms of constant rewards, with numbers of rounds."""
    for size, rounds in product((2, 3), (10, 100, 300)):
        yield from (((fmpq(1), *(fmpq(i, 4) for i in rest)), rounds) for rest in product(range(4), repeat=size - 1))


chapter.ours().property("ucb1:theorem-1",
    r"""UCB1 plays an arm of gap $\Delta$ at most $[[factor]] \ln n/\Delta^2 + 1 + \pi^2/3$ times in $n$ rounds. Looked at
    for constant rewards.""",
    plays_are_few, over=Family("two and three arms of constant rewards", games, complete=True), factor=8,
    by=Everywhere(), false={"factor": "1/4"})

proof.printed(PROOF).relation("ucb1:radius",
    r"With $c_{t,s} = \sqrt{2 \ln t/s}$, Hoeffding's bound of either deviation is $e^{-2 s c_{t,s}^2} = t^{-4}$.",
    ForAll(t >= 1, s > 0), sympy.Eq(sympy.exp(-2 * s * sympy.sqrt(c * sympy.log(t) / s) ** 2), t ** (-4)), c=2,
    by=Algebra(), false=[{"c": 1}, {"c": 3}])

ENOUGH = ForAll(L >= 0, d > 0, d <= 1, s > 0, s >= c * L / d**2, u >= 0, sympy.Eq(s * u**2, 2 * L))
SHORT = {L: fmpq(2), d: fmpq(1), s: fmpq(9), u: fmpq(2, 3)}

proof.printed(PROOF).relation("ucb1:enough-plays",
    r"If $s \ge 8 \ln n/\Delta^2$ then $\mu^* - \mu_i - 2 c_{t,s} \ge 0$. [[ours]] With $L = \ln n$, $[[formula]]$.",
    ENOUGH, d - 2 * u >= 0, c=8, by=Solver(), false={"c": 4}, candidates=[SHORT])

proof.printed(PROOF).relation("ucb1:half-as-many",
    r"Half as many plays, $s \ge 4 \ln n/\Delta^2$, leave $\mu^* - \mu_i - 2 c_{t,s} \ge 0$.",
    ENOUGH, d - 2 * u >= 0, c=4, fails="too-few-plays", true={"c": 8}, candidates=[SHORT], by=Solver())

proof.printed(PROOF).relation("ucb1:double-sum",
    r"The sum over $s$ and $s_i$ below $t$ of $2 t^{-4}$ is at most $[[c]] t^{-2}$.",
    ForAll(t >= 1, m >= 1), 2 * (t - 1) * sympy.Max(0, t - m) / t**4 <= c / t**2, c=2, by=Solver(), nearest="c")

proof.printed(PROOF).relation("ucb1:inverse-squares",
    r"Partial sums of $t^{-2}$ are bounded. [[ours]] $[[formula]]$.",
    ForAll(T >= 1), sympy.Sum(1 / m**2, (m, 1, T)) <= c - 1 / T, c=2, by=LeastAt(T, 1, steps=True), nearest="c")

proof.printed(PROOF).number("ucb1:constant", r"$1 + \pi^2/3 = [[printed]]$", "4.29", lambda: 1 + arb.pi() ** 2 / 3,
    by=Everywhere())

chapter.printed(GREEDY).relation("greedy:logarithm",
    r"""The exploration rate $cK/(d^2 n)$ sums to a logarithm: [[ours]] each term of the sum of $1/n$ is at least
    $\ln(n + 1) - \ln n$, since $[[formula]]$ at $x = 1/n$.""",
    ForAll(x >= 0), sympy.log(1 + x) <= c * x, c=1, by=LeastAt(x, 0), nearest="c")


def tail(successes: int, plays: int, mean: fmpq) -> fmpq:
    """Return the probability of at least so many successes."""
    return sum((comb(plays, i) * mean**i * (1 - mean) ** (plays - i) for i in range(successes, plays + 1)), fmpq(0))


def exponent_holds(case: tuple[int, int, fmpq], c: object, bernstein: str) -> Answer:
    """Return whether the tail is at most exp(-c n a^2), or with the variance exp(-c n a^2/(4 (V + a/2)))."""
    successes, plays, mean = case
    over = fmpq(successes, plays) - mean
    scale = 4 * (mean * (1 - mean) + over / 2) if bernstein == "yes" else fmpq(1)
    exponent = fmpq(str(c)) * plays * over**2 / scale
    return answer(at_most(lambda: arb(tail(*case)), lambda: 1 / arb(exponent).exp()), case=case)


tails = Family("Bernoulli rewards of mean $i/10$, up to 12 plays",
    lambda: ((s, n, fmpq(i, 10)) for n in range(1, 13) for i in range(1, 10) for s in range(n + 1) if 10 * s > i * n),
    complete=True)
for name, variance in (("hoeffding", "no"), ("bernstein", "yes")):
    chapter.printed(STATEMENT).property(f"fact:{name}",
        "The mean of $n$ plays exceeds its expectation by $a$ with probability at most $e^{-[[c]] n a^2}$"
        + (r", divided in the exponent by $4(\sigma^2 + a/2)$." if variance == "yes" else "."),
        exponent_holds, over=tails, c=2, bernstein=variance, by=Everywhere(), false={"c": 5})

CAUSES = [Cause("too-few-plays", Severity.MAJOR, 242, "Half the plays",
    "At $c = 4$ twice the radius exceeds the gap.", "$8 \\ln n/\\Delta^2$", "Theorem 1.", "ucb1:half-as-many",
    printed="$4 \\ln n/\\Delta^2$ plays are enough.")]


def registry() -> Registry:
    """Return the ten claims and the cause of the one that fails."""
    return Registry(chapter, CAUSES)
