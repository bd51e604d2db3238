"""What O_{k-1} determines: the estimates, and the events of Lemma `concentration` (Section A.2)."""

from __future__ import annotations

from proofs_checks.computations.comparisons import whole
from proofs_checks.computations.observed import counts_are_determined, estimate_is_determined
from proofs_checks.evidence import Decides, Everywhere, Grade
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Property, answer
from theory import rational
from theory.certified import enclosure
from theory.paper import horizon_bound

chapter = Chapter(under="lem:concentration")

chapter.printed(
    Property(
        "def:estimators/known",
        estimate_is_determined,
        domain="one arm of two states, one episode",
        says=r"""$\hat Q_{k-1}$ is a function of $\mathcal{O}_{k-1}$, so that it is known when $\pi_k$ is computed,
        with states, arms and rewards of all steps $t < t_k$ in $\mathcal{O}_{k-1}$, and [[also]].""",
        also="nothing else",
        longest=3,
    ),
    Everywhere(),
    line=627,
    under="",
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="observations",
    mutants={"one step": {"longest": 1}},
    controls=[{"also": "next states"}],
)


def is_determined(also: str, lengths: tuple[tuple[int, int], tuple[int, int]], beta: object) -> Answer:
    """Compare two plays of one state: whether each is in E^H, for K = k = 3, and whether they are observed alike."""
    discount = rational(beta)
    observed = [(sum(each), each if "lengths" in also else ()) for each in lengths]
    bound = enclosure(lambda: horizon_bound(3, 3, discount))
    inside = [whole(bound) >= max(each) for each in lengths]
    return answer(
        observed[0] != observed[1] or inside[0] == inside[1],
        K_k_beta=(3, 3, discount),
        bound_on_lengths=bound,
        lengths=lengths,
        in_the_event=inside,
        observed=f"the one state, the one arm, reward 0, {sum(lengths[0])} times",
    )


chapter.printed(
    Property(
        "lem:concentration/measurable",
        is_determined,
        domain="one arm of one state, two episodes",
        says=r"""The events are determined by $\mathcal{O}_{k-1}$, with states, arms and rewards of all steps $t <
        t_k$ in it, and [[also]]. [[ours]] Here $\mathcal{E}^H_2$ for $K = 3$ and $\beta = [[beta]]$.""",
        also="nothing else",
        lengths=((2, 2), (1, 3)),
        beta="1/5",
    ),
    Everywhere(),
    line=650,
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="observations",
    mutants={"episodes (2, 3) and (1, 4), beta = 1/2": {"lengths": ((2, 3), (1, 4)), "beta": "1/2"}},
    controls=[{"also": "the lengths of the episodes"}],
)

chapter.ours(
    Property(
        "lem:concentration/measurable/repair",
        counts_are_determined,
        domain="one arm of two states, two episodes of at most 3 steps, all paths",
        says=r"""States, arms and rewards of all steps $t < t_k$, with the [[also]] of the episodes, determine
        $H_{k'}$ and how often each move was made in the first $k'$ episodes, for all $k' \le k-1$; all the events
        are functions of these and of the rewards.""",
        also="lengths and next states",
    ),
    Decides(counts_are_determined, covers="all paths of two episodes are enumerated", grade=Grade.EXHAUSTIVE),
    line=650,
    repairs=("lem:concentration/measurable", "def:estimators/known"),
    mutants=[{"also": "lengths"}, {"also": "next states"}],
)

CAUSES = [
    Cause(
        "observations",
        Severity.SLIP,
        line=269,
        title="The observations before an episode lack the episodes' lengths and their last moves",
        printed=r"""$\mathcal{O}_{k-1} = (X_1, A_1, R_1, \ldots, X_{t_k-1}, A_{t_k-1}, R_{t_k-1})$; the events of
        the lemma are $\mathcal{O}_{k-1}$-measurable.""",
        why=r"""Episodes of lengths $(2, 2)$ and $(1, 3)$ of one state are observed alike, and for $K = k = 3$,
        $\beta = 1/5$ only the first are in $\mathcal{E}^H_2$. The estimate of the rows after $(X_1) = (1)$ depends
        on where the arm moved at step $1$, which is not in $\mathcal{O}_1$.""",
        instead=r"""$\mathcal{O}_{k-1}$ with the lengths $H_1, \ldots, H_{k-1}$ and, for each step, the state that
        the arm moved to, as Algorithm 1 observes them""",
        follows=r"Nothing: the algorithms observe both.",
        witness="lem:concentration/measurable",
    ),
]
