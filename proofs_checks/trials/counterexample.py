"""Counterexamples that trials find, their printing and their model files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from theory import Bandit, model_content, model_text
from theory.terminal.console import console


@dataclass(frozen=True)
class Counterexample:
    """An instance that certainly violates what is tried.

    Attributes
    ----------
    text : str
        What is wrong, in one line.
    numbers : by name
        From which that can be computed again.
    bandit : Bandit or None
        The model, where one belongs to it.
    """

    text: str
    numbers: Mapping[str, str] = field(default_factory=dict)
    bandit: Bandit | None = None

    def content(self, written: Path | None) -> dict[str, Any]:
        """Return its JSON object, with where its model was written."""
        return {
            "text": self.text,
            "numbers": dict(self.numbers),
            "model": None if self.bandit is None else model_content(self.bandit),
            "written_to": None if written is None else str(written),
        }

    def write(self, path: Path) -> Path | None:
        """Write its model file, with the folders above it, and return where; None where it has no model."""
        if self.bandit is None:
            return None
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(model_text(self.bandit), encoding="utf-8")
        return path

    def show(self, title: str, written: str) -> None:
        """Print the counterexample below a title, with the line `written` on its model file, or else the model."""
        out = console()
        out.print(f"\n{title}", style="bold")
        out.print(self.text)
        if self.numbers:
            out.print("; ".join(f"{name} = {value}" for name, value in self.numbers.items()))
        if written:
            out.print(written, soft_wrap=True)
        elif self.bandit is not None:
            out.print(model_text(self.bandit), end="", soft_wrap=True)
