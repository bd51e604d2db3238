"""Model files for bandits of very many arms: NetCDF, read as it is written, where JSON is for people.

======================================== ==================================================================
``transitions(arm, state, next_state)``  double: probability rows, 0 in the padding of smaller arms
``rewards(arm, state)``                  double: mean rewards, in the model's own unit
``sizes(arm)``                           integer, may be missing: number of states of each arm
``initial(arm)``                         integer: state, from 0, that play starts from
``discount``                             attribute of the file
======================================== ==================================================================

In place of ``rewards`` there may be ``transition_rewards(arm, state, next_state)``, for rewards that depend on the next
state. Rewards are Bernoulli, as in a JSON file without laws. Numbers are floats: what must be exact stands in JSON.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mbrl.environments.environment import Environment
from mbrl.environments.rewards import unit_of
from theory import ModelError

Floats = NDArray[np.float64]

_ROWS: Final = ("arm", "state", "next_state")
_STATES: Final = ("arm", "state")
_ARMS: Final = ("arm",)
_MAGIC: Final = (b"CDF", b"\x89HDF")


def is_netcdf(path: Path) -> bool:
    """Return whether there is a NetCDF file at `path`.

    Examples
    --------
    >>> is_netcdf(Path("/"))
    False
    """
    try:
        with path.open("rb") as file:
            return file.read(4).startswith(_MAGIC)
    except OSError:
        return False


def read_netcdf(path: Path) -> Environment:
    """Return the environment of the NetCDF model file at `path`.

    Raises
    ------
    ModelError
        One line that names what is missing, or the arm, the state and the value.
    """
    import netCDF4  # noqa: PLC0415  (loaded when first needed)

    try:
        with netCDF4.Dataset(path) as file:
            file.set_auto_mask(False)
            discount = getattr(file, "discount", None)
            if discount is None:
                raise ModelError(f"{path}: the attribute 'discount' is missing")
            transitions = _read(file, path, "transitions", _ROWS)
            by_move = "transition_rewards" in file.variables
            rewards = _read(file, path, "transition_rewards" if by_move else "rewards", _ROWS if by_move else _STATES)
            sizes = _read(file, path, "sizes", _ARMS) if "sizes" in file.variables else None
            initial = _read(file, path, "initial", _ARMS)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read ({error.strerror or error})") from None
    counts = np.full(len(transitions), transitions.shape[1]) if sizes is None else sizes
    means = np.asarray(rewards if by_move else rewards[:, :, None], dtype=np.float64)
    return from_means(str(path), transitions, means, counts, _number(discount, path), initial[None])


def from_means(name: str, transitions: Floats, means: Floats, sizes: Any, discount: float, starts: Any) -> Environment:
    """Return an environment with Bernoulli rewards of the given means, of any size and sign.

    Parameters
    ----------
    name, transitions, sizes, discount, starts
        As for `Environment`. The transitions are made read-only.
    means : (n, S, S) or (n, S, 1)
        Mean reward of each transition, in the model's own unit. Overwritten, as it may be large.

    Raises
    ------
    ModelError
        Naming the arm, the state and the value.
    """
    lowest, highest = float(means.min(initial=0.0)), float(means.max(initial=0.0))
    if not np.isfinite(lowest + highest):
        a, x, _ = np.argwhere(~np.isfinite(means))[0]
        raise ModelError(f"{name}: arm {a + 1}, state {x + 1}: a reward is not a finite number")
    offset, unit = unit_of(lowest, highest)
    means -= offset
    means /= unit
    transitions.flags.writeable = means.flags.writeable = False  # large ones are not copied
    return Environment(name, transitions, means, sizes, discount, starts, unit=unit, offset=offset)


def write_netcdf(environment: Environment, path: str | Path) -> None:
    """Write an environment of Bernoulli rewards and one initial state as a NetCDF model file.

    Raises
    ------
    ModelError
        If such a file cannot say what the environment is, or the file cannot be written.
    """
    import netCDF4  # noqa: PLC0415

    if environment.laws is not None:
        raise ModelError(f"{environment.name}: a NetCDF model file has Bernoulli rewards; laws of rewards go into JSON")
    if len(environment.starts) != 1:
        raise ModelError(f"{environment.name}: a model file has one initial state, not {len(environment.starts)}")
    paid = environment.transition_rewards
    by_move = paid.shape[2] > 1
    try:
        with netCDF4.Dataset(path, "w") as file:
            for name, size in zip(_ROWS, environment.transitions.shape, strict=True):
                file.createDimension(name, size)
            file.discount = environment.discount
            file.title = f"Markovian bandit: {environment.name}"
            file.createVariable("transitions", "f8", _ROWS)[:] = environment.transitions
            if by_move:
                rewards = file.createVariable("transition_rewards", "f8", _ROWS)
            else:
                rewards, paid = file.createVariable("rewards", "f8", _STATES), paid[:, :, 0]
            rewards[:] = environment.offset + environment.unit * paid
            file.createVariable("sizes", "i8", _ARMS)[:] = environment.sizes
            file.createVariable("initial", "i8", _ARMS)[:] = environment.starts[0]
    except OSError as error:
        raise ModelError(f"{path}: cannot be written ({error.strerror or error})") from None


def _read(file: Any, path: Path, name: str, dimensions: tuple[str, ...]) -> Any:
    if name not in file.variables:
        raise ModelError(f"{path}: the variable {name}({', '.join(dimensions)}) is missing")
    variable = file.variables[name]
    if variable.dimensions != dimensions:
        found = ", ".join(variable.dimensions)
        raise ModelError(f"{path}: {name}({found}) must be {name}({', '.join(dimensions)})")
    if variable.dtype.kind not in "iuf":
        raise ModelError(f"{path}: {name} holds no numbers")
    return variable[:]


def _number(value: Any, path: Path) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ModelError(f"{path}: the attribute 'discount' is {value!r}, not a number") from None
