"""The folder and the results of a run: ``regret.nc`` and ``timing.nc`` (NetCDF), and the learners that can be extended.

``regret.nc`` has the same bytes for the same settings, whether the run was extended, interrupted, or done at once.
Every simulation is a chunk with its own checksum (Fletcher's), and the attributes hold a digest of everything else.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import netCDF4
import numpy as np
from filelock import FileLock, Timeout

from mbrl.arrays import Floats, Integers
from mbrl.environments import Environment
from mbrl.experiments.rows import Rows
from mbrl.experiments.scenarios import Scenario
from mbrl.experiments.settings import Settings
from mbrl.experiments.store import (
    LEARNERS_FILE,
    LOCK_FILE,
    REGRET_FILE,
    ROWS_FOLDER,
    SAVED,
    SETTINGS_FILE,
    TIMING_FILE,
    Store,
    check_folder_of_results,
    whole_file,
    write_whole,
)
from mbrl.importing import code_digest
from theory import BanditError
from theory.terminal.outputs import writing

if TYPE_CHECKING:
    import xarray as xr


_DIMENSIONS = ("agent", "simulation", "episode")
_COORDINATES = (*_DIMENSIONS, "model")
_WRITTEN_BY = ("numpy", "numba", "netCDF4")
_VARIABLES = {REGRET_FILE: "regret", TIMING_FILE: "policy_seconds"}
_LONG_NAMES = {
    "expected": "expected regret of the episode: optimal value minus the value of the policy played",
    "monte-carlo": "mean rewards collected by an oracle minus those collected by the agent, in one episode",
}
_UNREADABLE = (OSError, RuntimeError, ValueError, KeyError, AttributeError, zipfile.BadZipFile)
"""Errors that the libraries raise for a damaged file."""


class Results:
    """The results in a folder, read row by row; a damaged row counts as missing.

    Attributes
    ----------
    settings : Settings or None
        Settings of the run; None if there are no results.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._places: dict[str, int] = {}
        self._data: dict[str, netCDF4.Dataset] = {}
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

    def rows(self, agent: str, simulation: int) -> Rows | None:
        """Return the rows of a simulation, without its learner; None if they are missing or damaged."""
        if self.settings is None or agent not in self._places or simulation >= self.settings.simulations:
            return None
        at = self._places[agent], simulation
        try:
            regret, seconds = (self._data[name][variable][at] for name, variable in _VARIABLES.items())
        except _UNREADABLE:
            return None
        return Rows(regret, seconds)

    def learner(self, agent: str, simulation: int) -> bytes:
        """Return the saved state from which a simulation can go on; empty if it is missing or damaged."""
        try:
            with zipfile.ZipFile(self._folder / LEARNERS_FILE) as learners:
                return learners.read(_entry(agent, simulation))
        except _UNREADABLE:
            return b""


def write_results(
    store: Store, scenario: Scenario, environment: Environment, rows: Callable[[str, int], Rows | None]
) -> bool:
    """Write the results of the run in `store`, ``regret.nc`` last, and return whether no rows were missing.

    `environment` is the first model; `rows` returns the rows of a learner and a simulation, or None for missing ones.
    """
    settings = store.settings
    both = np.empty((2, len(settings.agents), settings.simulations, settings.episodes))
    places = [(i, agent, n) for i, agent in enumerate(settings.agents) for n in range(settings.simulations)]
    for i, agent, simulation in places:
        one = rows(agent, simulation)
        if one is None:
            return False
        both[:, i, simulation] = one.regret, one.seconds
    with writing(store.folder, SAVED):
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


