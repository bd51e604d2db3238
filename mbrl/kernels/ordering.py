r"""The order of all arm states by their indices, and what floats can prove of it.

An elimination gives indices with a known relative error (`mbrl.kernels.elimination`). In an arm's order of elimination,
exact quotients that decrease prove the order right. So if the intervals around an arm's float indices do not overlap,
its order is certain and the intervals contain the exact indices. If two overlap, the pivots may have been taken in the
wrong order. A pivot that is at most :math:`\epsilon` below another one lowers the other's index by at most
:math:`\epsilon`: it averages the other's excursions with some of the pivot's ratio. This can happen once per state, so
the intervals of such an arm are wider, by the factor 2S + 1; its order remains undecided there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mbrl.arrays import Floats, Integers
from mbrl.kernels.arguments import check_discount, check_rewards, check_rows
from mbrl.kernels.blocked import blocked_error, is_large
from mbrl.kernels.elimination import elimination_error
from mbrl.kernels.gittins import checked_bandit_indices


@dataclass(frozen=True, eq=False)
class IndexOrder:
    """All arm states by non-increasing Gittins index.

    Attributes
    ----------
    indices : (n, S) float64
        Minus infinity in the padding.
    errors : (n, S) float64
        Bound on the error of each index; zero in the padding.
    order : (N,) int64
        All arm states as ``arm * S + state``, the most urgent first; equal indices from the first arm and state on.
    undecided : (m,) int64
        Positions in the order at which floats cannot separate the index from the next one; the two may tie, or be in
        the reverse order. `theory.gittins_indices` of `mbrl.kernels.exact_bandit` decides them. Empty if the order is
        certain.
    """

    indices: Floats
    errors: Floats
    order: Integers
    undecided: Integers

    @property
    def certain(self) -> bool:
        """Whether the order is that of the exact indices."""
        return self.undecided.size == 0


def index_order(transitions: ArrayLike, rewards: ArrayLike, sizes: ArrayLike, discount: float) -> IndexOrder:
    """Return the order of all arm states by their indices, and its undecided positions.

    Parameters
    ----------
    transitions : (n, S, S), rewards : (n, S), sizes : (n,), discount
        As for `mbrl.kernels.bandit_indices`.

    Raises
    ------
    ModelError
        For no bandit; the error names arm, state and value.

    Examples
    --------
    The indices of two states differ by less than floats can resolve:

    >>> rows, rewards = [[[0.5, 0.5], [0.25, 0.75]]], [[1.0, 1.0 + 2**-52]]
    >>> index_order(rows, rewards, [2], 0.9).undecided
    array([0])
    """
    rows, counts = check_rows(transitions, sizes)
    means = check_rewards(rewards, counts, rows.shape[1])
    indices = checked_bandit_indices(rows, means, counts, check_discount(discount))
    errors = index_errors(indices, means, counts)
    used = np.flatnonzero(np.arange(means.shape[1]) < counts[:, None])
    flat, wrong = indices.ravel(), errors.ravel()
    order = used[np.argsort(-flat[used], kind="stable")]
    return IndexOrder(indices, errors, order, np.flatnonzero(_overlap(flat[order], wrong[order])))


def index_errors(indices: Floats, rewards: Floats, sizes: Integers) -> Floats:
    """Return (n, S) bounds on the errors of `indices` from `mbrl.kernels.bandit_indices`.

    Examples
    --------
    Errors scale with the unit of rewards.

    >>> indices, sizes = np.array([[1.0, -0.5]]), np.array([2])
    >>> index_errors(8 * indices, 8 * indices, sizes) / index_errors(indices, indices, sizes)
    array([[8., 8.]])
    """
    used = np.arange(rewards.shape[1]) < sizes[:, None]
    relative = np.zeros(int(sizes.max()) + 1)
    for size in np.unique(sizes).tolist():
        relative[size] = blocked_error(size) if is_large(size) else elimination_error(size)
    one_sign = np.where(used, rewards, 0.0).min(axis=1) >= 0
    largest = np.where(used, np.abs(rewards), 0.0).max(axis=1)
    errors: Floats = np.where(one_sign[:, None], np.abs(np.where(used, indices, 0.0)), largest[:, None])
    errors *= relative[sizes][:, None] * used
    places = np.argsort(-indices, axis=1, kind="stable")
    descending, wrong = np.take_along_axis(indices, places, axis=1), np.take_along_axis(errors, places, axis=1)
    close = (_overlap(descending.T, wrong.T).T & used[:, 1:]).any(axis=1)  # the padding comes last
    errors[close] *= (2 * sizes[close] + 1)[:, None]
    return errors


def _overlap(descending: Floats, errors: Floats) -> NDArray[np.bool_]:
    """Return whether the intervals of neighbours on the first axis overlap."""
    close: NDArray[np.bool_] = descending[:-1] - errors[:-1] <= descending[1:] + errors[1:]
    return close
