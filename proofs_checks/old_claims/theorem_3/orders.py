"""Theorem 3, the argument: no priority order of the arm states is optimistic from every initial state."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from flint import fmpq

from proofs_checks.computations.priority_orders import (
    Above,
    attained_optima,
    estimates_with,
    linear_extensions,
    marked,
    survivors_of_three,
    trial,
)
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide, fails, holds
from theory import best_vertex, gittins_value, optimistic_value

SECTION = "Theorem 3"
PAPER_REWARD = fmpq(321, 100)
LOW_REWARD = fmpq(16, 5)
TWO_ARMS = "all strict orders of the six states of arms a and b, all nine initial states, beta = 1/2, L1 radius 1/5"


@claim(
    "thm:no_OFU/two-cases",
    section=SECTION,
    statement="""With arms a and b alone, every strict order of the six states (those with A1 above or below both B1 and
    B3, and all others) fails optimism from some initial state.""",
    domain=TWO_ARMS,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"reward 3 in place of 3.21": {"rewards": (fmpq(3),)}},
    controls={"orders with B1 and B3 next to each other": {"rewards": (PAPER_REWARD,), "equal_indices": True}},
)
def two_cases(book: Book, rewards: tuple[fmpq, ...] = (PAPER_REWARD,), equal_indices: bool = False) -> Finding:
    outcome = trial(rewards)
    orders = [
        order
        for order, above in zip(outcome.survivor_orders, outcome.survivors, strict=True)
        if not equal_indices or all((("A" + i, "B1") in above) == (("A" + i, "B3") in above) for i in "123")
    ]
    if orders:
        estimates = estimates_with(rewards)
        return fails(
            {
                "order": orders[0],
                "optimal value by initial state, which the order attains": {
                    ", ".join(map(estimates.name, enumerate(state))): value
                    for state, value in attained_optima(estimates).items()
                },
            },
            reason=(
                "Indices with I(B1) > I(A1) > I(B3) are excluded by I(B1) = I(B3) only, which is not forced "
                "(thm:no_OFU/equal-indices)."
            ),
            policies_tried=outcome.tried,
            surviving_orders=len(orders),
        )
    return holds(Evidence.EXHAUSTIVE, instances=outcome.tried)


@claim(
    "thm:no_OFU/two-cases/repair",
    section=SECTION,
    statement="""Take arm a and two known arms b', b'' built like b with two different rewards in place of 3.21. No
    strict order of the nine states is optimistic in all three bandits {a, b'}, {a, b''}, {b', b''} from every initial
    state.""",
    domain="rewards 16/5 and 321/100, with all rewards of arms a, b', b'' divided by 4, so that they lie in [0, 1]",
    evidence=Evidence.EXHAUSTIVE,
    mutants={
        "the same reward twice": {"rewards": (PAPER_REWARD, PAPER_REWARD)},
        "3 in place of 16/5": {"rewards": (fmpq(3), PAPER_REWARD)},
        "the larger reward 33/10": {"rewards": (PAPER_REWARD, fmpq(33, 10))},
    },
    repairs=("thm:no_OFU/two-cases", "thm:no_OFU/equal-indices", "thm:no_OFU/unit-interval"),
)
def two_rewards(book: Book, rewards: tuple[fmpq, fmpq] = (LOW_REWARD, PAPER_REWARD), scale: fmpq = fmpq(4)) -> Finding:
    passing = list(survivors_of_three(rewards, scale))
    trials = trial(rewards[:1], scale), trial(rewards[1:], scale), trial(rewards, scale, with_a=False)
    if passing:
        comparisons = sorted(" > ".join(pair) for part in passing[0] for pair in part)
        return fails({"rewards": rewards, "comparisons that pass everywhere": comparisons})
    return holds(
        Evidence.EXHAUSTIVE,
        instances=sum(each.tried for each in trials),
        reason=(
            "{a, b'} leaves only orders with B1' > A1 > B3', {a, b''} only ones with B1'' > A1 > B3''; so B1' is "
            "above B3'', and that fails in {b', b''}, where the arm of larger reward must come first."
        ),
        surviving_policies=[len(each.survivors) for each in trials],
        examples=_examples(rewards, scale),
    )


def _examples(rewards: tuple[fmpq, fmpq], scale: fmpq) -> dict[str, object]:
    """Return one failure of each kind: [what the order reaches at most, optimal value]."""
    first, second = (estimates_with((reward,), scale) for reward in rewards)
    both = estimates_with(rewards, scale, with_a=False)
    cases = (
        ("A1 above B1', from (A1, B1')", first, ("A2", "A1", "B1", "B3", "A3", "B2"), ("A1", "B1")),
        ("A1 below B3'', from (A1, B3'')", second, ("A2", "B1", "B3", "A1", "A3", "B2"), ("A1", "B3")),
        ("B1' above B3'', from (B1', B3'')", both, ("B1''", "B1'", "B3''", "B3'", "B2'", "B2''"), ("B1'", "B3''")),
    )
    return {
        name: [optimistic_value(estimates, order, start).value, attained_optima(estimates)[estimates.start(start)]]
        for name, estimates, order, start in cases
    }


@claim(
    "thm:no_OFU",
    section=SECTION,
    statement="""Whatever indices are computed arm by arm, there are estimates, a bandit M of the confidence set and an
    initial state from which the index policy's supremum over the set is below the optimal value of M.""",
    domain="""indices any reals; between states of equal index, a rule that does not look at the data (such as the
    arms' numbers) decides""",
    evidence=Evidence.EXHAUSTIVE,
    mutants={
        "for the two arms a and b alone": {"two_arms_b": False},
        "ties broken to the algorithm's advantage": {"data_free_ties": False},
    },
)
def no_local_indices(book: Book, two_arms_b: bool = True, data_free_ties: bool = True) -> Finding:
    if not data_free_ties:
        return book.finding("thm:no_OFU/ties")
    finding = book.finding("thm:no_OFU/two-cases/repair" if two_arms_b else "thm:no_OFU/two-cases")
    if not finding.stands:
        return fails(finding.witness)
    return holds(
        Evidence.EXHAUSTIVE,
        instances=finding.instances,
        reason=(
            "Indices of the states of a, b', b'', with such a rule between equal ones, put the nine states in one "
            "strict order, and all orders are tried. The printed proof needs I(B1) = I(B3), which is not forced; this "
            "one compares arm a with two arms b of different rewards instead."
        ),
    )


