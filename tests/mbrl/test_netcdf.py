"""NetCDF model files: what is written is read back, and what is wrong is named in one line."""

import netCDF4
import numpy as np
import pytest

from mbrl import environments
from tests.mbrl.command_line import mbrl, refused
from tests.mbrl.test_agents import uneven
from theory import ModelError


@pytest.mark.parametrize(
    "environment",
    [environments.random_walk(), environments.task_scheduling(), environments.counterexample(), uneven(-2, 6, [0, 2])],
)
def test_what_is_written_is_read_back(environment, tmp_path):
    path = tmp_path / "model.nc"
    environments.write_netcdf(environment, path)
    found = environments.model_file(path)
    for name in ("transitions", "sizes", "starts", "discount", "unit", "offset"):
        assert np.array_equal(getattr(found, name), getattr(environment, name)), name
    np.testing.assert_allclose(found.transition_rewards, environment.transition_rewards, rtol=1e-15)
    value = environment.value(environment.optimal_policy, environment.starts[0])
    np.testing.assert_allclose(found.value(found.optimal_policy, found.starts[0]), value, rtol=1e-14)


def test_a_run_plays_it_as_it_plays_the_scenario(tmp_path):
    environments.write_netcdf(environments.random_walk(), tmp_path / "walk.nc")
    words = ("--simulations", 1, "--episodes", 30, "--agents", "mb-ucbvi", "--jobs", 1, "--json")
    done = mbrl("run", tmp_path / "walk.nc", "--out", tmp_path / "run", *words)
    assert '"computed": 1' in done.stdout


def written(path, change=lambda file: None, **variables):
    numbers = {
        "transitions": (("arm", "state", "next_state"), np.tile(np.eye(2), (2, 1, 1))),
        "rewards": (("arm", "state"), np.full((2, 2), 0.5)),
        "initial": (("arm",), np.zeros(2, dtype=int)),
    } | variables
    with netCDF4.Dataset(path, "w") as file:
        file.discount = 0.9
        for name, size in (("arm", 2), ("state", 2), ("next_state", 2)):
            file.createDimension(name, size)
        for name, entry in numbers.items():
            if entry is not None:
                dimensions, values = entry
                file.createVariable(name, np.asarray(values).dtype, dimensions)[:] = values
        change(file)
    return path


BAD_ROWS = np.tile(np.eye(2), (2, 1, 1))
BAD_ROWS[1, 0] = [0.5, 0.25]
ARMS, STATES = ("arm",), ("arm", "state")


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"transitions": (("arm", "state", "next_state"), BAD_ROWS)}, "arm 2, state 1: row sums to 0.75, not 1"),
        ({"rewards": None}, r"the variable rewards\(arm, state\) is missing"),
        ({"transitions": None}, r"the variable transitions\(arm, state, next_state\) is missing"),
        ({"initial": None}, r"the variable initial\(arm\) is missing"),
        ({"initial": (ARMS, [0, 2])}, r"initial state, arm 2: 2 is outside 0\.\.1"),
        ({"initial": (ARMS, [0.0, 0.5])}, "initial states: no array of whole numbers"),
        ({"sizes": (ARMS, [2, 3])}, "arm 2: 3 states do not fit arrays for 2 states"),
        ({"rewards": (ARMS, [0.5, 0.5])}, r"rewards\(arm\) must be rewards\(arm, state\)"),
        ({"rewards": (STATES, [[0.5, np.nan], [np.inf, 0]])}, "arm 1, state 2: a reward is not a finite number"),
        ({"rewards": (STATES, np.array([["a", "b"], ["c", "d"]], dtype=object))}, None),
    ],
)
def test_what_is_wrong_is_named(variables, message, tmp_path):
    if message is None:
        variables, message = {"rewards": (STATES, np.full((2, 2), b"a", dtype="S1"))}, "rewards holds no numbers"
    path = written(tmp_path / "bad.nc", **variables)
    with pytest.raises(ModelError, match=f"bad.nc: .*{message}$"):
        environments.model_file(path)
    assert refused("run", path, "--out", tmp_path / "run").startswith("error: ")


@pytest.mark.parametrize(
    ("discount", "message"),
    [(None, "the attribute 'discount' is missing"), ("much", "is 'much', not a number"), (1.0, "1 is outside 0 <= ")],
)
def test_the_discount_is_checked(discount, message, tmp_path):
    def change(file):
        del file.discount
        if discount is not None:
            file.discount = discount

    with pytest.raises(ModelError, match=message):
        environments.model_file(written(tmp_path / "bad.nc", change))


@pytest.mark.parametrize("large", [1e200, 3])  # whole numbers are numbers too
def test_rewards_are_of_any_size(large, tmp_path):
    found = environments.model_file(written(tmp_path / "large.nc", rewards=(STATES, [[-large, large], [0, 0]])))
    assert (found.offset, found.unit, found.rewards.tolist()) == (-large, 2 * large, [[0, 1], [0.5, 0.5]])


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "bad.nc"
    path.write_bytes(b"\x89HDF and no more")
    with pytest.raises(ModelError, match=r"bad\.nc: cannot be read \("):
        environments.model_file(path)


def test_what_no_such_file_can_say_is_not_written(tmp_path):
    with pytest.raises(ModelError, match="laws of rewards go into JSON"):
        environments.write_netcdf(
            environments.with_rewards(environments.random_walk(), "gaussian:0.1"), tmp_path / "model.nc"
        )
    with pytest.raises(ModelError, match="a model file has one initial state, not 4"):
        environments.write_netcdf(environments.lower_bound(np.random.default_rng(1), 10), tmp_path / "model.nc")
    with pytest.raises(ModelError, match="cannot be written"):
        environments.write_netcdf(environments.random_walk(), tmp_path / "no" / "model.nc")
