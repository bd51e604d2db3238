"""Conformance: anyone's implementation against exact answers, on fixed hard cases and on generated ones.

An implementation is a plain callable on NumPy arrays. The models' probabilities, rewards, radii and discounts are
dyadic rationals, so that the arrays hold the very model whose exact answer is known: what differs is the
implementation's error.

=========  ==========================================================================================  ================
kind       the callable is called with                                                                 and returns
=========  ==========================================================================================  ================
gittins    ``(transitions (S, S), rewards (S,), discount)``                                            indices (S,)
value      ``(transitions [(S_a, S_a)], rewards [(S_a,)], discount, priority (N, 2), initial (n,))``   a number
evi        ``(transitions, rewards, row_radii [(S_a,)], reward_radii [(S_a,)], discount, initial)``    a number
=========  ==========================================================================================  ================

``priority`` lists all (arm, state) pairs, the most urgent first; the value is that of always playing the arm whose
state comes first. ``evi`` maximises over policies and over rows and rewards within the radii, rows per global state.

In a test suite of your own::

    import pytest
    from proofs_checks.conformance import cases

    @pytest.mark.parametrize("case", cases("gittins"), ids=str)
    def test_my_indices(case):
        case.check(my_indices)
"""

from proofs_checks.conformance.cases import VERSION, Case, cases
from proofs_checks.conformance.judging import Defect, Judgement, Tolerance
from proofs_checks.conformance.kinds import KINDS
from proofs_checks.conformance.running import Report, conform, load_callable, write_smallest_failure

__all__ = [
    "KINDS",
    "VERSION",
    "Case",
    "Defect",
    "Judgement",
    "Report",
    "Tolerance",
    "cases",
    "conform",
    "load_callable",
    "write_smallest_failure",
]