@claim(
    "thm:no_OFU/ties",
    section=SECTION,
    statement="Theorem 3 holds however ties between indices are broken.",
    domain="the counterexample, all initial states",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"all indices 1": {"constant": 1}},
    controls={"indices in a strict order": {"constant": None}},
)
def ties(book: Book, constant: int | None = 0) -> Finding:
    if constant is None:
        return book.finding("thm:no_OFU/two-cases/repair")
    estimates = estimates_with((PAPER_REWARD,))
    attained: dict[str, fmpq] = {}
    for state, optimum in attained_optima(estimates).items():  # every policy orders equal indices in some way
        best = optimistic_value(estimates, None, state)
        if best.value != optimum:
            raise ArithmeticError(f"extended value iteration gives {best.value} from {state}, the vertices {optimum}")
        attained[", ".join(map(estimates.name, enumerate(state)))] = optimum
    return fails(
        {"index of every state": constant, "supremum of the best tie-break, by initial state": attained},
        reason="With equal indices every policy is an index policy, the optimistic ones included.",
    )


@claim(
    "thm:no_OFU/A2-first",
    section=SECTION,
    statement="Orders in which B1 or B3 is above A2 are not optimistic.",
    domain=TWO_ARMS,
    evidence=Evidence.EXHAUSTIVE,
    mutants={"orders in which B1 is above A1": {"relations": (("B1", "A1"),)}},
)
def a2_first(book: Book, relations: Sequence[Above] = (("B1", "A2"), ("B3", "A2"))) -> Finding:
    return _all_fail(relations)


