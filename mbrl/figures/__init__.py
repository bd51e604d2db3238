"""Figures, drawn from saved rows and nothing else."""

from mbrl.figures.drawing import draw

__all__ = ["draw"]
