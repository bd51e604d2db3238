"""Routes to the Gittins indices of all states, and to their order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise

from flint import fmpq

from mbrl.kernels import index_order
from proofs_checks.trials.soak.comparison import Answer, Question, Route, point, within
from proofs_checks.trials.soak.routes.floats import exact_numbers, in_floats, padded
from proofs_checks.trials.soak.routes.wider import enclosed_routes, over_root, times_root, wider
from theory import ArmState, Bandit, gittins_index, gittins_priority
from theory.enclosures import EnclosedBandit, Enclosure, enclosed_indices
from theory.gittins import METHODS, IndexMethod, indices_by_folding
from theory.parametric import parametric_bandit, parametric_indices

_UNDECIDED = Enclosure(fmpq(-1), fmpq(1))
_ABOVE, _BELOW = (Enclosure.point(fmpq(sign)) for sign in (1, -1))
_NOT_BELOW, _NOT_ABOVE = Enclosure(fmpq(0), fmpq(1)), Enclosure(fmpq(-1), fmpq(0))
_STATES = {"elimination": 40, "largest-remaining": 40, "restart": 16, "retirement": 16, "definition": 8}
"""Largest number of states for which each method of `theory` is tried."""


def _by_method(method: IndexMethod) -> Callable[[Bandit], Answer]:
    return lambda bandit: [point(index) for arm in bandit.arms for index in method(arm, bandit.discount)]


def _by_folding(bandit: Bandit) -> Answer:
    found = (indices_by_folding(arm.transitions, arm.rewards, bandit.discount) for arm in bandit.arms)
    return [point(index) for arm in found for index in arm]


def _state_by_state(bandit: Bandit) -> Answer:
    return [point(gittins_index(bandit.arms[a], bandit.discount, x)) for a, x in bandit.arm_states]


def _parametric(bandit: Bandit) -> Answer:
    found = (parametric_indices(arm).indices_at(bandit.discount) for arm in bandit.arms)
    return [point(index) for arm in found for index in arm]


def _parametric_times_root(bandit: Bandit) -> Answer:
    found = (parametric_indices(arm).indices_at(bandit.discount) for arm in times_root(bandit).arms)
    return [over_root(index.enclosure(128)) for arm in found for index in arm]


def _enclosed(enclosed: EnclosedBandit, _: Bandit) -> Answer:
    return [index for arm in enclosed_indices(enclosed).indices for index in arm]


def _kernel(bandit: Bandit) -> Answer:
    found = index_order(*padded(bandit))
    used = tuple(zip(*bandit.arm_states, strict=True))
    indices, errors = (exact_numbers(part[used]) for part in (found.indices, found.errors))
    return list(map(within, indices, errors))


INDICES = Question(
    "indices",
    (
        *(Route(name, _by_method(method), _STATES[name]) for name, method in METHODS.items()),
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
    indices = dict(zip(bandit.arm_states, _by_folding(bandit), strict=True))
    return [
        Enclosure.point(fmpq((indices[s].low > indices[t].low) - (indices[s].low < indices[t].low)))
        for s, t in combinations(bandit.arm_states, 2)
    ]


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
    order = [(int(place) // max(bandit.sizes), int(place) % max(bandit.sizes)) for place in found.order]
    decided = set(range(len(order) - 1)) - set(found.undecided.tolist())
    above = {pair for at, pair in enumerate(pairwise(order)) if at in decided}
    return [_by_neighbours(above, s, t) for s, t in combinations(bandit.arm_states, 2)]


def _by_neighbours(above: set[tuple[ArmState, ArmState]], first: ArmState, second: ArmState) -> Enclosure:
    if (first, second) in above:
        return _ABOVE
    return _BELOW if (second, first) in above else _UNDECIDED


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
