"""Lemma `concentration` itself: all four probabilities, on the part of the domain where each stands (Section A.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from flint import fmpq
from sympy import Max  # type: ignore[import-untyped]

from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import (
    ANY_SIZES,
    CASES,
    EPISODES,
    FAIR,
    FIRST_TOO,
    MAIN_TEXT,
)
from proofs_checks.claims.appendix_a_upper_bounds.concentration.value_probability import REGION
from proofs_checks.computations.adaptive_play import LUCKY_COINS, MOVING, RARELY_STAYING, TWO_COINS
from proofs_checks.computations.comparisons import whole
from proofs_checks.computations.deviation_cases import (
    DeviationCase,
    Level,
    of_means,
    of_means_at_t,
    of_rows,
    of_rows_at_t,
    played,
)
from proofs_checks.computations.deviation_families import (
    Bound,
    functions_of_k,
    leaves,
    of_k,
    of_k_and_log,
    of_unplayed_arm,
    reward_cases,
    row_cases,
    value_cases,
)
from proofs_checks.evidence import Argument, ByHand, Everywhere, Step, Uses
from proofs_checks.ledger import Chapter, Severity, survives
from proofs_checks.statements import Answer, Family, Property, answer
from proofs_checks.statements.symbols import K, k
from theory import rational
from theory.certified import horizon_tail
from theory.paper import horizon_bound

chapter = Chapter(under="")
Estimates: TypeAlias = "tuple[DeviationCase, Level, Bound]"
Lengths: TypeAlias = "tuple[int, int, fmpq]"

LONG_EPISODES: tuple[Lengths, ...] = ((7, 2, fmpq(33, 37)), (3, 2, fmpq(2, 5)), (3, 3, fmpq(1, 2)))
WHERE = (
    r"all $2 \le k \le K$ for $\mathcal{E}^r$ and $\mathcal{E}^Q$; $k \ge 3$ or $K \ge 8$ for $\mathcal{E}^H$ "
    rf"(otherwise not for every $\beta$); and for $\mathcal{{E}}^V$ where {REGION} (otherwise it is open)"
)


def instances() -> Iterator[Lengths | Estimates]:
    """Yield cases of lengths, and of each kind of estimate."""
    yield from LONG_EPISODES
    yield of_unplayed_arm(), of_means, of_k
    for cases, level in ((reward_cases(), of_means), (row_cases(), of_rows), (value_cases(), of_means)):
        yield from ((case, level, of_k) for case in cases)


def long_episode(cell: Lengths, c: fmpq) -> Answer:
    """Compare the exact probability that an episode is longer than E^H allows with c/K."""
    episodes, number, beta = cell
    longest = whole(horizon_bound(*cell))
    found = horizon_tail(longest + 1, beta, number - 1)
    return answer(found <= c / episodes, K_k_beta=cell, probability=found, bound=c / episodes)


def in_the_lemma(instance: Lengths | Estimates, c: object, part: str) -> Answer:
    """Hold one probability to its bound: c/K for E^H, 2c/K for the others."""
    if isinstance(instance[0], DeviationCase):
        case, level, bound = instance
        return leaves(case, level, bound, 1, 2 * rational(c))
    episodes, number, _ = instance
    if part != "everywhere" and number < 3 and episodes < 8:
        return answer(True)
    return long_episode(instance, rational(c))


chapter.printed(
    Property(
        "lem:concentration",
        in_the_lemma,
        over=Family(CASES, instances),
        domain=ANY_SIZES,
        says=r"""For any $k \le K$ and any learning algorithm, $\mathbb{P}(\lnot\mathcal{E}^H_{k-1}) \le [[*c]]
        1/K$ and $\mathbb{P}(\lnot\mathcal{E}^r_{k-1})$, $\mathbb{P}(\lnot\mathcal{E}^Q_{k-1})$,
        $\mathbb{P}(\lnot\mathcal{E}^V_{k-1})$ are at most $[[*c]]2/K$ ([[part]]).""",
        reading=FAIR,
        c=1,
        part="everywhere",
    ),
    Argument(
        Step("", Uses("conc:H", over=EPISODES.where(Max(K - 8, k - 3) >= 0))),
        Step("", Uses("conc:r")),
        Step("", Uses("conc:Q")),
        Step("", Uses("conc:V/region")),
        conclusion=ByHand("These are the four bounds of the lemma, each on the part that is named."),
    ),
    line=651,
    survives=survives(says=WHERE, part="where each stands"),
    severity=Severity.EDGE,
    cause="horizon-floor",
    nearest={"c": "down"},
)


def main_text_instances() -> Iterator[Estimates]:
    """Yield cases of each kind of estimate, with the main text's radii."""
    yield from ((case, of_means_at_t, of_k) for case in reward_cases())
    yield from ((case, of_rows_at_t, of_k) for case in row_cases())
    yield from ((case, of_means_at_t, functions_of_k) for case in value_cases())


