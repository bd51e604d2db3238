"""The width of a figure, as an option."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

import click

INCHES: Final = MappingProxyType({"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72.27})
"""By unit; a point is that of TeX, in which LaTeX prints the width of its columns."""

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
