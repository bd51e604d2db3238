"""The properties, by suite."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from types import MappingProxyType
from typing import Final

from proofs_checks.trials.properties import bounds, constants, deviations, optimism
from proofs_checks.trials.properties.property import Property
from theory import ModelError

SUITES: Final[MappingProxyType[str, tuple[Property, ...]]] = MappingProxyType(
    {
        "optimism": (*optimism.PROPERTIES, *deviations.PROPERTIES),
        "constants": constants.THEOREM_1,
        "lower_bound": bounds.LOWER_BOUND,
        "counterexample": constants.THEOREM_3,
        "sharper": bounds.SHARPER,
    }
)


def affected(names: Collection[str], properties: Iterable[Property]) -> list[Property]:
    """Return the properties that are about some formula with one of these names.

    Examples
    --------
    >>> [str(each) for each in affected({"sum_root"}, suite("constants"))]
    ['sum-of-roots']
    """
    return [each for each in properties if not set(each.formulas).isdisjoint(names)]


def suite(name: str) -> tuple[Property, ...]:
    """Return the properties of a suite.

    Raises
    ------
    ModelError
        If the name is not in `SUITES`.

    Examples
    --------
    >>> [str(each) for each in suite("counterexample")]
    ['policy-2-is-below', 'policy-1-is-below']
    """
    if name not in SUITES:
        raise ModelError(f"no suite is called {name!r}; the suites are {', '.join(SUITES)}")
    return SUITES[name]
