"""How the proof of Lemma `concentration` passes from independent draws to a learner that looks at them (Section A.2).

Each arm state holds a sequence of pairs (reward, next state), drawn beforehand. How many of them are shown depends on
what they are; how many steps there are does not.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Max, Rational  # type: ignore[import-untyped]

from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import LEARNERS, LOG, MEAN_STEPS, log_at_least
from proofs_checks.computations.adaptive_play import (
    MOVING,
    ONE_COIN,
    TWO_COINS,
    Event,
    Outcome,
    Play,
    chance_of,
    from_tapes,
    histories,
    met_at_an_end,
)
from proofs_checks.evidence import Argument, ByHand, Cases, Everywhere, Step, Uses
from proofs_checks.ledger import Chapter
from proofs_checks.statements import Answer, Family, ForAll, Property, Relation, answer
from proofs_checks.statements.symbols import K, c, k
from theory import rational

chapter = Chapter(under="lem:concentration")

PLAYS = (
    (TWO_COINS, (1, 1)),
    (TWO_COINS, (2, 2)),
    (TWO_COINS, (1, 1, 2)),
    (MOVING, (1, 1)),
    (MOVING, (2, 1)),
)


def same_law(instance: tuple[Play, tuple[int, ...]], starts: str) -> Answer:
    """Compare the law of the histories, drawn step by step, with that over all sequences drawn beforehand."""
    play, lengths = instance
    drawn, shown = histories(play, lengths), from_tapes(play, lengths, rewinds="every" in starts)
    different = [history for history in {**drawn, **shown} if drawn.get(history) != shown.get(history)]
    if not different:
        return answer(True)
    told = {"history": different[0], "drawn step by step": drawn.get(different[0], 0)}
    return answer(False, play=play.says, lengths=lengths, **told, from_sequences=shown.get(different[0], 0))


SMALL_PLAYS = Family(
    "all histories of small plays of learners that look at what they saw", lambda: iter(PLAYS), complete=True
)

STARTS = "with the first episode"

chapter.printed(
    Property(
        "conc:pre-drawn",
        same_law,
        over=SMALL_PLAYS,
        domain=LEARNERS,
        says=r"""$\hat r_{k-1}(x_a) = \tilde r_\ell(x_a)$ and $\hat Q_{k-1}(x_a, \cdot) = \tilde Q_\ell(x_a, \cdot)$
        at $\ell = N_{k-1}(x_a)$, the estimates from the first $\ell$ pairs (reward, next state) of a sequence that
        is drawn independently for each $x_a$: all that is observed has the same law as if the $\ell$-th activation
        of $x_a$ showed the $\ell$-th pair of that sequence (which starts [[starts]]).""",
        reading={"next state": "observed"},
        starts=STARTS,
    ),
    Argument(
        Step(
            "So it is for all histories of small plays, enumerated on both sides.",
            Everywhere(),
            claim=Property(
                "conc:pre-drawn#small", same_law, over=SMALL_PLAYS, says="", starts="with the first episode"
            ),
        ),
        conclusion=ByHand(
            r"""Given the observations so far, the next pair of the state that is played has not been looked at: it is
            independent of them and has the law of that state, as a draw at that step has. So each history has the same
            probability, a product over its steps, either way."""
        ),
    ),
    line=673,
    mutants=[{"starts": "anew with every episode"}],
)


def never_changes(shown: Sequence[Outcome]) -> bool:
    """Return whether all of at least two rewards are alike."""
    return len(shown) >= 2 and len({each.reward for each in shown}) == 1


def ends_with_one(shown: Sequence[Outcome]) -> bool:
    """Return whether the last reward shown is 1."""
    return shown[-1].reward == 1


EVENTS = (
    (ONE_COIN, (1,), ends_with_one),
    *((play, lengths, bad) for play, lengths in PLAYS for bad in (never_changes, ends_with_one)),
)


def within_union(instance: tuple[Play, tuple[int, ...], Event], c: object) -> Answer:
    """Compare the exact probability that an event is met at an end with the sum over arm states and steps."""
    play, lengths, event = instance
    met = met_at_an_end(play, lengths, event)
    largest = max(chance_of(play, at, ell, event) for at in play.arm_states for ell in range(1, sum(lengths) + 1))
    bound = rational(c) * len(play.arm_states) * largest * sum(lengths)
    told = {"play": play.says, "lengths": lengths, "event": event.__name__.replace("_", " ")}
    return answer(met <= bound, **told, probability=met, p=largest, bound=bound)


chapter.implied(
    Property(
        "conc:pre-drawn/union",
        within_union,
        over=Family("all histories of small plays of learners that look at what they saw", lambda: iter(EVENTS)),
        domain=LEARNERS,
        says=r"""Given the lengths of the first $k-1$ episodes, let $B_\ell(x_a)$ be an event about the first $\ell$
        pairs (reward, next state) that $x_a$ shows, of probability at most $p$ for each $\ell \ge 1$ and each
        $x_a$. Then $B_{N_{k'}(x_a)}(x_a)$ happens for some $x_a$ and $k' \le k-1$ with $N_{k'}(x_a) \ge 1$ with
        probability at most $[[*c]]nS\,p\,(t_k - 1)$.""",
        reading={"next state": "observed"},
        c=1,
    ),
    Argument(
        Step("", Uses("conc:pre-drawn")),
        conclusion=ByHand(
            r"""The lengths are independent of the sequences, and no choice of the learner changes them. Given them,
            $1 \le N_{k'}(x_a) \le t_k - 1$: what happens lies in the union of the $nS(t_k - 1)$ events
            $B_\ell(x_a)$ of the sequences."""
        ),
    ),
    line=684,
    nearest={"c": "down"},
)

chapter.ours(
    Relation(
        "conc:mean-steps",
        ForAll(K >= 2, k >= 2, k <= K),
        c * Max(1, 4 - K) / K >= 1 / (K * LOG),
        says=r"""$\mathbb{E}[t_k - 1] = \frac{k-1}{1-\beta} = \frac{\tau_k}{\log(K(k-1))}$, so that a union over
        $nS$ arm states and $\ell = 1, \ldots, t_k - 1$ of events of probability $\frac{1}{SnK\tau_k}$ has
        probability at most $\frac{1}{K\log(K(k-1))}$ in the mean over the lengths. This is at most $1/K$ for $K \ge
        3$ and at most $2/K$ for $K = 2$: $[[formula]]$.""",
        reading={"first episodes": "from 2"},
        c=1,
    ),
    Cases(
        (K >= 3, Argument(MEAN_STEPS, log_at_least(1, 3))),
        (K <= 2, Argument(MEAN_STEPS, log_at_least(Rational(1, 2), 2))),
    ),
    line=684,
    nearest={"c": "down"},
)
