"""Figures, drawn from saved rows and nothing else."""

from mbrl.figures.drawing import draw
from mbrl.figures.style import Sheet

__all__ = ["Sheet", "draw"]
