"""Exact Gittins indices, by five independent routes and one certificate.

The index of a state is the largest discounted reward per discounted time that the arm offers from that state
(`eq:eq_Gindex`); playing the arm of largest index is optimal.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from flint import fmpq

from theory.domain import exact_discount
from theory.errors import ModelError, shown
from theory.gittins.certificate import is_gittins, refutation
from theory.gittins.decision import (
    continuation_set,
    indices_by_restart,
    indices_by_retirement,
    restart_process,
    stopping_process,
    values_with_retirement,
)
from theory.gittins.elimination import indices_by_elimination
from theory.gittins.folding import indices_by_folding
from theory.gittins.single import gittins_index
from theory.gittins.stopping_sets import indices_by_definition, indices_by_largest_remaining
from theory.model import Arm, Bandit, Priority, check_arm, check_bandit
from theory.rationals import Exact

IndexMethod = Callable[[Arm, fmpq], tuple[fmpq, ...]]

METHODS: Final[MappingProxyType[str, IndexMethod]] = MappingProxyType(
    {
        "elimination": indices_by_elimination,
        "largest-remaining": indices_by_largest_remaining,
        "restart": indices_by_restart,
        "retirement": indices_by_retirement,
        "definition": indices_by_definition,
    }
)


def gittins_indices(arm: Arm, discount: Exact, method: str = "elimination") -> tuple[fmpq, ...]:
    """Return the Gittins index of every state of `arm`, exactly; all `METHODS` give the same indices.

    Raise `ModelError` for an unknown method or a discount outside its range. Raise `NumberError` for a discount that is
    not exact. Raise `TooLargeError` if the method cannot treat so many states.

    Source: Gittins, "Bandit processes and dynamic allocation indices", 1979.

    Examples
    --------
    >>> arm = Arm(rewards=[0, 1], transitions=[["1/2", "1/2"], [0, 1]])
    >>> gittins_indices(arm, "1/2")
    (1/3, 1)
    """
    check_arm(arm)
    beta = exact_discount(discount)
    if method not in tuple(METHODS):
        raise ModelError(f"no index method is called {shown(method)}; the methods are {', '.join(METHODS)}")
    return METHODS[method](arm, beta)


def gittins_priority(bandit: Bandit) -> Priority:
    """Return all arm states by non-increasing Gittins index, ties broken by arm and state.

    Examples
    --------
    >>> from theory import paper_model
    >>> bandit = paper_model("counterexample-m1")
    >>> [bandit.name(state) for state in gittins_priority(bandit)]
    ['A2', 'A1', 'B1', 'B3', 'A3', 'B2']
    """
    check_bandit(bandit)
    index = {
        (a, x): value
        for a, arm in enumerate(bandit.arms)
        for x, value in enumerate(gittins_indices(arm, bandit.discount))
    }
    return tuple(sorted(bandit.arm_states, key=lambda state: index[state], reverse=True))


__all__ = [
    "METHODS",
    "continuation_set",
    "gittins_index",
    "gittins_indices",
    "gittins_priority",
    "indices_by_folding",
    "is_gittins",
    "refutation",
    "restart_process",
    "stopping_process",
    "values_with_retirement",
]
