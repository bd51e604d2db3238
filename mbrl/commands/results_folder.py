"""The folder of a finished run, as an argument."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from theory.errors import ModelError


class ResultsFolder(click.Path):
    """A path that is not empty: `Path("")` would be the current folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path.

        Raises
        ------
        ModelError
            For an empty name.
        """
        if not str(value):
            raise ModelError("the name of the folder is empty; give the folder that a run was saved in")
        return super().convert(value, param, ctx)