@claim(
    "thm:no_OFU/A3-between",
    section=SECTION,
    statement="Orders in which A3 is above B3, or below B2, are not optimistic.",
    domain=TWO_ARMS,
    evidence=Evidence.EXHAUSTIVE,
    mutants={"orders in which A1 is above B3": {"relations": (("A1", "B3"),)}},
    repairs=("thm:no_OFU/A3",),
)
def a3_between(book: Book, relations: Sequence[Above] = (("A3", "B3"), ("B2", "A3"))) -> Finding:
    return _all_fail(relations)


def _all_fail(relations: Sequence[Above]) -> Finding:
    outcome = trial((PAPER_REWARD,))
    for order, above in zip(outcome.survivor_orders, outcome.survivors, strict=True):
        if any(relation in above for relation in relations):
            return fails({"order that is optimistic from every initial state": order})
    concerned = [
        failure
        for failure in outcome.failures
        if any(failure.order.index(high) < failure.order.index(low) for high, low in relations)
    ]
    return holds(Evidence.EXHAUSTIVE, instances=len(concerned))


@claim(
    "thm:no_OFU/remark",
    section=SECTION,
    statement="""From each initial state some index policy, chosen after the whole set is known, is optimistic: the
    Gittins policy of a bandit of the set that is most optimistic from there.""",
    domain="the counterexample's set, all nine initial states",
    evidence=Evidence.EXHAUSTIVE,
    mutants={"the Gittins policy of the estimates": {"of_the_estimates": True}},
    repairs=("thm:no_OFU/remark-uniform",),
)
def optimistic_index_policy(book: Book, of_the_estimates: bool = False) -> Finding:
    estimates = estimates_with((PAPER_REWARD,))
    states = list(product(*map(range, estimates.sizes)))
    for state in states:
        best = optimistic_value(estimates, None, state)
        member = estimates if of_the_estimates else best.sharing.bandit
        reached = gittins_value(member, state).value if member is not None else None
        if reached != best.value:
            return fails({"initial": state, "bandit": member or estimates, "value": reached, "optimum": best.value})
    return decide(
        book.stands("cited:gittins"),
        Evidence.EXHAUSTIVE,
        instances=len(states),
        reason=(
            "In general: the set is compact and the optimal value continuous in the rows, so a most optimistic "
            "bandit exists, and its Gittins policy is optimal in it."
        ),
    )


@claim(
    "thm:no_OFU/remark-uniform",
    section=SECTION,
    statement="""One index policy, chosen after the whole set is known, is optimistic from all initial states at once:
    its supremum over the set is at least the optimal value of every bandit of the set, as functions of the state.""",
    domain="""arm a with its set and two known arms built like b; all strict orders of the nine states, all 27 initial
    states""",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    printed=False,
    mutants={"rewards 321/100 and 322/100": {"rewards": (PAPER_REWARD, fmpq(322, 100))}},
    controls={"one arm b": {"rewards": (PAPER_REWARD,)}},
)
def uniform_remark(book: Book, rewards: tuple[fmpq, ...] = (LOW_REWARD, PAPER_REWARD)) -> Finding:
    if len(rewards) == 1:
        outcome = trial(rewards)
        return decide(bool(outcome.survivors), Evidence.EXHAUSTIVE, instances=outcome.tried)
    single = [trial((reward,)).survivors for reward in rewards]
    estimates = estimates_with(rewards)
    optima = attained_optima(estimates)
    # Rewards are not negative, so an arm in B2', worth 0 for ever, can only cost time: from such a state an order
    # reaches at most what it reaches without that arm. So only orders that pass with each arm b alone remain.
    failures: dict[str, object] = {}
    for first, second in product(*single):
        for order in linear_extensions(marked(first, "'") | marked(second, "''")):
            upper = optimistic_value(estimates, order, (0, 0, 0)).values
            short = [state for state, optimum in optima.items() if upper[state] < optimum]
            if not short:
                reached = all(
                    best_vertex(estimates, order, state).value >= optimum for state, optimum in optima.items()
                )
                return decide(reached, Evidence.CERTIFIED, order=order)
            failures[" > ".join(order)] = {
                "initial": [estimates.name(pair) for pair in enumerate(short[0])],
                "at most": upper[short[0]],
                "optimum": optima[short[0]],
            }
    return fails(
        {"bandit": estimates, "the orders that pass with each arm b alone": failures}, orders_left=len(failures)
    )
