"""What a bonus, a radius, a lemma's bound or a constant must satisfy, for anyone's version of it.

A theorist changes one formula and asks what breaks. The formulas of the paper have names (`FORMULAS`, listed by
``python -m proofs_checks properties``); each property says, in one sentence, what some of them must satisfy together;
the search for a counterexample runs over exact bandits, counts and parameters, and shrinks what it finds. Every
comparison is decided with enclosures: a property is broken only where that is certain.

A formula is replaced by a function with the arguments of the printed one. It may return a `flint.arb`, an exact number,
or whatever else `theory.enclosures.real_number` takes; a float is refused. A number is replaced by a number::

    python -m proofs_checks properties optimism --replace bonus=mymodule:my_bonus
    python -m proofs_checks properties counterexample --replace radius=1/10

In a test suite of your own (`proofs_checks.properties.example` is such a file)::

    @pytest.mark.parametrize("which", suite("optimism"), ids=str)
    def test_my_bonus(which):
        which.check(replaced(bonus=my_bonus))
"""

from proofs_checks.properties.formulas import FORMULAS, Formula, Formulas, replaced
from proofs_checks.properties.property import Counterexample, Property, Trial, attempt
from proofs_checks.properties.suites import SUITES, affected, suite

__all__ = [
    "FORMULAS",
    "SUITES",
    "Counterexample",
    "Formula",
    "Formulas",
    "Property",
    "Trial",
    "affected",
    "attempt",
    "replaced",
    "suite",
]
