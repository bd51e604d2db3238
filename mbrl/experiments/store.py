"""The output folder: rows saved as they come, each file written whole or not at all.

While a run goes on, the folder holds ``settings.json`` and one file of rows per learner and simulation; at the end
these become ``regret.nc`` and ``timing.nc``. A folder that is not ours, or of other settings, is left alone.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mbrl.experiments.settings import Settings
from theory import BanditError

Floats = NDArray[np.float64]

SETTINGS_FILE: Final = "settings.json"
REGRET_FILE: Final = "regret.nc"
TIMING_FILE: Final = "timing.nc"
ROWS_FOLDER: Final = "rows"


class Store:
    """The folder of one run.

    Parameters
    ----------
    folder
        Made if it does not exist; must be empty or hold a run of the same settings.
    settings
        Of the run.

    Raises
    ------
    BanditError
        If the folder cannot be written, holds something else, or holds results of other settings.
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self._settings = settings
        try:
            if folder.exists() and not folder.is_dir():
                raise BanditError(f"{folder} is a file; give a folder for the results")
            folder.mkdir(parents=True, exist_ok=True)
            if (folder / SETTINGS_FILE).exists():
                self._check_same()
            elif any(entry for entry in folder.iterdir() if not _is_leftover(entry)):
                raise BanditError(
                    f"{folder} holds files that are no results of this program; give a new or empty folder"
                )
            else:
                write_whole(folder / SETTINGS_FILE, (json.dumps(settings.content(), indent=2) + "\n").encode())
        except OSError as error:
            raise BanditError(f"{folder} cannot be written: {error.strerror or error}") from None

    @property
    def finished(self) -> bool:
        """Whether the results are complete."""
        return (self.folder / REGRET_FILE).exists() and (self.folder / TIMING_FILE).exists()

    def has_rows(self, agent: str, simulation: int) -> bool:
        """Return whether the rows of this simulation are saved."""
        return self._rows_file(agent, simulation).exists()

    def save_rows(self, agent: str, simulation: int, regret: Floats, seconds: Floats) -> None:
        """Save the (K,) rows of one simulation.

        Raises
        ------
        BanditError
            If they cannot be written.
        """
        path = self._rows_file(agent, simulation)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, np.stack([regret, seconds]).tobytes())
        except OSError as error:
            raise BanditError(f"{path} cannot be written: {error.strerror or error}") from None

    def load_rows(self) -> tuple[Floats, Floats]:
        """Return the saved regret and seconds, each (agent, simulation, episode).

        Raises
        ------
        BanditError
            If some are missing or damaged.
        """
        settings = self._settings
        both = np.empty((2, len(settings.agents), settings.simulations, settings.episodes))
        for i, agent in enumerate(settings.agents):
            for simulation in range(settings.simulations):
                path = self._rows_file(agent, simulation)
                content = np.frombuffer(path.read_bytes())
                if content.size != 2 * settings.episodes:
                    raise BanditError(f"{path} is damaged; remove it and run the same command again")
                both[:, i, simulation] = content.reshape(2, settings.episodes)
        return both[0], both[1]

    def remove_rows(self) -> None:
        """Remove the rows of single simulations, once the results are complete."""
        shutil.rmtree(self.folder / ROWS_FOLDER, ignore_errors=True)

    def _rows_file(self, agent: str, simulation: int) -> Path:
        readable = re.sub(r"[^A-Za-z0-9-]", "_", agent)
        name = readable if readable == agent else f"{readable}-{sha256(agent.encode()).hexdigest()[:8]}"
        return self.folder / ROWS_FOLDER / name / f"{simulation:05d}.f8"

    def _check_same(self) -> None:
        path = self.folder / SETTINGS_FILE
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, UnicodeDecodeError):
            raise BanditError(f"{path} is not one of this program's; give a new or empty folder") from None
        wanted = self._settings.content()
        if not isinstance(found, dict) or found.keys() != wanted.keys():
            raise BanditError(f"{path} is not one of this program's; give a new or empty folder")
        for key, value in wanted.items():
            if found[key] != value:
                raise BanditError(
                    f"{self.folder} holds results of other settings ({key}: {_shown(found[key])}, "
                    f"now {_shown(value)}); give a new folder"
                )


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a process killed at any time leaves it whole or absent."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    temporary.write_bytes(content)
    temporary.replace(path)


def _is_leftover(entry: Path) -> bool:
    return entry.name.startswith(".") and entry.name.endswith(".part")


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    return str(value)
