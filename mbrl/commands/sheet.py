"""Options of commands for the look of figures: width, font, titles, style."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from types import MappingProxyType
from typing import Any, Final

import click

INCHES: Final = MappingProxyType({"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72.27})
"""Inches per unit; a point is TeX's, in which LaTeX prints the width of its columns."""

_LEAST: Final = 2.0
_LARGEST: Final = 40.0
_WIDTH: Final = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*([a-z]*)")


class Width(click.ParamType):  # type: ignore[type-arg]  # it is generic in newer versions only
    """A length with its unit.

    Examples
    --------
    >>> [round(Width().convert(text, None, None), 3) for text in ("8cm", "3.5in", "241.0 pt")]
    [3.15, 3.5, 3.335]
    """

    name = "width"

    def convert(self, value: str | float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the width in inches."""
        written = _WIDTH.fullmatch(str(value).strip().lower())
        if written is None or written[2] not in INCHES:
            self.fail(f"{value!r} is no width: write a number and one of {', '.join(INCHES)}, as in 8cm", param, ctx)
        inches = float(written[1]) * INCHES[written[2]]
        if not _LEAST <= inches <= _LARGEST:
            within = f"{_LEAST:g} to {_LARGEST:g} inches, or {_LEAST * 2.54:g} to {_LARGEST * 2.54:g} cm"
            self.fail(f"{value} is too {'narrow' if inches < _LEAST else 'wide'}: give {within}", param, ctx)
        return inches


def sheet_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a figure's sheet, which it receives as `sheet`, the arguments of a `Sheet`.

    The code that draws makes the `Sheet` itself, since that needs matplotlib.
    """

    @click.option("--width", type=Width(), metavar="WIDTH", help="Width of the figures: 8cm, 80mm, 3.25in or 241pt.")
    @click.option("--font", metavar="FAMILY", help='Font of all texts, such as serif or "DejaVu Sans".')
    @click.option("--no-title", is_flag=True, help="Leave out titles and notes, which a caption can say.")
    @click.option(
        "--style",
        metavar="STYLE",
        help="Name or file of a matplotlib style, which overrides ours; axes.prop_cycle colours learners of yours.",
    )
    @wraps(command)
    def with_sheet(width: float | None, font: str | None, no_title: bool, style: str | None, **others: Any) -> None:
        command(sheet={"width": width, "font": font, "titles": not no_title, "style": style}, **others)

    return with_sheet
