"""The results of a run: ``regret.nc`` and ``timing.nc`` (NetCDF, by xarray), and the learners that can go on.

``regret.nc`` is the same to the byte for the same settings, whether the run was extended, interrupted, or done at once.
Every simulation is a chunk with a checksum of its own (Fletcher's), and the attributes hold a digest of the rest.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import netCDF4
import numpy as np
import xarray as xr
from numpy.typing import NDArray

from mbrl.environments import Environment
from mbrl.experiments.rows import Rows
from mbrl.experiments.scenarios import Scenario
from mbrl.experiments.settings import Settings
from mbrl.experiments.store import (
    LEARNERS_FILE,
    REGRET_FILE,
    SETTINGS_FILE,
    TIMING_FILE,
    Store,
    whole_file,
    writing,
)
from theory import BanditError

Floats = NDArray[np.float64]

_DIMENSIONS = ("agent", "simulation", "episode")
_WRITTEN_BY = ("numpy", "numba", "xarray", "netCDF4")
_VARIABLES = {REGRET_FILE: "regret", TIMING_FILE: "policy_seconds"}
_LONG_NAMES = {
    "expected": "expected regret of the episode: optimal value minus the value of the policy played",
    "monte-carlo": "mean rewards collected by an oracle minus those collected by the agent, in one episode",
}
_UNREADABLE = (OSError, RuntimeError, ValueError, KeyError, AttributeError, zipfile.BadZipFile)
"""What the libraries raise for a damaged file."""


class Results:
    """The results in a folder, read row by row; a row that is damaged is taken for missing.

    Attributes
    ----------
    settings : Settings or None
        Of the run; None where there are no results.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._places: dict[str, int] = {}
        self._data: dict[str, xr.Dataset] = {}
        self.settings: Settings | None = None
        try:
            for name in _VARIABLES:
                self._data[name] = _opened(folder / name)
            settings = {_checked(data, _VARIABLES[name]) for name, data in self._data.items()}
        except _UNREADABLE:
            return
        if len(settings) == 1:
            self.settings = settings.pop()
            self._places = {agent: place for place, agent in enumerate(self.settings.agents)}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for data in self._data.values():
            data.close()

    def rows(self, agent: str, simulation: int) -> Rows | None:
        """Return the rows of a simulation, without its learner; None where they are missing or damaged."""
        if self.settings is None or agent not in self._places or simulation >= self.settings.simulations:
            return None
        at = {"agent": self._places[agent], "simulation": simulation}
        try:
            regret, seconds = (self._data[name][variable].isel(at).values for name, variable in _VARIABLES.items())
        except _UNREADABLE:
            return None
        return Rows(regret, seconds)

    def learner(self, agent: str, simulation: int) -> bytes:
        """Return what a simulation goes on from; nothing where that is missing or damaged."""
        try:
            with zipfile.ZipFile(self._folder / LEARNERS_FILE) as learners:
                return learners.read(_entry(agent, simulation))
        except _UNREADABLE:
            return b""


