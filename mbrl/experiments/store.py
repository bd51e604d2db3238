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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from mbrl.experiments.rows import Rows, pack, unpack
from mbrl.experiments.settings import Settings
from theory import BanditError
from theory.terminal.outputs import check_folder, writing

SETTINGS_FILE: Final = "settings.json"
REGRET_FILE: Final = "regret.nc"
TIMING_FILE: Final = "timing.nc"
LEARNERS_FILE: Final = "learners.zip"
ROWS_FOLDER: Final = "rows"
LOCK_FILE: Final = ".lock"
SAVED: Final = "what is finished is saved, and the same command goes on from there"


class Store:
    """The folder of one run, held by this process (`mbrl.experiments.dataset.held_store`).

    Attributes
    ----------
    folder : Path
    settings : Settings
        Settings of the whole run: requested settings, joined with those of the run in the folder.
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.settings = settings
        self._identity = sha256(json.dumps(settings.identity(), sort_keys=True).encode()).hexdigest()

    def saved_episodes(self, agent: str, simulation: int) -> list[int]:
        """Return, in increasing order, the numbers of episodes K for which a simulation's rows are saved."""
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
            with suppress(OSError):  # not empty, or not there
                self._rows_folder(agent).rmdir()
        with suppress(OSError):
            (self.folder / ROWS_FOLDER).rmdir()

    def _key(self, agent: str, simulation: int) -> str:
        return f"{self._identity}/{agent}{dict(self.settings.code).get(agent, '')}/{simulation}"

    def _rows_folder(self, agent: str) -> Path:
        """Return the folder of a learner's rows, called by the learner's name as far as file names allow.

        Examples
        --------
        >>> store = Store(Path("runs"), Settings("walk", (), 2, 3))
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
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    foreign = [name for name in names if not re.fullmatch(rf"{re.escape(LOCK_FILE)}|\..*\.part", name)]
    if foreign and not names & {SETTINGS_FILE, REGRET_FILE}:
        raise BanditError(f"{folder} holds files that are no results of this program; give a new or empty folder")


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
