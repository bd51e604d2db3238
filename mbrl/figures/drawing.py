"""Which figures a run has."""

from __future__ import annotations

from pathlib import Path

from mbrl.experiments.dataset import read_results
from mbrl.figures.curves import average_regret, policy_time, regret_with_error_bars
from mbrl.figures.priors import algorithms_with_both_priors, priors
from mbrl.figures.style import project_style, save
from theory import BanditError


def draw(folder: Path) -> list[Path]:
    """Draw the figures of the finished run in `folder` into ``folder/figures``.

    Returns
    -------
    paths
        Of all files written: PDF, SVG and PNG of each figure.

    Raises
    ------
    BanditError
        If there is no finished run, or the figures cannot be written.
    """
    regret, timing = read_results(folder), read_results(folder, timing=True)
    target = folder / "figures"
    try:
        target.mkdir(exist_ok=True)
        with project_style():
            paths = save(average_regret(regret), target, "regret")
            if regret.sizes["simulation"] > 1:
                paths += save(regret_with_error_bars(regret), target, "regret-error-bars")
            paths += save(policy_time(timing), target, "policy-time")
            if algorithms_with_both_priors(regret):
                paths += save(priors(regret), target, "priors")
    except OSError as error:
        raise BanditError(f"{target} cannot be written: {error.strerror or error}") from None
    return paths
