"""Search for the smallest counterexample to a property."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import NoSuchExample

from proofs_checks.properties.formulas import Formulas
from proofs_checks.properties.property import Counterexample, Property
from theory import BanditError


@dataclass(frozen=True)
class Trial:
    """What came out.

    Attributes
    ----------
    which : Property
    tried : int
        How many instances were looked at, smaller ones of the search included.
    counterexample : Counterexample or None
        The smallest found.
    seconds : float
    """

    which: Property
    tried: int
    counterexample: Counterexample | None
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether no counterexample was found."""
        return self.counterexample is None


def attempt(which: Property, formulas: Formulas, examples: int = 200) -> Trial:
    """Try a property on generated instances; where it fails, on smaller and smaller ones.

    A formula that cannot be evaluated is reported as a counterexample, with the arguments it was given.

    Examples
    --------
    >>> from proofs_checks.properties import replaced, suite
    >>> (first, _) = suite("counterexample")
    >>> attempt(first, replaced()).holds, attempt(first, replaced(reward_b="3.3")).holds
    (True, False)
    """
    chosen = settings(
        max_examples=examples,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    tried = 0
    smallest: Counterexample | None = None

    def fails(instance: Any) -> bool:
        nonlocal tried, smallest
        tried += 1
        try:
            found = which.refute(formulas, instance)
        except BanditError as error:  # of a formula, or of a model made with it
            found = Counterexample(str(error))
        if found is not None:
            smallest = found  # the search ends on the smallest
        return found is not None

    began = perf_counter()
    try:
        smallest_instance = find(which.instances, fails, settings=chosen)
        fails(smallest_instance)
    except NoSuchExample:
        pass
    return Trial(which, tried, smallest, perf_counter() - began)
