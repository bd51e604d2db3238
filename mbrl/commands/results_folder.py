"""The folder of a finished run, as an argument."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from theory.errors import ModelError


class ResultsFolder(click.Path):
    """The folder of a finished run; `Path("")` would be the current one."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; refuse an empty name."""
        if not str(value):
            raise ModelError("the name of the folder is empty; give the folder that a run was saved in (run --out)")
        return super().convert(value, param, ctx)
