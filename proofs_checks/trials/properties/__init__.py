"""Property tests for formulas: what a bonus, a radius, a lemma's bound or a constant must satisfy.

A theorist changes one formula and asks what breaks. The formulas of the paper have names (`FORMULAS`, listed by
``python -m proofs_checks properties --list``). A property is a sentence on some of them that must hold for every
instance. The search for a counterexample runs over exact bandits, counts and parameters, and shrinks what it finds.
Every comparison is decided with enclosures: a property is broken only if that is certain.

A formula is replaced by a function with the same arguments: S, n, K, t, N are `int`, beta and alpha `flint.fmpq`. The
function returns a `flint.arb`, an `int`, a `Fraction`, a `fmpq`, or text such as ``"1/2"``; a float is refused, as its
rounding error is unknown. `sqrt`, `log` and `exp` of this package replace those of `math`::

    from proofs_checks.trials.properties import log, sqrt

    def my_bonus(S, n, K, t, N, beta):
        return sqrt(log(2 * S * n * K * t) / (2 * max(1, N))) / (1 - beta)

A number is replaced by a number. If a formula raises an error or returns no number, the error is reported with its
line, and nothing counts as refuted::

    python -m proofs_checks properties optimism --replace bonus=mymodule:my_bonus
    python -m proofs_checks properties counterexample --replace radius=1/10

In a test suite of your own (`proofs_checks.trials.properties.example` is such a file)::

    @pytest.mark.parametrize("which", suite("optimism"), ids=str)
    def test_my_bonus(which):
        which.check(replaced(bonus=my_bonus))
"""

from proofs_checks.trials.properties.formulas import FORMULAS, FormulaError, replaced
from proofs_checks.trials.properties.property import attempt
from proofs_checks.trials.properties.suites import SUITES, affected, suite
from theory.enclosures import exp, log, sqrt

__all__ = ["FORMULAS", "SUITES", "FormulaError", "affected", "attempt", "exp", "log", "replaced", "sqrt", "suite"]
