r"""The order of all arm states by their indices: how far floats can be trusted with it, and the exact one.

Indices come from an elimination whose relative error is known (`mbrl.kernels.elimination`). Along an arm's order of
elimination, exact quotients that decrease prove the order right: so where the intervals around the float indices of an
arm do not overlap, its order is certain and the intervals hold the exact indices. Where two overlap, the pivots may
have been taken in the wrong order. A pivot that is at most :math:`\epsilon` below another lets the other's index lose
at most :math:`\epsilon`: its excursions are then averaged with some of the pivot's ratio. As that can happen once per
state, the intervals of such an arm are wider, by the factor 2S + 1; its order remains undecided there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mbrl.kernels.arguments import check_discount, check_rewards, check_rows
from mbrl.kernels.blocked import BLOCKED_FROM, blocked_error, blocked_indices
from mbrl.kernels.elimination import UNIT, elimination_error
from mbrl.kernels.exact import exact_bandit
from mbrl.kernels.gittins import arm_indices
from theory import ArmState, gittins_indices, nearest_float

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class IndexOrder:
    """All arm states by non-increasing Gittins index.

    Attributes
    ----------
    indices : (n, S) float64
        Minus infinity in the padding.
    errors : (n, S) float64
        No index is further from the exact one than this; zero in the padding.
    order : tuple of (arm, state)
        The most urgent first; equal indices from the first arm and state on.
    undecided : tuple of pairs of (arm, state)
        Neighbours in the order that floats cannot tell apart: they may be tied, or the other way round. Ask with
        ``exact=True``. Empty where the order is certain.
    """

    indices: Floats
    errors: Floats
    order: tuple[ArmState, ...]
    undecided: tuple[tuple[ArmState, ArmState], ...]

    @property
    def certain(self) -> bool:
        """Whether the order is that of the exact indices."""
        return not self.undecided


def index_order(
    transitions: ArrayLike, rewards: ArrayLike, sizes: ArrayLike, discount: float, *, exact: bool = False
) -> IndexOrder:
    """Return the order of all arm states by their indices, and what is certain about it.

    Parameters
    ----------
    transitions : (n, S, S), rewards : (n, S), sizes : (n,), discount
        As for `mbrl.kernels.bandit_indices`.
    exact
        Whether to compute the indices exactly (`theory.gittins_indices`), the floats taken as the rationals they are
        (`mbrl.kernels.exact`): slower, and every order is decided, ties included.

    Raises
    ------
    ModelError
        Naming arm, state and value.

    Examples
    --------
    Two states whose indices differ by less than floats can say:

    >>> rows, rewards = [[[0.5, 0.5], [0.25, 0.75]]], [[1.0, 1.0 + 2**-52]]
    >>> index_order(rows, rewards, [2], 0.9).undecided
    (((0, 1), (0, 0)),)
    >>> index_order(rows, rewards, [2], 0.9, exact=True).order
    ((0, 1), (0, 0))
    """
    rows, counts = check_rows(transitions, sizes)
    means = check_rewards(rewards, counts, rows.shape[1])
    beta = check_discount(discount)
    if exact:
        return _exact_order(rows, means, counts, beta)
    indices, errors = np.full(means.shape, -np.inf), np.zeros(means.shape)
    for a, size in enumerate(counts):
        matrix, vector = np.ascontiguousarray(rows[a, :size, :size]), means[a, :size].copy()
        if size < BLOCKED_FROM:
            relative, found = elimination_error(size), arm_indices(matrix, vector, beta)
        else:
            relative, found = blocked_error(size), blocked_indices(matrix, vector, beta)
        indices[a, :size] = found
        errors[a, :size] = _errors(found, vector, relative)
    states = np.argwhere(np.arange(means.shape[1]) < counts[:, None])
    flat, wrong = indices[tuple(states.T)], errors[tuple(states.T)]
    places = np.argsort(-flat, kind="stable")
    order = tuple((int(a), int(x)) for a, x in states[places])
    close = np.flatnonzero(_overlap(flat[places], wrong[places]))
    return IndexOrder(indices, errors, order, tuple((order[i], order[i + 1]) for i in close))


def _errors(indices: Floats, rewards: Floats, relative: float) -> Floats:
    """Return bounds of the errors of one arm's indices."""
    scale = np.abs(indices) if rewards.min() >= 0 else np.full(indices.shape, np.abs(rewards).max())
    errors = relative * scale
    places = np.argsort(-indices, kind="stable")
    if _overlap(indices[places], errors[places]).any():
        errors *= 2 * indices.size + 1
    return errors


def _overlap(descending: Floats, errors: Floats) -> NDArray[np.bool_]:
    close: NDArray[np.bool_] = descending[:-1] - errors[:-1] <= descending[1:] + errors[1:]
    return close


def _exact_order(rows: Floats, means: Floats, counts: Integers, discount: float) -> IndexOrder:
    bandit = exact_bandit(rows, means, counts, discount)
    found = [gittins_indices(arm, bandit.discount) for arm in bandit.arms]
    indices = np.full(means.shape, -np.inf)
    for a, exact in enumerate(found):
        indices[a, : counts[a]] = [nearest_float(index) for index in exact]
    errors = UNIT * np.abs(np.where(np.isinf(indices), 0.0, indices))
    order = sorted(bandit.arm_states, key=lambda state: found[state[0]][state[1]], reverse=True)
    return IndexOrder(indices, errors, tuple(order), ())
