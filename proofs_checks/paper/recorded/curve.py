"""A finished run as a curve for the page's figure: cumulative exact expected regret, averaged over simulations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from proofs_checks.paper.recorded.runs import loaded
from theory.terminal.outputs import check_file, writing

CURVE = Path(__file__).with_name("curve.json")
"""The package's own record."""

_POINTS = 40
_DIGITS = 5


def recorded_curve(path: Path = CURVE) -> dict[str, Any]:
    """Return the recorded curve: ``settings``, ``episodes``, and by learner ``mean``, ``least`` and ``most``.

    Examples
    --------
    >>> curve = recorded_curve()
    >>> curve["settings"]["scenario"], curve["episodes"][-1], sorted(curve["agents"])
    ('random-walk', 3000, ['mb-psrl', 'mb-ucbvi', 'mb-ucrl2'])
    """
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def record_curve(folder: Path, target: Path = CURVE) -> None:
    """Summarise the run in `folder` into `target`.

    Raises
    ------
    RecordError
        If the folder holds no finished run.
    ModelError, OutputError
        If the target cannot be written; if possible, the error comes before anything is read.
    """
    check_file(target)
    import numpy as np  # noqa: PLC0415  (recording needs the libraries that read runs; the page does not)

    (run,) = loaded(folder, "regret.nc")
    count = run.sizes["episode"]
    episodes = np.unique(np.round(np.geomspace(1, count, _POINTS)).astype(int))
    cumulative = run["regret"].cumsum("episode").isel(episode=episodes - 1)
    content = {
        "settings": {name: run.attrs[name] for name in ("scenario", "title", "regret_method")}
        | {"simulations": int(run.attrs["simulations"]), "seed": int(run.attrs["seed"])}
        | {"discount": float(run.attrs["discount"])},
        "episodes": episodes.tolist(),
        "agents": {
            str(name): {
                "mean": np.round(values.mean("simulation").values, _DIGITS).tolist(),
                "least": np.round(values.min("simulation").values, _DIGITS).tolist(),
                "most": np.round(values.max("simulation").values, _DIGITS).tolist(),
            }
            for name, values in ((name, cumulative.sel(agent=name)) for name in run["agent"].values)
        },
    }
    with writing(target):
        target.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")
