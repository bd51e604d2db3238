"""Run an implementation through all cases and report."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofs_checks.conformance.cases import VERSION, Case, cases
from proofs_checks.conformance.judging import Judgement, Tolerance
from proofs_checks.conformance.kinds import KINDS, kind_called
from theory import Bandit, ModelError, model_text


@dataclass(frozen=True)
class Report:
    """What came out.

    Attributes
    ----------
    kind, implementation, version : str
        The version is that of the fixed cases.
    judgements : by name of the fixed case
    generated : int
        How many generated models were tried.
    smallest_failure : Bandit or None
        The smallest model found on which the implementation fails.
    smallest_judgement : Judgement or None
        What is wrong on it.
    """

    kind: str
    implementation: str
    version: str
    judgements: dict[str, Judgement]
    generated: int
    smallest_failure: Bandit | None
    smallest_judgement: Judgement | None

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong anywhere."""
        return self.smallest_failure is None and all(judgement.passed for judgement in self.judgements.values())

    @property
    def defects(self) -> Counter[str]:
        """How many fixed cases have which defect."""
        return Counter(kind for judged in self.judgements.values() for kind in {d.kind for d in judged.defects})

    @property
    def worst_absolute_error(self) -> float:
        """The largest absolute error on the fixed cases."""
        return max(judged.absolute_error for judged in self.judgements.values())

    @property
    def worst_relative_error(self) -> float:
        """The largest relative error on the fixed cases."""
        return max(judged.relative_error for judged in self.judgements.values())

    @property
    def information(self) -> dict[str, float]:
        """What is worth knowing and decides nothing, summed over the fixed cases."""
        total: dict[str, float] = {}
        for judged in self.judgements.values():
            for name, number in judged.information.items():
                total[name] = total.get(name, 0.0) + number
        return total

    @property
    def ties_split(self) -> int:
        """Pairs of exactly equal answers that came out different, by however little."""
        return sum(judged.ties_split for judged in self.judgements.values())


def conform(
    implementation: Callable[..., Any],
    kind: str,
    *,
    tolerance: Tolerance | None = None,
    examples: int = 200,
    name: str = "",
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Run `implementation` on the fixed cases and on generated models, and shrink what fails.

    Parameters
    ----------
    implementation
        A callable as `proofs_checks.conformance` describes for this kind.
    kind
        ``gittins``, ``value``, ``evi`` or ``agent``.
    tolerance
        What is forgiven; see `Tolerance`.
    examples
        How many models to generate; 0 for the fixed cases only.
    name
        What to call it in the report.
    progress
        Called with the name of each fixed case as it is done.

    Raises
    ------
    ModelError
        For an unknown kind.

    Examples
    --------
    >>> report = conform(lambda transitions, rewards, discount: rewards, "gittins", examples=0)
    >>> report.passed, report.defects["wrong number"] > 0
    (False, True)
    """
    allowed = tolerance or Tolerance()
    judge = KINDS[kind_called(kind)].judge
    judgements = {}
    for case in cases(kind):
        judgements[case.name] = case.judge(implementation, allowed)
        progress(case.name)
    smallest = _smallest(kind, lambda bandit: not judge(implementation, bandit, allowed).passed, examples, judgements)
    return Report(
        kind,
        name or getattr(implementation, "__name__", "implementation"),
        VERSION,
        judgements,
        examples,
        smallest,
        None if smallest is None else judge(implementation, smallest, allowed),
    )


def _smallest(
    kind: str, fails: Callable[[Bandit], bool], examples: int, judgements: dict[str, Judgement]
) -> Bandit | None:
    if examples:
        from proofs_checks.conformance.generating import smallest_failure  # noqa: PLC0415  (needs Hypothesis)

        found = smallest_failure(kind, fails, examples)
        if found is not None:
            return found
    failing = [case for case in cases(kind) if not judgements[case.name].passed]
    return min(failing, key=_size).bandit if failing else None


def _size(case: Case) -> tuple[int, int]:
    return sum(case.bandit.sizes), len(case.bandit.arms)


def load_callable(reference: str) -> Callable[..., Any]:
    """Return the callable that ``MODULE:FUNCTION`` names; modules of the current folder are found.

    Raises
    ------
    ModelError
        If there is none, in one line.
    """
    module_name, colon, attribute = reference.partition(":")
    if not (module_name and colon and attribute):
        raise ModelError(f"{reference}: write MODULE:FUNCTION, such as mypackage.indices:gittins")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module_name)
    except ImportError as error:
        raise ModelError(f"{module_name}: cannot be imported ({error})") from None
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise ModelError(f"{module_name}: has no {attribute}")
        found = getattr(found, part)
    if not callable(found):
        raise ModelError(f"{reference}: is not callable")
    return found  # type: ignore[no-any-return]


def write_smallest_failure(report: Report, path: Path) -> None:
    """Write the smallest failing model as a model file.

    Raises
    ------
    ModelError
        If the file cannot be written, or is there already.
    """
    if report.smallest_failure is None:
        return
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(model_text(report.smallest_failure))
    except FileExistsError:
        raise ModelError(f"{path}: is there already; give another file with --failure") from None
    except OSError as error:
        raise ModelError(f"{path}: cannot be written ({error.strerror})") from None