chapter.ours(
    Property(
        "lem:concentration/main-text",
        lambda instance, s: leaves(instance[0], instance[1], instance[2], s, 1),
        over=Family(CASES, main_text_instances),
        domain=FIRST_TOO,
        says=r"""With the main text's radii, which use $t_k$: for any learning algorithm, with probability at least
        $1 - 1/K$ each, $|\hat r_{k'}(x_a) - r(x_a)| \le [[*s]]\sqrt{\frac{\log(2SnKt_k)}{2N_{k'}(x_a)}}$ and
        $\lVert\hat Q_{k'}(x_a, \cdot) - Q(x_a, \cdot)\rVert_1 \le
        [[*s]]\sqrt{\frac{2\log(SnK2^St_k)}{N_{k'}(x_a)}}$ for all $x_a$ and $k' \le k-1$ with $N_{k'}(x_a) \ge 1$;
        with probability at least $1 - F/K$ so it is for $\hat r_{k'} + \beta\hat P_{k'}V^*$ and
        $[[*s]]\frac{1}{1-\beta}\sqrt{\frac{\log(2SnKt_k)}{2N_{k'}(x_a)}}$, with $F = 1$ for $n = 1$ or $S = 1$ and
        $F = S$ otherwise. No event on the lengths is needed, and the first episode is no exception.""",
        reading=MAIN_TEXT,
        s=1,
    ),
    Argument(
        Step("", Uses("conc:r/main-text")),
        Step("", Uses("conc:Q/main-text")),
        Step("", Uses("conc:V/repair-main-text")),
        conclusion=ByHand("These are the three bounds."),
    ),
    line=335,
    under="lem:concentration",
    repairs="lem:concentration",
    nearest={"s": "down"},
)

THIRD = fmpq(1, 3)
PLAYED = (
    (LUCKY_COINS, 3, 3, fmpq(0), 1),
    (LUCKY_COINS, 3, 3, THIRD, 4),
    (TWO_COINS, 3, 3, THIRD, 4),
    (MOVING, 3, 3, THIRD, 4),
    (RARELY_STAYING, 13, 13, fmpq(0), 1),
)
EVENTS = {"rewards": of_means, "transitions": of_rows, "values": of_means}


def all_histories(s: object) -> Answer:
    """Hold the exact probabilities of five plays, for each event, to 1/(K log(K(k-1))); none is always certain."""
    told: dict[str, object] = {}
    sound = True
    for event, level in EVENTS.items():
        cases = [played(play, *sizes, event) for play, *sizes in PLAYED]
        found = [case.failure(level, rational(s)) for case in cases]
        sound &= max(found) > 0 and all(leaves(case, level, of_k_and_log, s, 1).true for case in cases)
        told |= {f"{event}, play {number}": each for number, each in enumerate(found, 1)}
    plays = {f"play {number}": (play.says, *sizes) for number, (play, *sizes) in enumerate(PLAYED, 1)}
    return answer(sound, **told, **plays)


chapter.ours(
    Property(
        "lem:concentration/adaptive-learners",
        all_histories,
        says=r"""In five plays of learners that look at what they saw, all histories of episodes of at most $4$
        steps enumerated and longer ones counted as failures, each of $\mathcal{E}^r_{k-1}$, $\mathcal{E}^Q_{k-1}$
        and $\mathcal{E}^V_{k-1}$ fails with probability at most $\frac{1}{K\log(K(k-1))}$; and not with probability
        $0$ in all of them.""",
        reading=FAIR,
        s=1,
    ),
    Everywhere(),
    line=651,
    under="lem:concentration",
    nearest={"s": "down"},
)
