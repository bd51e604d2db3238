"""Run an implementation through all cases and report; what was found before an interruption is reported, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from mbrl.importing import import_attribute
from proofs_checks.conformance.calling import its_output_apart
from proofs_checks.conformance.cases import VERSION, cases
from proofs_checks.conformance.judging import Defect, Judgement, Tolerance
from proofs_checks.conformance.kinds import KINDS, kind_called
from theory import Bandit, ModelError, model_text
from theory.errors import OutputError


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
    interrupted : bool
        Whether Ctrl-C came before the end; then cases may be missing.
    printed : str
        The first line that the implementation printed.
    """

    kind: str
    implementation: str
    version: str
    judgements: dict[str, Judgement]
    generated: int
    smallest_failure: Bandit | None
    smallest_judgement: Judgement | None
    interrupted: bool = False
    printed: str = ""

    @property
    def passed(self) -> bool:
        """Whether all was tried, and nothing was wrong anywhere."""
        right = self.smallest_failure is None and all(judgement.passed for judgement in self.judgements.values())
        return right and not self.interrupted

    @property
    def defects(self) -> Counter[str]:
        """How many fixed cases have which defect."""
        return Counter(kind for judged in self.judgements.values() for kind in {d.kind for d in judged.defects})

    @property
    def worst_absolute_error(self) -> float:
        """The largest absolute error on the fixed cases; infinite where an answer was none."""
        return max((judged.absolute_error for judged in self.judgements.values()), default=0.0)

    @property
    def worst_relative_error(self) -> float:
        """The largest relative error on the fixed cases; infinite where an answer was none."""
        return max((judged.relative_error for judged in self.judgements.values()), default=0.0)

    @property
    def unanswered(self) -> int:
        """How many fixed cases had no answer that could be compared."""
        return sum(not isfinite(judged.absolute_error) for judged in self.judgements.values())

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

    Ctrl-C ends it early: the report then has what was found so far.

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
    judgements: dict[str, Judgement] = {}
    worst = _Smallest()

    def fails(bandit: Bandit) -> bool:
        worst.tried += 1
        judged = judge(implementation, bandit, allowed)
        if not judged.passed:
            worst.take(bandit, judged)
        return not judged.passed

    interrupted = False
    with its_output_apart() as heard:
        try:
            for case in cases(kind):
                judgements[case.name] = case.judge(implementation, allowed)
                progress(case.name)
            if examples:
                from proofs_checks.conformance.generating import search  # noqa: PLC0415  (Hypothesis, when needed)

                if not search(kind, fails, examples):
                    worst.note("not reproducible", "it passed and failed on the same model")
        except KeyboardInterrupt:
            interrupted = True
    if worst.bandit is None:
        for case in cases(kind):
            if case.name in judgements and not judgements[case.name].passed:
                worst.take(case.bandit, judgements[case.name])
    return Report(
        kind,
        name or getattr(implementation, "__name__", "implementation"),
        VERSION,
        judgements,
        min(worst.tried, examples),
        worst.bandit,
        worst.judgement,
        interrupted,
        heard.first_line,
    )


@dataclass
class _Smallest:
    """The smallest model on which the implementation failed, and how many models were tried."""

    bandit: Bandit | None = None
    judgement: Judgement | None = None
    tried: int = 0

    def take(self, bandit: Bandit, judgement: Judgement) -> None:
        """Keep the model if none so far is smaller; of equal ones the last, as a search for smaller ones goes on."""
        if self.bandit is None or _size(bandit) <= _size(self.bandit):
            self.bandit, self.judgement = bandit, judgement

    def note(self, kind: str, detail: str) -> None:
        """Add a defect to those of the model."""
        if self.judgement is not None:
            self.judgement = replace(self.judgement, defects=(*self.judgement.defects, Defect(kind, detail)))


def _size(bandit: Bandit) -> tuple[int, int]:
    return sum(bandit.sizes), len(bandit.arms)


def load_callable(reference: str) -> Callable[..., Any]:
    """Return the callable that ``MODULE:FUNCTION`` names; modules of the current folder are found.

    Raises
    ------
    BanditError
        If there is none, in one line.
    """
    found = import_attribute(reference, "function")
    if not callable(found):
        raise ModelError(f"{reference}: is not callable")
    return found  # type: ignore[no-any-return]


def write_smallest_failure(report: Report, path: Path) -> bool:
    """Write the smallest failing model, if there is one, as a model file, and say whether there is.

    Raises
    ------
    ModelError
        If the file is there already.
    OutputError
        If it cannot be written.
    """
    if report.smallest_failure is None:
        return False
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(model_text(report.smallest_failure))
    except FileExistsError:
        raise ModelError(f"{path}: is there already; give another file") from None
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    return True
