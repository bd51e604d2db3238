"""Properties of formulas, and the search for the smallest counterexample."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

from proofs_checks.trials.counterexample import Counterexample
from proofs_checks.trials.properties.formulas import FormulaError, Formulas, replaced
from proofs_checks.trials.search import simplest
from theory import BanditError
from theory.random_models import Integers

EXAMPLES: Final = 200
"""Number of instances on which a property is tried by default."""


@dataclass(frozen=True)
class Property:
    """A condition that formulas must satisfy together, for every instance.

    Attributes
    ----------
    name
    says
        The property, in one sentence, which names in backticks the formulas that it is about.
    instances
        ``instances(source)`` returns an instance made of random integers; smaller integers make simpler instances.
    refute
        ``refute(formulas, instance)`` returns the instance as a counterexample, or None if the property holds, its
        condition fails, or the comparison is undecided.
    first
        Instances tried before generated ones: those at which the ledger's nearest false constants fail.
    """

    name: str
    says: str
    instances: Callable[[Integers], Any]
    refute: Callable[[Formulas, Any], Counterexample | None]
    first: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return self.name

    @property
    def formulas(self) -> tuple[str, ...]:
        """The names of the formulas that it is about."""
        return tuple(dict.fromkeys(re.findall(r"`(\w+)`", self.says)))

    def check(self, formulas: Formulas | None = None, examples: int = EXAMPLES) -> None:
        """Search for a counterexample, in a test.

        Raises
        ------
        AssertionError
            If there is one; the message has the smallest counterexample found, in one line.
        FormulaError
            As in `attempt`.
        """
        found = attempt(self, formulas or replaced(), examples).counterexample
        assert found is None, f"{self.says} {found.text}"


@dataclass(frozen=True)
class Trial:
    """The result of testing a property: the smallest counterexample found, or None.

    `tried` counts the instances, including those of the search for a smaller one.
    """

    which: Property
    tried: int
    counterexample: Counterexample | None
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether no counterexample was found."""
        return self.counterexample is None


def attempt(which: Property, formulas: Formulas, examples: int = EXAMPLES) -> Trial:
    """Return the trial of a property on its first and on generated instances and, once one fails, on smaller ones.

    A property breaks at an instance at which a formula has no finite value, or a value that no model can have.

    Raises
    ------
    FormulaError
        If a formula raises an error or returns no number; the message has the smallest such arguments found.

    Examples
    --------
    >>> from proofs_checks.trials.properties import replaced, suite
    >>> (first, _) = suite("counterexample")
    >>> attempt(first, replaced()).holds, attempt(first, replaced(reward_b="3.3")).holds
    (True, False)
    >>> (_, moment) = suite("constants")
    >>> attempt(moment, replaced()).tried
    201
    """
    tried = 0
    smallest: Counterexample | None = None
    mistake: FormulaError | None = None

    def fails(instance: Any) -> bool:
        nonlocal tried, smallest, mistake
        tried += 1
        try:
            found = which.refute(formulas, instance)
        except FormulaError as error:
            mistake = error  # from here on, the search minimises the arguments that cause the error
            return True
        except BanditError as error:  # no finite value, or a value that no model can have, such as a negative radius
            found = Counterexample(str(error))
        if found is not None:
            smallest = found  # the search ends on the smallest
        return found is not None and mistake is None

    began = perf_counter()
    any(map(fails, which.first))
    simplest(which.instances, fails, examples=examples)
    if mistake is not None:
        raise mistake
    return Trial(which, tried, smallest, perf_counter() - began)
