"""The folder of a finished run, as an argument."""

from __future__ import annotations

from pathlib import Path

import click

from theory.errors import ModelError


class ResultsFolder(click.ParamType):  # type: ignore[type-arg]  # it is generic in newer versions only
    """The folder of a finished run; `Path("")` would be the current one."""

    name = "folder"

    def convert(self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path; refuse an empty name."""
        del param, ctx
        if not str(value):
            raise ModelError("the name of the folder is empty; give the folder that a run was saved in (run --out)")
        return Path(value)
