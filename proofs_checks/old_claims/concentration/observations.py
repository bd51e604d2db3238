"""What O_{k-1} determines: the estimates (`def:estimators`) and the events of Lemma `concentration`."""

from __future__ import annotations

from functools import partial
from itertools import pairwise, product

from flint import arb, fmpq

from proofs_checks.claims.concentration.union_bounds import SECTION
from proofs_checks.claims.estimates.estimators import SECTION as ESTIMATES
from proofs_checks.computations.comparisons import is_less
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds
from theory.certified import enclosure
from theory.paper import horizon_bound

HALF = fmpq(1, 2)


@claim(
    "def:estimators/known",
    section=ESTIMATES,
    statement="""Q-hat_{k-1} is a function of O_{k-1} = (X_1, A_1, R_1, ..., X_{t_k - 1}, A_{t_k - 1}, R_{t_k - 1}),
    so it is known when pi_k is computed.""",
    domain="one arm of two states, k = 2, H_1 <= 3, both readings of the next state of step t_k - 1",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"H_1 = 1": {"longest": 1}},
    controls={"O_{k-1} with the next state of each step": {"next_observed": True}},
)
def known_before(book: Book, longest: int = 3, next_observed: bool = False) -> Finding:
    """All paths: (x_1, ..., x_H, y) with y what the estimate counts as the next state of the last step."""
    for horizon in range(1, longest + 1):
        seen: dict[tuple[int, ...], tuple[tuple[int, ...], dict[str, fmpq]]] = {}
        for path in product((0, 1), repeat=horizon + 1):
            observations = path if next_observed else path[:-1]
            steps = list(pairwise(path))
            estimate = {
                f"Q-hat({x}, {y})": fmpq(steps.count((x, y)), path[:-1].count(x))
                for x, y in product((0, 1), repeat=2)
                if x in path[:-1]
            }
            before, first = seen.setdefault(observations, (path, estimate))
            if first != estimate:
                return fails(
                    {
                        "states observed": observations,
                        "one path": before,
                        "its estimate": first,
                        "another path": path,
                        "and its estimate": estimate,
                    },
                    reason=(
                        "under the written formula the missing state is X_{t_k}, which the pseudo-code draws only "
                        "after it has computed pi_k"
                    ),
                )
    return holds(Evidence.CERTIFIED)


@claim(
    "lem:concentration/measurable",
    section=SECTION,
    statement="""The events are determined by O_{k-1} = (X_1, A_1, R_1, ..., X_{t_k - 1}, A_{t_k - 1}, R_{t_k - 1}).""",
    domain="S = n = 1, K = k = 3, beta = 1/5; event E^H (for E^Q see def:estimators/known)",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"episodes (2, 3) and (1, 4), beta = 1/2": {"lengths": ((2, 3), (1, 4)), "beta": HALF}},
    controls={"with the episode lengths in O_{k-1}": {"lengths_observed": True}},
)
def measurable(
    book: Book,
    lengths: tuple[tuple[int, int], tuple[int, int]] = ((2, 2), (1, 3)),
    beta: fmpq = fmpq(1, 5),
    lengths_observed: bool = False,
) -> Finding:
    K = k = 3
    observed = [(sum(each), each if lengths_observed else ()) for each in lengths]
    inside = [is_less(partial(arb, max(each)), partial(horizon_bound, K, k, beta)) for each in lengths]
    if observed[0] != observed[1] or inside[0] == inside[1]:
        return holds(Evidence.CERTIFIED)
    return fails(
        {
            "S, n, K, k, beta": (1, 1, K, k, beta),
            "log(K(k-1))/(1-beta)": enclosure(partial(horizon_bound, K, k, beta)),
            "H_1, H_2": lengths,
            "in E^H": inside,
            "O_2 of both": f"the one state, the one arm and reward 0, {observed[0][0]} times",
        },
        reason="the event is determined once O_{k-1} holds the episode lengths, and for E^Q the next states",
    )


@claim(
    "lem:concentration/measurable/repair",
    section=SECTION,
    statement="""With the episode lengths and, for each step, the state that the arm moved to in O_{k-1}, it
    determines the lengths H_{k'} and the counts N_{k'}(x, y) for all k' <= k-1; all the events are
    functions of these and the rewards.""",
    domain="one arm of two states, k <= 3, episodes of at most 3 steps, all paths",
    evidence=Evidence.EXHAUSTIVE,
    mutants={"without the lengths": {"lengths": False}, "without the next states": {"next_states": False}},
    repairs=("lem:concentration/measurable", "def:estimators/known"),
)
def measurable_repair(book: Book, lengths: bool = True, next_states: bool = True) -> Finding:
    """Enumerate paths; one has a state more per episode than steps: that to which the last step moved."""
    of_one_episode = [path for steps in (1, 2, 3) for path in product((0, 1), repeat=steps + 1)]
    seen: dict[object, tuple[object, object]] = {}
    cases = 0
    for episodes in product(of_one_episode, repeat=2):
        cases += 1
        steps = [tuple(pairwise(path)) for path in episodes]
        observed = (
            tuple(move if next_states else move[0] for of_episode in steps for move in of_episode),
            tuple(map(len, steps)) if lengths else None,
        )
        determined = (tuple(map(len, steps)), sorted(steps[0]), sorted(steps[0] + steps[1]))
        before, first = seen.setdefault(observed, (episodes, determined))
        if first != determined:
            return fails({"observed": observed, "one pair of episodes": before, "another": episodes})
    return holds(Evidence.EXHAUSTIVE, instances=cases)