def write_results(
    store: Store, scenario: Scenario, environment: Environment, rows: Callable[[str, int], Rows | None]
) -> bool:
    """Write the results of the run in `store`, ``regret.nc`` last, and return whether all rows were there.

    Parameters
    ----------
    store
        Held.
    scenario
        As it was run.
    environment
        The first model.
    rows
        Returns the rows of a learner and a simulation, None where they are missing.

    Raises
    ------
    BanditError
        If the files cannot be written.
    """
    settings = store.settings
    both = np.empty((2, len(settings.agents), settings.simulations, settings.episodes))
    places = [(i, agent, n) for i, agent in enumerate(settings.agents) for n in range(settings.simulations)]
    for i, agent, simulation in places:
        one = rows(agent, simulation)
        if one is None:
            return False
        both[:, i, simulation] = one.regret, one.seconds
    with writing(store.folder):
        with (
            whole_file(store.folder / LEARNERS_FILE) as temporary,
            zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as learners,
        ):
            for _, agent, simulation in places:
                one = rows(agent, simulation)
                if one is not None and one.learner:
                    learners.writestr(zipfile.ZipInfo(_entry(agent, simulation)), one.learner)
        attributes = {
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
        spent = "time to plan and to learn, in seconds"
        _write(store.folder / TIMING_FILE, both[1], spent, attributes, scenario)
        _write(store.folder / REGRET_FILE, both[0], _LONG_NAMES[settings.regret], attributes, scenario)
    return True


def read_results(folder: Path, timing: bool = False) -> xr.Dataset:
    """Return the saved regret of a finished run, or its times, loaded into memory.

    Raises
    ------
    BanditError
        If the folder holds no finished run, or its results are damaged.
    """
    name = TIMING_FILE if timing else REGRET_FILE
    path = folder / name
    if not path.is_file():
        if (folder / SETTINGS_FILE).is_file():
            raise BanditError(f"the run in {folder} is not complete; give its command again to finish it")
        raise BanditError(f"{folder} holds no results: there is no {name}")
    try:
        with _opened(path) as data:
            _checked(data, _VARIABLES[name])
            data.load()
    except _UNREADABLE:
        raise BanditError(f"{path} is damaged, or not this program's; give the run's command again") from None
    return data


def read_run(folder: Path) -> tuple[xr.Dataset, xr.Dataset]:
    """Return the saved regret of a finished run, and its times.

    Raises
    ------
    BanditError
        As `read_results`, and where they are of different runs.
    """
    regret, timing = read_results(folder), read_results(folder, timing=True)
    if regret.attrs["settings"] != timing.attrs["settings"]:
        raise BanditError(f"{folder}: {REGRET_FILE} and {TIMING_FILE} are of different runs; give the command again")
    return regret, timing


def settings_of_results(folder: Path) -> Settings | None:
    """Return the settings of the results in a folder, None where there are none."""
    with Results(folder) as results:
        return results.settings


def _opened(path: Path) -> xr.Dataset:
    """Open a file by its bytes: xarray and HDF5 share by its path what the caller may have open, and crash."""
    store = xr.backends.NetCDF4DataStore(netCDF4.Dataset(path.name, memory=path.read_bytes()))  # type: ignore[no-untyped-call]
    return xr.open_dataset(store)


def _write(path: Path, rows: Floats, long_name: str, attributes: dict[str, Any], scenario: Scenario) -> None:
    name = _VARIABLES[path.name]
    _, simulations, episodes = rows.shape
    settings = json.loads(str(attributes["settings"]))
    coordinates = {
        "agent": np.array(settings["agents"], dtype=object),
        "simulation": np.arange(simulations, dtype=np.int32),
        "episode": np.arange(1, episodes + 1, dtype=np.int32),
        "model": ("simulation", np.array([scenario.model_of(i) for i in range(simulations)], dtype=np.int32)),
    }
    data = xr.Dataset({name: (_DIMENSIONS, rows, {"long_name": long_name})}, coords=coordinates, attrs=attributes)
    data.attrs["digest"] = _digest(data)
    # a chunk for each simulation: one that is damaged is computed again, the others are not
    encoding = {"zlib": True, "complevel": 1, "shuffle": True, "fletcher32": True, "chunksizes": (1, 1, episodes)}
    with whole_file(path) as temporary:
        try:
            data.to_netcdf(temporary, engine="netcdf4", encoding={name: encoding})
        except RuntimeError as error:  # HDF5 does not say what the system's error was
            raise OSError(f"is the disk full? ({error})") from None


def _checked(data: xr.Dataset, variable: str) -> Settings:
    """Return the settings in a file of results; any of `_UNREADABLE` is raised where it is damaged."""
    settings = Settings.from_content(json.loads(data.attrs["settings"]))
    if variable not in data or data.attrs["digest"] != _digest(data):
        raise ValueError("the results are not what was written")
    return settings


def _digest(data: xr.Dataset) -> str:
    """Return a digest of attributes and coordinates; the rows have checksums of their own."""
    attributes = {name: value for name, value in data.attrs.items() if name != "digest"}
    coordinates = {str(name): array.values.tolist() for name, array in data.coords.items()}
    return sha256(json.dumps([attributes, coordinates], sort_keys=True, default=_plain).encode()).hexdigest()


def _plain(value: Any) -> Any:
    return value.item()  # numbers come back from a file as NumPy's


def _entry(agent: str, simulation: int) -> str:
    return f"{agent}/{simulation:05d}"
