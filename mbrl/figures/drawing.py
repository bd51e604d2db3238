"""The figures of one run, and those of several runs together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from matplotlib.figure import Figure

from mbrl.experiments.dataset import read_results, read_run
from mbrl.figures.curves import panels, policy_time, regret_with_bands
from mbrl.figures.style import Sheet, project_style, save
from theory import BanditError
from theory.terminal.outputs import check_folder, writing


def draw(
    folders: Sequence[Path], target: Path | None = None, sheet: Sheet | None = None, agents: Sequence[str] = ()
) -> list[Path]:
    """Draw the figures of a finished run, or of several runs in one figure.

    Parameters
    ----------
    folders
        Folders of the runs.
    target
        Folder of the figures; by default, for a single run, the folder ``figures`` within it.
    sheet
        The look of the figures, in place of the project's style.
    agents
        Learners to draw; by default all.

    Returns
    -------
    paths
        Paths of all files: PDF, SVG and PNG of each figure.

    Raises
    ------
    BanditError
        If there is no finished run, or the figures cannot be written.
    """
    figures: dict[str, Callable[[], Figure]]
    if len(folders) == 1:
        regret, timing = (saved.select(agents or saved.agents) for saved in read_run(folders[0]))
        target = target or folders[0] / "figures"
        figures = {"regret": lambda: regret_with_bands(regret), "policy-time": lambda: policy_time(timing)}
    elif target is None:
        raise BanditError("several runs are drawn into a folder of their own: give it with --out")
    else:
        every = zip(_names(folders), map(read_results, folders), strict=True)
        runs = {name: saved.select(agents or saved.agents) for name, saved in every}
        figures = {"panels": lambda: panels(runs)}
    check_folder(target)
    with writing(target), project_style(sheet or Sheet()):
        target.mkdir(parents=True, exist_ok=True)
        return [path for name, figure in figures.items() for path in save(figure(), target, name)]


def _names(folders: Sequence[Path]) -> list[str]:
    """Return a name for each run: its folder's, with as many parents as make the names different."""
    whole = [folder.resolve().parts for folder in folders]
    if len(set(whole)) < len(whole):
        raise BanditError("a run comes twice")
    names = (["/".join(parts[-depth:]) for parts in whole] for depth in count(1))
    return next(found for found in names if len(set(found)) == len(found))
