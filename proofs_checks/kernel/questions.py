"""Questions to the kernel about compiled theorems: the statement of each, and the axioms that its proof assumes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from proofs_checks.kernel.coqc import run_coqc
from proofs_checks.kernel.sources import qualified, source, source_files, written_theorems

EXCLUDED_MIDDLE = "Classical_Prop.classic"

ALLOWED_AXIOMS = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        EXCLUDED_MIDDLE,
    }
)
"""Axioms of Rocq's standard library of real numbers; only theorems of `OF_MEASURE_THEORY` may rest on others.

The last, excluded middle, enters the library's logarithm through its mean value theorem. So theorems about logarithms
or real powers need it, and no others do.
"""

MEASURE_AXIOMS = frozenset(
    {
        "boolp.propositional_extensionality",
        "boolp.functional_extensionality_dep",
        "boolp.constructive_indefinite_description",
        "Epsilon.epsilon_statement",
    }
)
"""Further axioms of mathcomp's classical library, and so of its measure theory.

They are propositional extensionality, functional extensionality in another form, and two forms of the axiom of choice.
"""

OF_MEASURE_THEORY = frozenset(
    {
        "genuine",
        "mb_psrl_continuous",
        "mb_psrl_measures",
        "mb_psrl_regular",
        "measurable_functions_suffice",
        "theorem_1_psrl_measures",
        "uniform_exists",
        "diffuse_exists",
        "dirichlet_exists",
    }
)
"""Theorems about measures, or that extend an integral to all bounded functions (Zorn); they may use all axioms here."""


def allowed_axioms(name: str) -> frozenset[str]:
    """Return the axioms that the theorem of this name may rest on."""
    return ALLOWED_AXIOMS | MEASURE_AXIOMS if name in OF_MEASURE_THEORY else ALLOWED_AXIOMS


_WIDTH = 110


def ask_all(workspace: Path, jobs: int, expected: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """Return name, file, statement and assumptions of every theorem, as the kernel prints them, in their order.

    Collecting a theorem's axioms takes longer than most proofs, and most of the work is the same for all theorems. So
    theorems expected to assume the same axioms are asked about together; if together they assume just these, none
    assumes more. Otherwise, and without an expectation, each is asked about alone, by `jobs` processes.
    """
    theorems = written_theorems()
    groups: dict[Sequence[str], list[str]] = {}
    for name in map(qualified, theorems):
        groups.setdefault(tuple(sorted(expected[name])) if name in expected else name, []).append(name)
    assumed, alone = dict[str, tuple[str, ...]](), list[list[str]]()
    for (axioms, group), answer in zip(groups.items(), _assumed(workspace, list(groups.values()), jobs), strict=True):
        if answer == axioms or len(group) == 1:
            assumed |= dict.fromkeys(group, answer)
        else:
            alone += [[name] for name in group]
    assumed |= zip((name for [name] in alone), _assumed(workspace, alone, jobs), strict=True)
    statements = _answers(workspace, "", [f"Check @{qualified(theorem)}." for theorem in theorems], 0)
    return [
        {
            "name": theorem["name"],
            "file": theorem["file"],
            "statement": _statement(said),
            "assumptions": list(assumed[qualified(theorem)]),
        }
        for theorem, said in zip(theorems, statements, strict=True)
    ]


def _assumed(workspace: Path, groups: Sequence[Sequence[str]], jobs: int) -> list[tuple[str, ...]]:
    """Return, for each group of theorems, the axioms that they assume together."""
    named = []
    for number, group in enumerate(groups):
        pairs = "".join(f"(@{theorem}, " for theorem in group)
        named.append((f"Definition group{number} := {pairs}I{')' * len(group)}.", number))
    dealt = [named[start::jobs] for start in range(jobs)]

    def ask(part: int) -> list[str]:
        definitions = "\n".join(definition for definition, _ in dealt[part])
        return _answers(
            workspace, definitions, [f"Print Assumptions group{number}." for _, number in dealt[part]], part
        )

    with ThreadPoolExecutor(jobs) as pool:
        answers = list(pool.map(ask, range(jobs)))
    return [assumptions_in(answers[number % jobs][number // jobs]) for number in range(len(groups))]


def _answers(workspace: Path, definitions: str, questions: Sequence[str], part: int) -> list[str]:
    """Return the kernel's answer to each question, with all sources loaded except those that export libraries.

    If a library's names were imported, the kernel would print other names with their file.
    """
    if not questions:
        return []
    own = [file.removesuffix(".v") for file in source_files() if "Require Export" not in source(file)]
    asked = [f'Redirect "answer{part}_{number}" {question}' for number, question in enumerate(questions)]
    head = f"""From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect.
From kernel Require Import {" ".join(own)}.
Set Printing Width {_WIDTH}.
Unset Printing Implicit Defensive.
{definitions}
"""
    (workspace / f"Questions{part}.v").write_text(head + "\n".join(asked) + "\n", encoding="utf-8")
    run_coqc(workspace, f"Questions{part}.v")
    return [(workspace / f"answer{part}_{number}.out").read_text(encoding="utf-8") for number in range(len(questions))]


def _statement(printed: str) -> str:
    _, _, statement = printed.partition("\n     : ")
    return "\n".join(line.removeprefix("       ") for line in statement.rstrip().splitlines())


def assumptions_in(printed: str) -> tuple[str, ...]:
    r"""Return the axioms that ``Print Assumptions`` printed, sorted.

    Examples
    --------
    >>> assumptions_in("Closed under the global context")
    ()
    >>> assumptions_in("Axioms:\nlong.name\n  : forall n, n = n\nclassic : forall P : Prop, P \\/ ~ P")
    ('classic', 'long.name')
    """
    lines = [line for line in printed.splitlines()[1:] if line and not line.startswith(" ")]
    return tuple(sorted(line.partition(" :")[0].strip() for line in lines))