class Saved(NamedTuple):
    """One file of results.

    Attributes
    ----------
    agents : list of names
    rows : (learners, simulations, episodes)
        Regrets, or seconds.
    models : (simulations,) int64
        Number of the model of each simulation.
    attributes : dict
    """

    agents: list[str]
    rows: Floats
    models: Integers
    attributes: dict[str, Any]

    @classmethod
    def of(cls, data: xr.Dataset, variable: str) -> Saved:
        """Return the contents of a dataset."""
        return cls(list(map(str, data["agent"].values)), data[variable].values, data["model"].values, data.attrs)

    @property
    def simulations(self) -> int:
        """Number of simulations."""
        return len(self.models)

    @property
    def episodes(self) -> int:
        """Number of episodes K."""
        return int(self.rows.shape[2])

    def beyond(self, simulations: int | None, episodes: int | None) -> tuple[str, ...]:
        """Return a sentence if there are more simulations or episodes than were asked for."""
        if self.simulations <= (simulations or self.simulations) and self.episodes <= (episodes or self.episodes):
            return ()
        held = f"the folder holds {self.simulations} simulations of {self.episodes} episodes"
        return (f"{held}, more than you ask for: the result is of all of them",)

    def select(self, agents: Iterable[str]) -> Saved:
        """Return the results of the given learners."""
        names = list(agents)
        return self._replace(agents=names, rows=self.rows[[self.place(name, "agents") for name in names]])

    def place(self, agent: str, what: str) -> int:
        """Return the place of a learner; without it, raise `BanditError`, which says `what` names it."""
        if agent not in self.agents:
            there_are = f"it has {', '.join(self.agents)}, and its command with --agents {agent} adds it"
            raise BanditError(f"{what}: the run has no learner called {agent!r}; {there_are}")
        return self.agents.index(agent)

    def dataset(self, variable: str) -> xr.Dataset:
        """Return the results as a dataset, the inverse of `of`."""
        import xarray as xr  # noqa: PLC0415  (with pandas, it takes longer to import than all else)

        coordinates = {
            "agent": self.agents,
            "simulation": np.arange(self.simulations),
            "episode": np.arange(1, self.episodes + 1),
            "model": ("simulation", self.models),
        }
        return xr.Dataset({variable: (_DIMENSIONS, self.rows)}, coords=coordinates, attrs=self.attributes)


