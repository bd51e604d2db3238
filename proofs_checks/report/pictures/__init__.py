"""Pictures of certified regions and bounds: ``python -m proofs_checks picture NAME OUT.png``."""

from __future__ import annotations

from collections.abc import Callable
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
"""By name, the module of this package that draws it."""


class PictureError(BanditError):
    """A picture that cannot be drawn."""


def draw_picture(name: str, path: Path) -> None:
    """Draw the picture called `name` into a file, whose ending says the format.

    Raises
    ------
    PictureError
        For an unknown name.
    ModelError
        For a format that is not known, or a file that could not be written; before anything is drawn.
    OutputError
        If it then cannot be written.
    """
    if name not in PICTURES:
        raise PictureError(f"no picture is called {name!r}; the pictures are {', '.join(PICTURES)}")
    check_picture(path)
    draw: Callable[[Path], None] = import_module(f"proofs_checks.report.pictures.{PICTURES[name]}").draw
    with writing(path):
        draw(path)
