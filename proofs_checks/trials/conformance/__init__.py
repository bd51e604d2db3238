"""Conformance tests: compare any implementation with exact answers, on fixed hard cases and generated ones.

An implementation is a plain callable on NumPy arrays, or one that makes a learner. The models' probabilities, rewards,
radii and discounts are dyadic rationals, so the arrays hold exactly the model whose answer is known, and every
difference from this answer is the implementation's error.

=========  ==========================================================================================  ================
kind       the callable is called with                                                                 and returns
=========  ==========================================================================================  ================
gittins    ``(transitions (S, S), rewards (S,), discount)``                                            indices (S,)
value      ``(transitions [(S_a, S_a)], rewards [(S_a,)], discount, priority (N, 2), initial (n,))``   a number
evi        ``(transitions, rewards, row_radii [(S_a,)], reward_radii [(S_a,)], discount, initial)``    a number
agent      ``(problem)``, a `mbrl.agents.interface.Problem`                                             a learner
=========  ==========================================================================================  ================

``priority`` lists all (arm, state) pairs, the most urgent first; its policy always plays the arm whose state comes
first. ``evi`` maximises over policies and over rows and rewards within the radii, with rows per global state. An
optimistic reward is reward + radius, not cut off at 1.

A learner has the two methods of `mbrl.agents.interface`, as for ``python -m mbrl run --agents MODULE:ATTRIBUTE``. It
plays 24 episodes with fixed seeds, twice. Every plan must be a valid policy whose exact regret is possible, and may
depend only on the episodes shown and on the generator given. The learner must not change what it is shown. If it has
one of these attributes, the attribute must be right:

======================  ============================================================================================
attribute               must be
======================  ============================================================================================
``step``                1 + the number of all steps shown
``visits`` (n, S)       how often each arm state was played; counts of any other shape are ignored
``values`` (G,),        after planning, not below the exact values of extended value iteration over the confidence
``gap``                 set of `mbrl.confidence` by more than the gap; nor below the true optimum, as in the next row
``optimistic_value``    (G,), not below the true model's optimum if the true model is in this confidence set
``ties``                first or last: which of two arms that were shown alike the learner's tables play
======================  ============================================================================================

In an index policy, two arm states that were shown alike have indices that are equal, or differ by more than rounding.

G is the number of global states; the last arm's state varies fastest. The fixed cases have up to 200 states for
``gittins``, and up to 20736 global ones for ``value``, 16 for ``evi``, 48 for ``agent``. Discounts go up to 1 - 2^-7 in
the fixed cases for learners, up to 1 - 2^-5 in generated ones. The worst error of a learner is the largest amount by
which an optimistic value is too low. For information, the report has the learner's total exact regret beside that of
random priority orders in as many episodes.

In a test suite of your own::

    import pytest
    from proofs_checks.trials.conformance import cases

    @pytest.mark.parametrize("case", cases("gittins"), ids=str)
    def test_my_indices(case):
        case.check(my_indices)
"""

from proofs_checks.trials.conformance.cases import VERSION, Case, cases
from proofs_checks.trials.conformance.judging import Tolerance
from proofs_checks.trials.conformance.kinds import KINDS
from proofs_checks.trials.conformance.running import Report, conform, load_callable

__all__ = ["KINDS", "VERSION", "Case", "Report", "Tolerance", "cases", "conform", "load_callable"]