def read_results(folder: Path, timing: bool = False) -> Saved:
    """Return the saved regret of a finished run, or its times if `timing`.

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
            return Saved(data["agent"][:].tolist(), data[_VARIABLES[name]][:], data["model"][:], data.__dict__)
    except _UNREADABLE:
        raise BanditError(f"{path} is damaged, or not this program's; give the run's command again") from None


def read_run(folder: Path) -> tuple[Saved, Saved]:
    """Return the saved regret of a finished run, and its times.

    Raises
    ------
    BanditError
        As for `read_results`, or if the two files belong to different runs.
    """
    regret, timing = read_results(folder), read_results(folder, timing=True)
    if regret.attributes["settings"] != timing.attributes["settings"]:
        raise BanditError(f"{folder}: {REGRET_FILE} and {TIMING_FILE} are of different runs; give the command again")
    return regret, timing


def read_settings(folder: Path) -> Settings | None:
    """Return the settings of the run in `folder`; if ``settings.json`` is missing or damaged, those of its results.

    Raises
    ------
    BanditError
        If files of these names do not belong to this program.
    """
    path = folder / SETTINGS_FILE
    try:
        return Settings.from_content(json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        path = folder / REGRET_FILE
        if not path.exists():
            return None
    except OSError as error:
        raise BanditError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError:
        pass  # the results may say the same
    found = Results(folder).settings
    if found is None:
        raise BanditError(f"{path} is damaged, or not one of this program's; give a new or empty folder")
    return found


@contextmanager
def held_store(folder: Path, settings: Settings) -> Iterator[tuple[Store, Results]]:
    """Hold the folder of a run for this process alone, and write the settings of the run into it.

    The folder is made if missing; an error says that another process holds it, that it is not writeable, or that it
    holds other files or a run of another identity.
    """
    check_folder_of_results(folder)
    with writing(folder, SAVED):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            held = FileLock(folder / LOCK_FILE).acquire(blocking=False)
        except Timeout:
            raise BanditError(
                f"another process is writing into {folder}; wait until it ends, or give another folder"
            ) from None
    with held:
        found, results = read_settings(folder), Results(folder)
        if found is not None:
            _check_same(folder, found, settings, results.settings)
        if results.settings is not None and results.settings.identity() == settings.identity():
            settings = results.settings.joined(settings)
        with writing(folder, SAVED):
            for place in (folder, folder / ROWS_FOLDER):  # of a killed process; only this one writes here
                for leftover in (*place.glob(".*.part"), *place.glob("*/.*.part")):
                    leftover.unlink(missing_ok=True)
            path, content = folder / SETTINGS_FILE, (json.dumps(settings.content(), indent=2) + "\n").encode()
            if not path.exists() or path.read_bytes() != content:
                write_whole(path, content)
        yield Store(folder, settings), results


def _check_same(folder: Path, found: Settings, wanted: Settings, results: Settings | None) -> None:
    for key, value in wanted.identity().items():
        before = found.identity()[key]
        if before != value:
            raise BanditError(
                f"{folder} holds a run of other settings ({key}: {_shown(before)}, now {_shown(value)}); "
                "give a new folder"
            )
    longer = results and (wanted.simulations > results.simulations or wanted.episodes > results.episodes)
    for agent, digest in found.code:
        if (longer or agent in wanted.agents) and code_digest(agent) != digest:
            raise BanditError(
                f"{folder} holds results of agent {agent}, whose code has changed since: give a new folder, or restore "
                "the code and give the changed one another name"
            )


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    return str(value) or "the scenario's own"


def _opened(path: Path) -> netCDF4.Dataset:
    """Open a file from its bytes: HDF5 shares files by path with the caller, and then crashes."""
    data = netCDF4.Dataset(path.name, memory=path.read_bytes())
    data.set_auto_mask(False)
    return data


def _write(path: Path, rows: Floats, long_name: str, attributes: dict[str, Any], scenario: Scenario) -> None:
    _, simulations, episodes = rows.shape
    with whole_file(path) as temporary:
        try:
            with netCDF4.Dataset(temporary, "w") as data:
                data.setncatts(attributes)
                for name, size in zip(_DIMENSIONS, rows.shape, strict=True):
                    data.createDimension(name, size)
                written = data.createVariable(
                    _VARIABLES[path.name],
                    "f8",
                    _DIMENSIONS,
                    compression="zlib",
                    complevel=1,
                    fletcher32=True,
                    chunksizes=(1, 1, episodes),  # one simulation, so that damage to it does not affect the others
                    fill_value=np.nan,
                )
                written.setncatts({"long_name": long_name, "coordinates": "model"})
                written[:] = rows
                agents = np.array(json.loads(attributes["settings"])["agents"], dtype=object)
                data.createVariable("agent", str, "agent")[:] = agents
                data.createVariable("simulation", "i4", "simulation")[:] = np.arange(simulations)
                data.createVariable("episode", "i4", "episode")[:] = np.arange(1, episodes + 1)
                data.createVariable("model", "i4", "simulation")[:] = [scenario.model_of(i) for i in range(simulations)]
                data.digest = _digest(data)
        except RuntimeError as error:  # HDF5 does not pass on the system's error
            raise OSError(f"is the disk full? ({error})") from None


def _checked(data: netCDF4.Dataset, variable: str) -> Settings:
    """Return the settings in a file of results; raise one of `_UNREADABLE` if the file is damaged."""
    settings = Settings.from_content(json.loads(data.settings))
    if variable not in data.variables or data.digest != _digest(data):
        raise ValueError("the results are not what was written")
    return settings


def _digest(data: netCDF4.Dataset) -> str:
    """Return a digest of attributes and coordinates; rows have their own checksums."""
    attributes = {name: value for name, value in data.__dict__.items() if name != "digest"}
    coordinates = {name: data[name][:].tolist() for name in _COORDINATES}
    return sha256(json.dumps([attributes, coordinates], sort_keys=True, default=_plain).encode()).hexdigest()


def _plain(value: Any) -> Any:
    return value.item()  # numbers in a file are NumPy's


def _entry(agent: str, simulation: int) -> str:
    return f"{agent}/{simulation:05d}"
