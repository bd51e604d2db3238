"""All priority orders of two arms: their number, and the orders that survive a trial."""

from flint import fmpq

from proofs_checks.paper.section_6.priority_orders import distinct_orders, estimates_with, try_all_orders

PAPER = fmpq(321, 100)


def test_two_arms_of_three_states_have_230_distinct_orders():
    # the number of 3 x 3 matrices of zeros and ones determined by their row and column sums (poly-Bernoulli, 230)
    assert len(distinct_orders(estimates_with(PAPER))) == 230


def test_printed_construction_excludes_all_but_one_priority_order():
    assert list(try_all_orders(estimates_with(PAPER)).survivors) == [("A2", "B1", "A1", "B3", "A3", "B2")]
