"""Counterexamples: instances that trials find, with their printing and their model files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from theory import Bandit, model_content, model_text
from theory.terminal.console import console
from theory.terminal.outputs import writing


@dataclass(frozen=True)
class Counterexample:
    """An instance that certainly violates the property or comparison tried: the violation, in one line of text.

    It can be computed again from the `numbers` and from the model, if the instance has one.
    """

    text: str
    numbers: Mapping[str, object] = field(default_factory=dict)
    bandit: Bandit | None = None

    def content(self, written: Path | None = None) -> dict[str, Any]:
        """Return the JSON object of the counterexample, with the path of its model file."""
        return {
            "text": self.text,
            "numbers": {name: str(value) for name, value in self.numbers.items()},
            "model": None if self.bandit is None else model_content(self.bandit),
            "written_to": None if written is None else str(written),
        }

    def write(self, path: Path) -> Path | None:
        """Write the model file, with the folders above it, and return its path; return None if there is no model.

        Raises
        ------
        OutputError
            If it cannot be written.
        """
        if self.bandit is None:
            return None
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(model_text(self.bandit), encoding="utf-8")
        return path

    def show(self, title: str, written: str) -> None:
        """Print the counterexample below a title, with the line `written` or, if that is empty, with its model."""
        out = console()
        out.print(f"\n{title}", style="bold")
        out.print(self.text)
        if self.numbers:
            out.print("; ".join(f"{name} = {value}" for name, value in self.numbers.items()))
        if written:
            out.print(written, soft_wrap=True)
        elif self.bandit is not None:
            out.print(model_text(self.bandit), end="", soft_wrap=True)
