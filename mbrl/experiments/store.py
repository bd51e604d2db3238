"""The folder of a run, into which one process at a time writes: settings, rows as they come, results.

``settings.json`` holds the settings of the run, and can be restored from ``regret.nc``. During the run, ``rows`` has
one file per learner, simulation and number of episodes; at the end these become ``regret.nc``, ``timing.nc`` and
``learners.zip`` (learners that can be extended by more episodes). Every file is written whole or not at all, and a
damaged one counts as missing. A folder that holds other files, or a run with other settings, is left alone.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

from mbrl.experiments.rows import Rows, pack, unpack
from mbrl.experiments.settings import Settings
from mbrl.importing import code_digest
from theory import BanditError
from theory.terminal.outputs import check_folder, writing

SETTINGS_FILE: Final = "settings.json"
REGRET_FILE: Final = "regret.nc"
TIMING_FILE: Final = "timing.nc"
LEARNERS_FILE: Final = "learners.zip"
ROWS_FOLDER: Final = "rows"
_LOCK_FILE: Final = ".lock"
SAVED: Final = "what is finished is saved, and the same command goes on from there"


class Store:
    """The folder of one run, held by this process (`held_store`).

    Attributes
    ----------
    folder : Path
    settings : Settings
        Settings of the whole run: requested settings, joined with those of the run in the folder.

    Examples
    --------
    Results of two simulations of three episodes replace their rows, and rows of fewer episodes.

    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> with TemporaryDirectory() as folder:
    ...     store = Store(Path(folder), Settings("walk", ("mine:Mine",), 2, 3, 7, "", "", "expected", "", ()))
    ...     for simulation, episodes in ((0, 3), (1, 2), (1, 3), (1, 4), (2, 3)):
    ...         numbers = np.zeros(episodes)
    ...         store.save_rows("mine:Mine", simulation, Rows(numbers, numbers))
    ...     before = [store.saved_episodes("mine:Mine", simulation) for simulation in range(3)]
    ...     store.remove_rows()
    ...     print(before, [store.saved_episodes("mine:Mine", simulation) for simulation in range(3)])
    [[3], [2, 3, 4], [3]] [[], [4], [3]]
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.settings = settings
        self._identity = sha256(json.dumps(settings.identity(), sort_keys=True).encode()).hexdigest()

    def saved_episodes(self, agent: str, simulation: int) -> list[int]:
        """Return the numbers of episodes, increasing, for which rows of a simulation are saved."""
        files = self._rows_folder(agent).glob(f"{simulation:05d}-*.rows")
        return sorted(int(path.stem.partition("-")[2]) for path in files if path.stem.partition("-")[2].isdigit())

    def load_rows(self, agent: str, simulation: int, episodes: int) -> Rows | None:
        """Return saved rows, or None if they are missing or damaged."""
        try:
            content = self._rows_file(agent, simulation, episodes).read_bytes()
        except OSError:
            return None
        rows = unpack(content, self._key(agent, simulation))
        return rows if rows is not None and rows.episodes == episodes else None

    def save_rows(self, agent: str, simulation: int, rows: Rows) -> None:
        """Save the rows of one simulation.

        Raises
        ------
        OutputError
            If they cannot be written.
        """
        path = self._rows_file(agent, simulation, rows.episodes)
        with writing(path, SAVED):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, pack(rows, self._key(agent, simulation)))

    def remove_rows(self) -> None:
        """Remove rows that the results now contain; rows of more simulations or episodes are kept."""
        settings = self.settings
        for agent in settings.agents:
            for path in self._rows_folder(agent).glob("*.rows"):
                simulation, _, episodes = path.stem.partition("-")
                ours = (simulation + episodes).isdigit() and path.is_file()
                if ours and int(simulation) < settings.simulations and int(episodes) <= settings.episodes:
                    path.unlink()
            _remove_if_empty(self._rows_folder(agent))
        _remove_if_empty(self.folder / ROWS_FOLDER)

    def _key(self, agent: str, simulation: int) -> str:
        return f"{self._identity}/{agent}{dict(self.settings.code).get(agent, '')}/{simulation}"

    def _rows_folder(self, agent: str) -> Path:
        """Return the folder of a learner's rows, called by the learner's name as far as file names allow.

        Examples
        --------
        >>> store = Store(Path("runs"), Settings("walk", (), 2, 3, 7, "", "", "expected", "", ()))
        >>> for name in ("mb-psrl", "mb-ucrl2/radii=appendix", "." * 80 + "a", "b" * 61):
        ...     print(store._rows_folder(name).name)
        mb-psrl
        mb-ucrl2_radii=appendix-a8151290
        -000d82b3
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-1515258a
        """
        readable = re.sub(r"[^A-Za-z0-9=.-]", "_", agent)[:60].lstrip(".")
        name = readable if readable == agent else f"{readable}-{sha256(agent.encode()).hexdigest()[:8]}"
        return self.folder / ROWS_FOLDER / name

    def _rows_file(self, agent: str, simulation: int, episodes: int) -> Path:
        return self._rows_folder(agent) / f"{simulation:05d}-{episodes}.rows"


