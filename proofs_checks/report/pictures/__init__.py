"""Pictures of certified regions and bounds: ``python -m proofs_checks picture NAME OUT.png``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from theory import BanditError
from theory.terminal.outputs import check_picture, writing

PICTURES = {
    "moment": "moment_region",
    "counterexample": "counterexample_region",
    "bounds": "bounds",
    "learners": "learners",
}
"""Pictures by name, each with the module of this package that draws it into a figure of `INCHES`."""


class PictureError(BanditError):
    """No picture has this name."""


def draw_picture(name: str, path: Path) -> None:
    """Draw the picture called `name` into a file, in the format of its ending; refuse either before drawing."""
    if name not in PICTURES:
        raise PictureError(f"no picture is called {name!r}; the pictures are {', '.join(PICTURES)}")
    check_picture(path)
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  (only where a picture is drawn)
    from matplotlib.figure import Figure  # noqa: PLC0415

    module = import_module(f"proofs_checks.report.pictures.{PICTURES[name]}")
    figure = Figure(figsize=module.INCHES, layout="constrained")
    FigureCanvasAgg(figure)
    module.draw(figure)
    with writing(path):
        figure.savefig(path, dpi=150)
