"""The functions for notebooks: a bandit from arrays or a file, a run as an xarray Dataset, a figure, a summary.

`mbrl` itself offers them all: ``mbrl.bandit``, ``mbrl.run``, ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias
from warnings import warn

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from mbrl.agents import Agent
from mbrl.arrays import stacked
from mbrl.commands.showing import shown_progress
from mbrl.environments import Environment, model_file, with_rewards
from mbrl.environments.rewards import paid
from mbrl.experiments.dataset import Saved, read_run
from mbrl.experiments.runner import run as run_into
from mbrl.experiments.scenarios import Scenario, find_scenario, scenario_of
from mbrl.experiments.settings import make_settings
from mbrl.experiments.store import REGRET_FILE
from mbrl.experiments.summary import summarise
from mbrl.importing import name_of
from theory import Bandit, BanditError, ModelError
from theory.errors import refuse_other_order, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Learner: TypeAlias = str | Callable[..., Agent]


def bandit(
    transitions: Sequence[ArrayLike],
    rewards: Sequence[ArrayLike],
    discount: float,
    start: Sequence[int] | None = None,
    *,
    reward_laws: str = "constant",
    name: str = "bandit",
) -> Environment:
    """Return a bandit with these arms, which may differ in size.

    Parameters
    ----------
    transitions : n of (S_a, S_a)
        Rows that sum to 1.
    rewards : n of (S_a,)
        Mean rewards, in any unit.
    discount
        ``0 <= discount < 1``.
    start : (n,)
        Initial state of each arm, from 0; by default the first one.
    reward_laws
        Law of rewards with those means: ``constant`` (the means themselves), ``bernoulli`` (0 or 1) or
        ``gaussian:DEVIATION``, as for `rewards` of `run`.
    name
        Name in titles and errors.

    Raises
    ------
    ModelError
        For anything that is no bandit; the error names arm, state and value.

    Examples
    --------
    >>> two = bandit([[[0.5, 0.5], [0.0, 1.0]], [[1.0]]], [[0.5, 1.0], [0.6]], 0.9)
    >>> print(two)
    bandit: 2 arms of 1 to 2 states, discount 0.9, play starts in (state 1, state 1)
    >>> two.rewards
    array([[0.5, 1. ],
           [0.6, 0. ]])
    >>> owed = bandit([[[0.5, 0.5], [0.0, 1.0]], [[1.0]]], [[-1.0, 3.0], [1.0]], 0.9, start=[1, 0])
    >>> owed.offset, owed.unit, owed.rewards.tolist(), owed.starts.tolist()
    (-1.0, 4.0, [[-1.0, 3.0], [1.0, 0.0]], [[1, 0]])
    """
    for what, given in (("transitions", transitions), ("rewards", rewards)):
        if not isinstance(given, Sized):
            raise ModelError(f"{name}: {what}: a list with one array per arm is wanted, not {shown(given)}")
    if not len(rewards):
        raise ModelError(f"{name}: there are no arms")
    sizes = np.array([len(part) if isinstance(part, Sized) else 1 for part in rewards])
    means, rows = stacked(rewards, sizes, 1, "rewards"), stacked(transitions, sizes, 2, "transitions")
    for rows_of, rewards_of in zip(transitions, rewards, strict=True):
        refuse_other_order(transitions=rows_of, rewards=rewards_of)
    for a, x in np.argwhere(~np.isfinite(means)):
        raise ModelError(f"{name}: arm {a + 1}, state {x + 1}: reward {means[a, x]:.12g} is not a finite number")
    starts: Any = [np.zeros(sizes.size) if start is None else start]
    made = Environment(name, rows, sizes=sizes, discount=discount, starts=starts, **paid(means, sizes))
    return with_rewards(made, reward_laws)


def load(path: str | Path) -> Environment:
    """Return the bandit of a model file, which must have an initial state.

    Raises
    ------
    ModelError, NumberError
        The error is one line that names the arm, the state and the value. For the folder of a run it says how to
        read that: ``xarray.open_dataset("runs/regret.nc")``, whose ``to_dataframe()`` is a table for pandas.
    """
    results = Path(path) / REGRET_FILE
    if results.is_file():
        raise ModelError(f"{path}: is the folder of a run, and no model: read it by xarray.open_dataset('{results}')")
    return model_file(path)


def run(
    played: Environment | Bandit | Scenario | str | Path,
    agents: Learner | Sequence[Learner] = ("mb-psrl", "mb-ucbvi"),
    *,
    simulations: int = 20,
    episodes: int = 500,
    seed: int | None = None,
    rewards: str | None = None,
    jobs: int = 1,
    out: str | Path | None = None,
    progress: bool = False,
) -> xr.Dataset:
    """Let learners play, and return the expected regret of every episode, which is computed and not sampled.

    Parameters
    ----------
    played
        A bandit (also one of `theory`), a scenario, or the name of a scenario (``random-walk``, a model file, ...).
    agents
        One or several learners: names as in ``python -m mbrl list``, with options such as ``mb-psrl/dirichlet=0.5``; or
        classes or functions, each found under its name in a module or notebook, that make a learner from a `Problem`.
    simulations, episodes, seed
    rewards
        Law of rewards that replaces the bandit's: ``bernoulli``, ``constant`` or ``gaussian:DEVIATION``.
    jobs
        Number of processes; classes defined in the notebook itself need 1.
    out
        Folder in which to save or extend the run; by default it is not saved.
    progress
        Whether to show the progress bar of the command ``run`` in a notebook or a terminal.

    Returns
    -------
    xarray.Dataset
        ``regret(agent, simulation, episode)``, in the bandit's unit, and ``policy_seconds``, likewise.

    Raises
    ------
    BanditError
        As for the command ``run``; or if a class or function is not found under its name.

    Examples
    --------
    >>> played = run(bandit([[[1.0]], [[1.0]]], [[0.0], [1.0]], 0.5), "random")
    >>> dict(played.sizes), sorted(set(played["regret"].values.ravel().tolist()))
    ({'agent': 1, 'simulation': 20, 'episode': 500}, [0.0, 2.0])
    """
    if isinstance(played, (str, Path)):
        scenario = find_scenario(str(played))
    else:
        scenario = scenario_of(played, played.name if isinstance(played, (Environment, Scenario)) else "bandit")
    several = (agents,) if isinstance(agents, str) or callable(agents) else agents
    if not isinstance(several, Sequence) or not several:
        raise BanditError(f"agents: a learner's name, its class, or a list of these is wanted, not {shown(several)}")
    names = tuple(each if isinstance(each, str) else name_of(each) for each in several)
    with TemporaryDirectory() as folder:
        kept = Path(folder) if out is None else Path(out)
        asked: dict[str, Any] = {"simulations": simulations, "episodes": episodes}
        chosen, settings = make_settings(scenario, agents=names, seed=seed, rewards=rewards, **asked)
        with shown_progress(chosen.name, progress) as watch:
            done = run_into(chosen, settings, kept, jobs=jobs, watch=watch)
        regret, timing = read_run(kept)
        for told in (*done.unrepeatable, *regret.beyond(**asked)):
            warn(told, stacklevel=2)
        return regret.dataset("regret").assign(timing.dataset("policy_seconds"))


def _check_run(data: xr.Dataset) -> None:
    if not isinstance(data, xr.Dataset) or "regret" not in data or data["regret"].ndim != 3 or "seed" not in data.attrs:
        raise BanditError(
            "this is no dataset of a run: regret is to have agent, simulation and episode; select with lists, such as "
            "data.sel(agent=['mb-psrl'])"
        )
    for what, size in data["regret"].sizes.items():
        if size == 0:
            raise BanditError(f"this dataset of a run has no {what}: select at least one")


def plot(
    data: xr.Dataset,
    *,
    agents: str | Sequence[str] = (),
    width: float | None = None,
    font: str | None = None,
    titles: bool = True,
    style: str | Path | None = None,
) -> Figure:
    """Return the figure of cumulative regrets of a run: means, medians, and quantiles over simulations.

    Parameters
    ----------
    data
        Dataset that `run` returns.
    agents
        Learners to draw, in this order; by default all.
    width, font, titles, style
        Width in inches; family of the font; whether to draw title and note; name or file of a matplotlib style.

    Raises
    ------
    BanditError
        If `data` is not, or no longer, the dataset of a run, or a style or font is not found.
    """
    _check_run(data)
    from mbrl.figures.curves import regret_with_bands  # noqa: PLC0415
    from mbrl.figures.style import Sheet, project_style  # noqa: PLC0415

    with project_style(Sheet(width, font, titles, style)):
        saved = Saved.of(data, "regret")
        return regret_with_bands(saved.select([agents] if isinstance(agents, str) else agents or saved.agents))


def summary(data: xr.Dataset, *, versus: str | None = None) -> dict[str, str]:
    """Return the mean and the median of the final regrets of each learner, with 95% intervals where there are any.

    With `versus`, also the ratios to this learner's mean and median, simulation by simulation.

    Raises
    ------
    BanditError
        As for `plot`.
    """
    _check_run(data)
    lines, saved = {}, Saved.of(data, "regret")
    for line in summarise(saved, saved, versus):  # its times are ignored
        lines[line.agent] = f"mean {line.mean.written('.4g')}, median {line.median.written('.4g')}"
        if versus not in (None, line.agent):
            ratios = line.ratio.written(".2f"), line.median_ratio.written(".2f")
            lines[line.agent] += "; / {}: mean {}, median {}".format(versus, *ratios)
    return lines
