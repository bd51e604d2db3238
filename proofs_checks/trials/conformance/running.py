"""Run an implementation through all cases and report the results, even after an interruption."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

from flint import fmpq

from mbrl.agents.options import read_options, split_name
from mbrl.importing import import_attribute
from proofs_checks.trials.conformance.calling import its_output_apart
from proofs_checks.trials.conformance.cases import cases
from proofs_checks.trials.conformance.judging import Defect, Judgement, Tolerance, failure, together
from proofs_checks.trials.conformance.kinds import KINDS
from proofs_checks.trials.counterexample import Counterexample
from proofs_checks.trials.models import binary_bandit
from theory import Bandit, ModelError


@dataclass(frozen=True, kw_only=True)
class Failure(Counterexample):
    """A model on which the implementation fails, the smallest one met with these kinds of defects.

    `case` is the name of the fixed case; "" for a generated model.
    """

    bandit: Bandit
    judgement: Judgement
    case: str = ""

    def content(self, written: Path | None = None) -> dict[str, Any]:
        """Return the JSON object of the failure, with the path of its model file."""
        told = {"case": self.case or None, "defects": [*map(str, self.judgement.defects)]}
        return {**super().content(written), **told}

    @property
    def size(self) -> tuple[int, int, bool]:
        """Key by which failures are ordered: states, arms, and fixed cases before generated models."""
        return sum(self.bandit.sizes), len(self.bandit.arms), not self.case

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of the defects."""
        return frozenset(defect.kind for defect in self.judgement.defects)


@dataclass(frozen=True)
class Report:
    """The result of a conformance run.

    The `judgements` of the fixed cases are by name; `asked` cases were to be tried, and `generated` models. `failures`
    has, for each combination of kinds of defects, the smallest model met (fixed or generated), the smallest first.
    `interrupted` says whether Ctrl-C ended the run early; `printed` is the first line that the implementation printed.
    """

    kind: str
    implementation: str
    judgements: dict[str, Judgement]
    generated: int
    asked: int
    failures: tuple[Failure, ...] = ()
    interrupted: bool = False
    printed: str = ""

    @property
    def failed(self) -> dict[str, Judgement]:
        """The judgements of the fixed cases with a defect."""
        return {name: judged for name, judged in self.judgements.items() if not judged.passed}

    @property
    def passed(self) -> bool:
        """Whether all cases were tried without a defect."""
        return not self.failures and not self.failed and not self.interrupted

    @property
    def defects(self) -> Counter[str]:
        """The number of fixed cases with each defect."""
        return Counter(kind for judged in self.judgements.values() for kind in {d.kind for d in judged.defects})

    @property
    def whole(self) -> Judgement:
        """The judgement of all fixed cases together; its errors are infinite if an answer could not be compared."""
        return together(self.judgements.values())

    @property
    def unanswered(self) -> int:
        """The number of fixed cases whose answer could not be compared."""
        return sum(not isfinite(judged.absolute_error) for judged in self.judgements.values())


def conform(
    implementation: Callable[..., Any],
    kind: str,
    *,
    tolerance: Tolerance | None = None,
    examples: int = 200,
    up_to: fmpq | None = None,
    states: int | None = None,
    name: str = "",
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Try `implementation` on the fixed cases and on generated models; report its defects and small models that fail.

    Ctrl-C ends the run early; the report then has the results so far.

    Parameters
    ----------
    implementation
        A callable as `proofs_checks.trials.conformance` describes for `kind`.
    kind
        ``gittins``, ``value``, ``evi`` or ``agent``.
    tolerance
        Largest errors that pass; see `Tolerance`.
    examples
        Number of models to generate; 0 for the fixed cases only.
    up_to
        Largest discount tried; None for no limit: some discounts are above 1 - 1e-6.
    states
        Largest number of global states of a fixed case; None for no limit.
    name
        Name of the implementation in the report.
    progress
        Called with the name of each fixed case when it is done.

    Raises
    ------
    ModelError
        If `kind` is unknown.

    Examples
    --------
    >>> report = conform(lambda transitions, rewards, discount: rewards, "gittins", examples=0)
    >>> report.passed, report.defects["wrong number"] > 0
    (False, True)
    """
    allowed = tolerance or Tolerance()
    asked = cases(kind, up_to, states)
    judgements: dict[str, Judgement] = {}
    met: list[Failure] = []
    tried = 0

    def take(bandit: Bandit, judged: Judgement, case: str = "") -> None:
        if not judged.passed:
            met.append(Failure(judged.text, bandit=bandit, judgement=judged, case=case))

    def fails(bandit: Bandit) -> bool:
        nonlocal tried
        tried += 1
        judged = KINDS[kind](implementation, bandit, allowed)
        take(bandit, judged)
        return not judged.passed

    # state kept between calls is likely to show on the largest case, where 30 global states count as the most
    first = max(asked, key=lambda case: min(case.bandit.number_of_global_states, 30), default=None)
    interrupted = False
    with its_output_apart() as heard:
        try:
            for case in sorted(asked, key=lambda case: case is not first):
                judgements[case.name] = case.judge(implementation, allowed)
                take(case.bandit, judgements[case.name], case.name)
                progress(case.name)
            if examples and not always_the_same(fails, kind, examples, up_to):
                last, changed = met[-1], Defect("not reproducible", "it passed and failed on the same model")
                judged = replace(last.judgement, defects=(*last.judgement.defects, changed))
                take(last.bandit, judged, last.case)
            if first and first.judge(implementation, allowed) != judgements[first.name]:
                found = failure("not reproducible", "asked before all other cases and after them: another answer")
                judgements[first.name] = found
                take(first.bandit, found, first.name)
        except KeyboardInterrupt:
            interrupted = True
    return Report(
        kind,
        name or getattr(implementation, "__name__", "implementation"),
        {case.name: judgements[case.name] for case in asked if case.name in judgements},
        min(tried, examples),
        len(asked),
        smallest(met),
        interrupted,
        heard.first_line,
    )


def always_the_same(fails: Callable[[Bandit], bool], kind: str, examples: int, up_to: fmpq | None = None) -> bool:
    """Try `fails` on generated models and, once one has failed, on smaller ones; return whether repetitions agree."""
    from hypothesis.errors import Flaky  # noqa: PLC0415  (Hypothesis, when needed)

    from proofs_checks.trials.search import simplest  # noqa: PLC0415

    try:
        simplest(partial(binary_bandit, kind=kind, up_to=up_to), fails, examples=examples)
    except Flaky:
        return False
    return True


def smallest(met: Iterable[Failure]) -> tuple[Failure, ...]:
    """Return the smallest failure of each combination of kinds of defects; the smallest first.

    Of generated models of equal size it is the last, the simplest.
    """
    found: dict[frozenset[str], Failure] = {}
    for each in met:
        known = found.get(each.kinds)
        if known is None or each.size < known.size or (each.size == known.size and not each.case):
            found[each.kinds] = each
    return tuple(sorted(found.values(), key=lambda failure: failure.size))


def load_callable(reference: str) -> Callable[..., Any]:
    """Return the callable that ``MODULE:FUNCTION`` or ``MODULE:FUNCTION/option=value`` names.

    The module may be in the current folder. Options are those of learners (`mbrl.agents.options`).

    Raises
    ------
    BanditError
        If there is no such callable or option; the message has one line.
    """
    module, colon, attribute = reference.partition(":")
    name, written = split_name(attribute)
    found = import_attribute(f"{module}{colon}{name}", "function")
    if not callable(found):
        raise ModelError(f"{reference}: is not callable")
    return partial(found, **read_options(attribute, found)) if written else found