def check_folder_of_results(folder: Path) -> None:
    """Raise an error if a folder is not writeable, or holds something other than a run; nothing is created.

    Raises
    ------
    BanditError
        The error says what to give instead.
    """
    check_folder(folder)
    known = (SETTINGS_FILE, REGRET_FILE)
    if (
        folder.is_dir()
        and not any((folder / name).exists() for name in known)
        and not all(map(_is_ours, folder.iterdir()))
    ):
        raise BanditError(f"{folder} holds files that are no results of this program; give a new or empty folder")


@contextmanager
def held_store(folder: Path, settings: Settings, finished: Callable[[Path], Settings | None]) -> Iterator[Store]:
    """Hold the folder of a run for this process alone, and write the settings of the run into it.

    Parameters
    ----------
    folder
        The folder; it is made if missing, and otherwise must be empty or hold a run of the same identity.
    settings
        Requested settings.
    finished
        Returns the settings of the results in a folder, or None if there are none.

    Raises
    ------
    BanditError
        If another process holds the folder, it is not writeable, or it holds other files or a run of other settings.
    OutputError
        If a later write fails.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415  (of the extra "learn": the command's help needs it not)

    check_folder_of_results(folder)
    with writing(folder, SAVED):
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / _LOCK_FILE)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            raise BanditError(
                f"another process is writing into {folder}; wait until it ends, or give another folder"
            ) from None
    try:
        results = finished(folder)
        found = read_settings(folder, lambda _: results)
        if found is not None:
            _check_same(folder, found, settings, results)
        if results is not None and results.identity() == settings.identity():
            settings = results.joined(settings)
        with writing(folder, SAVED):
            for place in (folder, folder / ROWS_FOLDER):  # of a killed process; only this one writes here
                for leftover in (*place.glob(".*.part"), *place.glob("*/.*.part")):
                    leftover.unlink(missing_ok=True)
            path, content = folder / SETTINGS_FILE, (json.dumps(settings.content(), indent=2) + "\n").encode()
            if not path.exists() or path.read_bytes() != content:
                write_whole(path, content)
        yield Store(folder, settings)
    finally:
        lock.release()


def read_settings(folder: Path, finished: Callable[[Path], Settings | None]) -> Settings | None:
    """Return the settings of the run in `folder`; if they are missing or damaged, those that `finished` finds.

    Raises
    ------
    BanditError
        If files of these names do not belong to this program.
    """
    path = folder / SETTINGS_FILE
    try:
        return Settings.from_content(json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        if not (folder / REGRET_FILE).exists():
            return None
        results = finished(folder)
        if results is not None:
            return results
        raise BanditError(f"{folder / REGRET_FILE} is damaged, or not this program's; give a new folder") from None
    except OSError as error:
        raise BanditError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError:
        results = finished(folder)
        if results is not None:
            return results
        raise BanditError(f"{path} is not one of this program's; give a new or empty folder") from None


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path; at the end, the file there replaces `path`.

    If the process is killed or the disk is full, `path` stays whole: as it was, or as it is to be.
    """
    temporary = path.with_name(f".{path.name}.part")
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_whole(path: Path, content: bytes) -> None:
    """Write `content` as `path`, whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_bytes(content)


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


def _is_ours(entry: Path) -> bool:
    return bool(re.fullmatch(rf"{re.escape(_LOCK_FILE)}|\..*\.part", entry.name))


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:  # not empty, or not there
        return


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    return str(value) or "the scenario's own"
