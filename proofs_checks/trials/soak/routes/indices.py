"""Routes to the Gittins indices of all states, and to their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise

from flint import fmpq

from mbrl.kernels import index_order
from proofs_checks.trials.arrays import in_floats, padded
from proofs_checks.trials.soak.comparison import Answer, Question, Route, within
from proofs_checks.trials.soak.routes.shared import enclosed_routes, over_root, times_root, wider
from theory import Arm, ArmState, Bandit, gittins_index, gittins_priority
from theory.enclosures import EnclosedBandit, Enclosure, enclosed_indices
from theory.gittins import METHODS, indices_by_folding
from theory.parametric import parametric_bandit, parametric_indices

_NOT_ABOVE, _NOT_BELOW, _UNDECIDED = (Enclosure(fmpq(low), fmpq(high)) for low, high in ((-1, 0), (0, 1), (-1, 1)))
_STATES = {"elimination": 40, "largest-remaining": 40, "restart": 16, "retirement": 16, "definition": 8}
"""Largest number of states for which each method of `theory` is tried."""


def _by_arm(indices: Callable[[Arm, fmpq], Sequence[fmpq]]) -> Callable[[Bandit], list[fmpq]]:
    return lambda bandit: [index for arm in bandit.arms for index in indices(arm, bandit.discount)]


@_by_arm
def _by_folding(arm: Arm, discount: fmpq) -> Sequence[fmpq]:
    return indices_by_folding(arm.transitions, arm.rewards, discount)


@_by_arm
def _state_by_state(arm: Arm, discount: fmpq) -> Sequence[fmpq]:
    return [gittins_index(arm, discount, x) for x in range(arm.size)]


@_by_arm
def _parametric(arm: Arm, discount: fmpq) -> Sequence[fmpq]:
    return parametric_indices(arm).indices_at(discount)


def _parametric_times_root(bandit: Bandit) -> Answer:
    found = (parametric_indices(arm).indices_at(bandit.discount) for arm in times_root(bandit).arms)
    return [over_root(index.enclosure(128)) for arm in found for index in arm]


def _enclosed(enclosed: EnclosedBandit, _: Bandit) -> Sequence[Enclosure]:
    return [index for arm in enclosed_indices(enclosed).indices for index in arm]


def _kernel(bandit: Bandit) -> Answer:
    found = index_order(*padded(bandit))
    return [within(found.indices[state], found.errors[state]) for state in bandit.arm_states]


INDICES = Question(
    "indices",
    (
        *(Route(name, _by_arm(method), _STATES[name]) for name, method in METHODS.items()),
        Route("folding", _by_folding, 30),
        Route("state by state", _state_by_state, 30),
        Route("parametric in the discount", _parametric, 6),
        Route("parametric, rewards times sqrt(2)", _parametric_times_root, 4),
        *enclosed_routes(_enclosed, ((16, None), (12, None), (5, None))),
        Route("kernel gittins_indices", _kernel, 40, takes=in_floats),
    ),
    labels=lambda bandit: [f"index of {name}" for name in bandit.state_names],
)


def _exact_order(bandit: Bandit) -> Answer:
    return [fmpq((first > second) - (first < second)) for first, second in combinations(_by_folding(bandit), 2)]


def _not_increasing(bandit: Bandit, order: tuple[ArmState, ...] | None) -> Answer:
    """Return, for each pair of states, that the earlier one's index is not below; undecided if `order` is None."""
    pairs = combinations(bandit.arm_states, 2)
    if order is None:
        return [_UNDECIDED for _ in pairs]
    place = {state: k for k, state in enumerate(order)}
    return [_NOT_BELOW if place[s] < place[t] else _NOT_ABOVE for s, t in pairs]


def _by_priority(bandit: Bandit) -> Answer:
    return _not_increasing(bandit, gittins_priority(bandit))


def _parametric_order(bandit: Bandit) -> Answer:
    found = parametric_bandit(bandit)
    beta = bandit.discount
    piece = next(piece for piece in found.pieces if beta <= piece.high.high)
    within = piece.low.high < beta < piece.high.low  # not at a breakpoint, nor too near for its enclosure
    return _not_increasing(bandit, piece.order if within else None)


def _enclosed_order(bandit: Bandit) -> Answer:
    return _not_increasing(bandit, enclosed_indices(wider(bandit)).order.certain)


def _kernel_order(bandit: Bandit) -> Answer:
    """Return the order of the floats' indices, as far as the kernel decides it between neighbours."""
    found = index_order(*padded(bandit))
    order = [divmod(int(place), max(bandit.sizes)) for place in found.order]
    undecided = set(found.undecided.tolist())
    above = {pair for at, pair in enumerate(pairwise(order)) if at not in undecided}
    return [
        fmpq(1) if (s, t) in above else fmpq(-1) if (t, s) in above else _UNDECIDED
        for s, t in combinations(bandit.arm_states, 2)
    ]


ORDER = Question(
    "order of the indices",
    (
        Route("folding", _exact_order, 30),
        Route("priority by elimination", _by_priority, 40),
        Route("parametric in the discount", _parametric_order, 4),
        Route("enclosed rewards and discount", _enclosed_order, 12),
        Route("kernel index_order", _kernel_order, 30, takes=in_floats),
    ),
    labels=lambda bandit: [
        f"{s} above {t} (1), tied (0) or below (-1)" for s, t in combinations(bandit.state_names, 2)
    ],
)
