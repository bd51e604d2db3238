"""Properties of formulas, and the search for the smallest counterexample."""

from __future__ import annotations

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
"""Instances that a property is tried on, unless another number is asked for."""


@dataclass(frozen=True)
class Property:
    """A condition that formulas must satisfy together, for every instance.

    Attributes
    ----------
    name, suite
    says
        The property, in one sentence.
    formulas
        The names of those that it is about.
    instances
        ``instances(source)``: what it is tried on, made of random integers; of the least ones, the simplest.
    refute
        ``refute(formulas, instance)``: the counterexample that the instance is, or None. None is also the answer where
        the instance lies outside the property's condition, or where it cannot be decided.
    """

    name: str
    suite: str
    says: str
    formulas: tuple[str, ...]
    instances: Callable[[Integers], Any]
    refute: Callable[[Formulas, Any], Counterexample | None]

    def __str__(self) -> str:
        return self.name

    def check(self, formulas: Formulas | None = None, examples: int = EXAMPLES) -> None:
        """Search for a counterexample, in a test.

        Raises
        ------
        AssertionError
            With the smallest one found, in one line.
        FormulaError
            As `attempt`.
        """
        found = attempt(self, formulas or replaced(), examples).counterexample
        assert found is None, f"{self.says} {found.text}"


@dataclass(frozen=True)
class Trial:
    """The result of testing a property.

    Attributes
    ----------
    which
    tried
        How many instances were looked at, smaller ones of the search included.
    counterexample
        The smallest found.
    seconds
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
    """Try a property on generated instances; where it fails, on smaller and smaller ones.

    A formula that has no finite value for some arguments, or one that no model has, breaks the property there.

    Raises
    ------
    FormulaError
        If a formula raises an error or returns no number, with the smallest arguments found for which it does.

    Examples
    --------
    >>> from proofs_checks.trials.properties import replaced, suite
    >>> (first, _) = suite("counterexample")
    >>> attempt(first, replaced()).holds, attempt(first, replaced(reward_b="3.3")).holds
    (True, False)
    >>> (_, moment) = suite("constants")
    >>> attempt(moment, replaced()).tried
    200
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
            mistake = error  # from here on the search is for the smallest arguments of a mistake
            return True
        except BanditError as error:  # no finite value, or one that no model has, such as a negative radius
            found = Counterexample(str(error))
        if found is not None:
            smallest = found  # the search ends on the smallest
        return found is not None and mistake is None

    began = perf_counter()
    simplest(which.instances, fails, examples=examples)
    if mistake is not None:
        raise mistake
    return Trial(which, tried, smallest, perf_counter() - began)
