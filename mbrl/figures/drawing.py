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


def draw(folders: Sequence[Path], target: Path | None = None, sheet: Sheet | None = None) -> list[Path]:
    """Draw the figures of a finished run, or of several runs in one figure.

    Parameters
    ----------
    folders
        Folders of the runs.
    target
        Folder of the figures; by default, for a single run, the folder ``figures`` within it.
    sheet
        The look of the figures, in place of the project's style.

    Returns
    -------
    paths
        Paths of all files: PDF, SVG and PNG of each figure.

    Raises
    ------
    BanditError
        If there is no finished run, or the figures cannot be written.
    """
    if len(folders) == 1:
        (folder,) = folders
        regret, timing = read_run(folder)
        figures: dict[str, Callable[[], Figure]] = {
            "regret": lambda: regret_with_bands(regret),
            "policy-time": lambda: policy_time(timing),
        }
        return _save_all(figures, target or folder / "figures", sheet or Sheet())
    if target is None:
        raise BanditError("several runs are drawn into a folder of their own: give it with --out")
    runs = {name: read_results(folder) for name, folder in zip(_names(folders), folders, strict=True)}
    return _save_all({"panels": lambda: panels(runs)}, target, sheet or Sheet())


def _save_all(figures: dict[str, Callable[[], Figure]], target: Path, sheet: Sheet) -> list[Path]:
    check_folder(target)
    paths = []
    with writing(target), project_style(sheet):
        target.mkdir(parents=True, exist_ok=True)
        for name, figure in figures.items():
            paths += save(figure(), target, name)
    return paths


def _names(folders: Sequence[Path]) -> list[str]:
    """Return a name for each run: its folder's, with as many parents as make the names different."""
    whole = [folder.resolve().parts for folder in folders]
    if len(set(whole)) < len(whole):
        raise BanditError("a run comes twice")
    names = (["/".join(parts[-depth:]) for parts in whole] for depth in count(1))
    return next(found for found in names if len(set(found)) == len(found))
