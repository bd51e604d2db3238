"""The result files: NetCDF, read and written by xarray; ``regret.nc`` is the same to the byte for the same settings."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from mbrl.environments import Environment
from mbrl.experiments.scenarios import Scenario
from mbrl.experiments.settings import Settings
from mbrl.experiments.store import REGRET_FILE, SETTINGS_FILE, TIMING_FILE, Store
from theory import BanditError

Floats = NDArray[np.float64]

_DIMENSIONS = ("agent", "simulation", "episode")
_WRITTEN_BY = ("numpy", "numba", "xarray", "netCDF4")


def write_results(store: Store, scenario: Scenario, settings: Settings, environment: Environment) -> None:
    """Write ``timing.nc`` and then ``regret.nc`` from the rows of `store`.

    Raises
    ------
    BanditError
        If rows are damaged or the files cannot be written.
    """
    regret, seconds = store.load_rows()
    attributes: dict[str, str | int | float] = {
        "title": scenario.title,
        "scenario": settings.scenario,
        "seed": settings.seed,
        "simulations": settings.simulations,
        "episodes": settings.episodes,
        "simulations_per_model": scenario.simulations_per_model,
        "discount": environment.discount,
        "regret_method": settings.regret,
        "model_digest": settings.model,
        "settings": json.dumps(settings.content(), sort_keys=True),
        "versions": json.dumps({"mbrl": dict(settings.versions)["mbrl"]} | {p: version(p) for p in _WRITTEN_BY}),
    }
    kind = {
        "expected": "expected regret of the episode: optimal value minus the value of the policy played",
        "monte-carlo": "mean rewards collected by an oracle minus those collected by the agent, in one episode",
    }[settings.regret]
    spent = "time to plan and to learn, in seconds"
    try:
        _write(store.folder / TIMING_FILE, "policy_seconds", seconds, spent, attributes)
        _write(store.folder / REGRET_FILE, "regret", regret, kind, attributes, scenario)
    except OSError as error:
        raise BanditError(f"{store.folder} cannot be written: {error.strerror or error}") from None


def _write(
    path: Path,
    name: str,
    rows: Floats,
    long_name: str,
    attributes: dict[str, str | int | float],
    scenario: Scenario | None = None,
) -> None:
    agents = json.loads(str(attributes["settings"]))["agents"]
    coordinates: dict[str, object] = {
        "agent": np.array(agents, dtype=object),
        "simulation": np.arange(rows.shape[1], dtype=np.int32),
        "episode": np.arange(1, rows.shape[2] + 1, dtype=np.int32),
    }
    if scenario is not None:
        models = np.array([scenario.model_of(i) for i in range(rows.shape[1])], dtype=np.int32)
        coordinates["model"] = ("simulation", models)
    data = xr.Dataset({name: (_DIMENSIONS, rows, {"long_name": long_name})}, coords=coordinates, attrs=attributes)
    temporary = path.with_name(f".{path.name}.part")
    data.to_netcdf(temporary, engine="netcdf4", encoding={name: {"zlib": True, "complevel": 1, "shuffle": True}})
    temporary.replace(path)


def read_results(folder: Path, timing: bool = False) -> xr.Dataset:
    """Return the saved regret of a finished run, or its times, loaded into memory.

    Raises
    ------
    BanditError
        If the folder holds no finished run.
    """
    path = folder / (TIMING_FILE if timing else REGRET_FILE)
    if not path.is_file():
        if (folder / SETTINGS_FILE).is_file():
            raise BanditError(f"the run in {folder} is not complete; give its command again to finish it")
        raise BanditError(f"{folder} holds no results: there is no {path.name}")
    try:
        with xr.open_dataset(path, engine="netcdf4") as data:
            data.load()
    except (OSError, ValueError) as error:
        raise BanditError(f"{path} cannot be read: {error}") from None
    wanted = "policy_seconds" if timing else "regret"
    if wanted not in data or data[wanted].dims != _DIMENSIONS or "scenario" not in data.attrs:
        raise BanditError(f"{path} is not one of this program's: it lacks {wanted}(agent, simulation, episode)")
    return data
