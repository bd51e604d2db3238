"""Conformance tests: compare any implementation with exact answers, on fixed hard cases and generated ones.

An implementation is a plain callable on NumPy arrays, or one that makes a learner. The models' probabilities, rewards,
radii and discounts are dyadic rationals, so that the arrays hold the very model whose exact answer is known: what
differs is the implementation's error.

=========  ==========================================================================================  ================
kind       the callable is called with                                                                 and returns
=========  ==========================================================================================  ================
gittins    ``(transitions (S, S), rewards (S,), discount)``                                            indices (S,)
value      ``(transitions [(S_a, S_a)], rewards [(S_a,)], discount, priority (N, 2), initial (n,))``   a number
evi        ``(transitions, rewards, row_radii [(S_a,)], reward_radii [(S_a,)], discount, initial)``    a number
agent      ``(problem)``, a `mbrl.agents.interface.Problem`                                             a learner
=========  ==========================================================================================  ================

``priority`` lists all (arm, state) pairs, the most urgent first; the value is that of always playing the arm whose
state comes first. ``evi`` maximises over policies and over rows and rewards within the radii, rows per global state.

A learner has the two methods of `mbrl.agents.interface`, as for ``python -m mbrl run --agents MODULE:ATTRIBUTE``. It is
played for 24 episodes with fixed seeds, twice, and every plan must be a valid policy, with an exact regret that is
possible, that depends on nothing but the episodes shown and the generator handed over; what is shown must not be
changed. Attributes it may have are held to what they say:

======================  ============================================================================================
attribute               must be
======================  ============================================================================================
``step``                1 + the number of all steps shown
``visits`` (n, S)       how often each arm state was played; counts of any other shape are not looked at
``values`` (G,),        after planning, not below the exact values of extended value iteration over the confidence
``gap``                 set of `mbrl.confidence` by more than the gap; nor below the true optimum, as in the next row
``optimistic_value``    (G,), not below the optimum of the true model wherever that model is in this confidence set
``ties``                first or last: which of two arms of which all that was shown is the same is played, by a table
======================  ============================================================================================

Of a policy of indices, two arm states that nothing shown tells apart have indices that are equal or differ by more than
rounding.

G counts the global states, the last arm's state varying fastest. Learners are played with discounts up to 1 - 2^-7 on
the fixed cases, up to 1 - 2^-5 on generated ones. The worst error of a learner is the largest amount by which such a
value is too low. For information, the report adds their total exact regret beside that of random priority orders in as
many episodes.

In a test suite of your own::

    import pytest
    from proofs_checks.trials.conformance import cases

    @pytest.mark.parametrize("case", cases("gittins"), ids=str)
    def test_my_indices(case):
        case.check(my_indices)
"""

from proofs_checks.trials.conformance.cases import VERSION, Case, cases
from proofs_checks.trials.conformance.judging import Defect, Judgement, Tolerance
from proofs_checks.trials.conformance.kinds import KINDS
from proofs_checks.trials.conformance.running import Failure, Report, conform, load_callable, write_smallest_failure

__all__ = [
    "KINDS",
    "VERSION",
    "Case",
    "Defect",
    "Failure",
    "Judgement",
    "Report",
    "Tolerance",
    "cases",
    "conform",
    "load_callable",
    "write_smallest_failure",
]
