"""Summaries of finished runs: each simulation's cumulative regret at checkpoints, and times at both ends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from theory import BanditError
from theory.terminal.outputs import check_file, writing

CHECKPOINTS = 4
"""Number of equal parts of a run after each of which the cumulative regret is kept."""

_DIGITS = {"regret": 3, "milliseconds": 6}

RECORD = Path(__file__).with_name("runs.json")
"""The package's own record."""

VARIANCES = Path(__file__).with_name("variances.json")
"""The record of runs of MB-UCBVI-Bernstein, 100 simulations of two scenarios."""


class RecordError(BanditError):
    """A run cannot be recorded, or was not recorded."""


@dataclass(frozen=True)
class AgentRecord:
    """One learner in one run.

    Attributes
    ----------
    regret : (simulations, CHECKPOINTS)
        Cumulative expected regret after each part of the run.
    first_milliseconds, last_milliseconds : (simulations,)
        Median time of an episode among the first and the last sixth of the episodes.
    """

    regret: tuple[tuple[float, ...], ...]
    first_milliseconds: tuple[float, ...]
    last_milliseconds: tuple[float, ...]


@dataclass(frozen=True)
class Run:
    """A recorded run of one scenario.

    Attributes
    ----------
    scenario
    settings
        Simulations, episodes, seed, method and versions, as the run recorded them.
    models : (simulations,) int
        Number of each simulation's random model; simulations with equal numbers share a model.
    agents : by name
    """

    scenario: str
    settings: dict[str, Any]
    models: tuple[int, ...]
    agents: dict[str, AgentRecord]

    @property
    def command(self) -> str:
        """The command that made the run."""
        learners = ",".join(self.agents)
        options = (
            f"--agents {learners} --simulations {self.settings['simulations']} --episodes {self.settings['episodes']}"
        )
        return f"python -m mbrl run {self.scenario} --out DIR {options} --seed {self.settings['seed']}"


@cache
def recorded_run(scenario: str, path: Path = RECORD) -> Run:
    """Return the recorded run of `scenario`.

    Raises
    ------
    RecordError
        If no run of it is recorded.
    """
    content = json.loads(path.read_text(encoding="utf-8"))
    if scenario not in content:
        raise RecordError(f"no run of {scenario} is recorded; the recorded runs are {', '.join(content)}")
    entry = content[scenario]
    agents = {
        name: AgentRecord(
            tuple(tuple(row) for row in kept["regret"]),
            tuple(kept["first_milliseconds"]),
            tuple(kept["last_milliseconds"]),
        )
        for name, kept in entry["agents"].items()
    }
    return Run(scenario, entry["settings"], tuple(entry["models"]), agents)


def record_runs(folders: Sequence[Path], target: Path) -> list[str]:
    """Summarise the runs in `folders` into `target`, and return the names of the scenarios.

    Raises
    ------
    RecordError
        If a folder holds no finished run.
    ModelError, OutputError
        If the target cannot be written; if possible, the error comes before anything is read.
    """
    check_file(target)
    content: dict[str, Any] = {}
    for folder in folders:
        name, entry = _summary(folder)
        content[name] = entry
    with writing(target):
        target.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")
    return list(content)


def loaded(folder: Path, *names: str) -> list[Any]:
    """Return the named data sets of a finished run, or raise a RecordError."""
    import xarray as xr  # noqa: PLC0415  (recording needs the libraries that read runs; the ledger does not)

    try:
        return [xr.load_dataset(folder / name) for name in names]
    except (OSError, ValueError):
        raise RecordError(f"{folder}: holds no finished run; make one with python -m mbrl run") from None


def _summary(folder: Path) -> tuple[str, dict[str, Any]]:
    import numpy as np  # noqa: PLC0415

    regret, timing = loaded(folder, "regret.nc", "timing.nc")
    episodes = regret.sizes["episode"]
    ends = [episodes * part // CHECKPOINTS - 1 for part in range(1, CHECKPOINTS + 1)]
    sixth = max(1, episodes // 6)
    cumulative = regret["regret"].cumsum("episode").isel(episode=ends)
    agents, digits = {}, _DIGITS["milliseconds"]
    for name in regret["agent"].values:
        seconds = timing["policy_seconds"].sel(agent=name).values
        agents[str(name)] = {
            "regret": np.round(cumulative.sel(agent=name).values, _DIGITS["regret"]).tolist(),
            "first_milliseconds": np.round(1000 * np.median(seconds[:, :sixth], axis=1), digits).tolist(),
            "last_milliseconds": np.round(1000 * np.median(seconds[:, -sixth:], axis=1), digits).tolist(),
        }
    attributes = regret.attrs
    simulations = int(attributes["simulations"])
    per_model = int(attributes["simulations_per_model"])
    settings = {
        "simulations": simulations,
        "episodes": int(attributes["episodes"]),
        "seed": int(attributes["seed"]),
        "regret": str(attributes["regret_method"]),
        "versions": json.loads(attributes["versions"]),
    }
    models = regret["model"].values.tolist() if per_model else list(range(simulations))
    return str(attributes["scenario"]), {"settings": settings, "models": models, "agents": agents}
