"""A property of formulas: what must hold of every instance, and what it looks like where it does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis.strategies import SearchStrategy

from proofs_checks.properties.formulas import Formulas, replaced
from theory import Bandit


@dataclass(frozen=True)
class Counterexample:
    """An instance of which a property certainly does not hold.

    Attributes
    ----------
    text : str
        What is wrong, in one line.
    numbers : by name
        From which that can be computed again.
    bandit : Bandit or None
        The model, where one belongs to it.
    """

    text: str
    numbers: Mapping[str, str] = field(default_factory=dict)
    bandit: Bandit | None = None


@dataclass(frozen=True)
class Property:
    """What some formulas must satisfy together.

    Attributes
    ----------
    name, suite : str
    says : str
        The property, in one sentence.
    formulas
        The names of those that it is about.
    instances
        A strategy that draws what it is tried on.
    refute
        ``refute(formulas, instance)``: the counterexample that the instance is, or None. None is also the answer where
        the instance lies outside the property's condition, or where it cannot be decided.
    """

    name: str
    suite: str
    says: str
    formulas: tuple[str, ...]
    instances: SearchStrategy[Any]
    refute: Callable[[Formulas, Any], Counterexample | None]

    def __str__(self) -> str:
        return self.name

    def check(self, formulas: Formulas | None = None, examples: int = 200) -> None:
        """Search for a counterexample, in a test.

        Raises
        ------
        AssertionError
            With the smallest one found, in one line.
        """
        from proofs_checks.properties.trying import attempt  # noqa: PLC0415  (which knows this class)

        found = attempt(self, formulas or replaced(), examples).counterexample
        assert found is None, f"{self.says} {found.text}"
