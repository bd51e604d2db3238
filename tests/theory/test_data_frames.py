"""Arms from data frames and labelled arrays: rows are read exactly, missing entries are refused."""

from __future__ import annotations

from contextlib import nullcontext
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

import mbrl
from theory import Arm, BanditError, gittins_indices

CYCLE = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]  # rewards 0, 1, 3 at discount 1/2: by hand (0 + 1/2 + 3/4) / (7/4), ...
CYCLE_INDICES = (fmpq(5, 7), fmpq(5, 3), fmpq(3))
EXACT = [[Decimal("0.25"), Decimal("0.75"), Decimal(0)], [0, 1, 0], [1, 0, 0]]
LIBRARIES = ["pandas", "xarray", pytest.param("polars", marks=pytest.mark.peers), pytest.param("pyarrow", marks=pytest.mark.peers)]  # fmt: skip


def frame(library, rows):
    module = pytest.importorskip(library)
    if library == "xarray":
        return module.DataArray(np.array(rows))
    columns = {f"to {y}": list(column) for y, column in enumerate(zip(*rows, strict=True))}
    return module.table(columns) if library == "pyarrow" else module.DataFrame(columns)


def series(library, values):
    kinds = {"pandas": "Series", "xarray": "DataArray", "polars": "Series", "pyarrow": "array"}
    return getattr(pytest.importorskip(library), kinds[library])(values)


@pytest.mark.parametrize("library", LIBRARIES)
def test_data_frame_of_transitions_is_read_by_rows(library):
    arm = Arm(rewards=series(library, [0, 1, 3]), transitions=frame(library, CYCLE))
    assert gittins_indices(arm, "1/2") == CYCLE_INDICES
    assert (
        Arm.from_floats(rewards=series(library, [0.0, 1.0, 3.0]), transitions=frame(library, np.array(CYCLE, float)))
        == arm
    )


@pytest.mark.parametrize("where", ["columns", "rewards", "states"])
def test_labels_in_two_orders_are_refused(where):
    pandas = pytest.importorskip("pandas")
    order = [*"abc"]
    other = {each: [*"bca"] if each == where else order for each in ("columns", "rewards", "states")}
    rows = pandas.DataFrame(CYCLE, index=order, columns=other["columns"])
    rewards = pandas.Series([0, 1, 3], index=other["rewards"])
    for make in (Arm, Arm.from_floats):
        with pytest.raises(BanditError, match=r"states are in two orders, .* put both in one"):
            make(rewards=rewards, transitions=rows, states=other["states"])
    with pytest.raises(BanditError, match=r"states are in two orders") if where != "states" else nullcontext():
        mbrl.bandit([rows], [rewards], 0.5)
    assert make(rewards=rewards.loc[order] if where == "rewards" else rewards, transitions=rows[order], states=order)


@pytest.mark.parametrize("library", LIBRARIES)
def test_data_frame_decimals_stay_exact_and_floats_are_refused(library):
    if library in ("pandas", "xarray"):  # the others' columns have one type
        assert Arm(rewards=[0, 1, 3], transitions=frame(library, EXACT)).transitions[0][1] == fmpq(3, 4)
    rows = [[Decimal(p) for p in row] for row in EXACT]
    assert Arm(rewards=[0, 1, 3], transitions=frame(library, rows)).transitions[0] == (fmpq(1, 4), fmpq(3, 4), 0)
    with pytest.raises(
        BanditError, match=r"state 1: transition probability 0\.25 is a float.*Arm\.from_floats reads floats"
    ):
        Arm(rewards=[0, 1, 3], transitions=frame(library, [[float(p) for p in row] for row in EXACT]))


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("missing", [None, float("nan")])
def test_missing_reward_in_a_series_is_refused(library, missing):
    rewards = series(library, [0.5, missing, 3.0])
    for make in (Arm, Arm.from_floats):
        with pytest.raises(BanditError, match=r"state [12]: "):
            make(rewards=rewards, transitions=CYCLE)


def test_masked_and_nullable_rewards_are_refused():
    pd = pytest.importorskip("pandas")
    masked = np.ma.array([0, 1, 3], mask=[0, 1, 0])
    for rewards in (
        masked,
        pd.array([0, None, 3], dtype="Int64"),
        [Fraction(0), pd.NA, 3],
        np.array(["2020", "NaT", "2021"], "M8[D]"),
    ):
        for make in (Arm, Arm.from_floats):
            with pytest.raises(BanditError):
                make(rewards=rewards, transitions=CYCLE)
    with pytest.raises(BanditError, match="state 2: "):
        Arm(rewards=masked, transitions=CYCLE)
