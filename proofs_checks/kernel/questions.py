"""Questions to the kernel about compiled theorems: what each says, and what its proof assumes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from proofs_checks.kernel.coqc import run_coqc
from proofs_checks.kernel.sources import Theorem

EXCLUDED_MIDDLE = "Classical_Prop.classic"

ALLOWED_AXIOMS = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        EXCLUDED_MIDDLE,
    }
)
"""What Rocq's standard library of real numbers rests on; no theorem may rest on anything else, but for those below.

The last, excluded middle, is part of its definition of the logarithm, by way of its mean value theorem: a theorem that
speaks of logarithms, or of real powers, cannot do without. No other theorem needs it.
"""

MEASURE_AXIOMS = frozenset(
    {
        "boolp.propositional_extensionality",
        "boolp.functional_extensionality_dep",
        "boolp.constructive_indefinite_description",
        "Epsilon.epsilon_statement",
    }
)
"""What mathcomp's classical library, and so its measure theory, rests on besides.

Propositions that imply each other are equal; functions with equal values are equal, once more; what exists can be
named, in two forms of the axiom of choice.
"""

OF_MEASURE_THEORY = frozenset(
    {
        "genuine",
        "mb_psrl_measures",
        "theorem_1_psrl_measures",
        "uniform_exists",
        "diffuse_exists",
    }
)
"""The theorems that speak of measures, or extend an integral to all bounded functions (Zorn): they may use both."""


def allowed_axioms(name: str) -> frozenset[str]:
    """Return the axioms that the theorem of this name may rest on.

    Examples
    --------
    >>> sorted(allowed_axioms("mb_psrl_measures") - allowed_axioms("no_OFU"))[0]
    'Epsilon.epsilon_statement'
    """
    return ALLOWED_AXIOMS | MEASURE_AXIOMS if name in OF_MEASURE_THEORY else ALLOWED_AXIOMS


_WIDTH = 110


@dataclass(frozen=True)
class CheckedTheorem:
    """A theorem that the kernel accepted.

    Attributes
    ----------
    written : Theorem
    statement : str
        As the kernel prints it, hypotheses of enclosing sections included.
    assumptions : tuple of str
        The axioms that its proof rests on, sorted.
    """

    written: Theorem
    statement: str
    assumptions: tuple[str, ...]


def ask_all(
    coqc: str, workspace: Path, files: tuple[str, ...], theorems: tuple[Theorem, ...], jobs: int
) -> tuple[CheckedTheorem, ...]:
    """Return the statement and the assumptions of every theorem, in their order.

    What a theorem assumes takes longer to collect than most take to prove, so `jobs` processes share the questions.
    """
    dealt = [theorems[number::jobs] for number in range(jobs)]
    with ThreadPoolExecutor(jobs) as pool:
        answers = pool.map(lambda number: _ask(coqc, workspace, files, dealt[number], number), range(jobs))
        found = {(each.written.file, each.written.name): each for part in answers for each in part}
    return tuple(found[theorem.file, theorem.name] for theorem in theorems)


def _ask(
    coqc: str, workspace: Path, files: tuple[str, ...], theorems: tuple[Theorem, ...], part: int
) -> list[CheckedTheorem]:
    modules = " ".join(file.removesuffix(".v") for file in files)
    questions = [
        "From Coq Require Import Reals.",
        "From mathcomp Require Import all_ssreflect.",
        f"From kernel Require Import {modules}.",
        f"Set Printing Width {_WIDTH}.",
        "Unset Printing Implicit Defensive.",
    ]
    for number, theorem in enumerate(theorems):
        qualified = f"{theorem.file.removesuffix('.v')}.{theorem.name}"
        questions.append(f'Redirect "statement{part}_{number}" Check @{qualified}.')
        questions.append(f'Redirect "assumptions{part}_{number}" Print Assumptions {qualified}.')
    (workspace / f"Questions{part}.v").write_text("\n".join(questions) + "\n", encoding="utf-8")
    run_coqc(coqc, workspace, f"Questions{part}.v")
    return [
        CheckedTheorem(
            theorem,
            _statement((workspace / f"statement{part}_{number}.out").read_text(encoding="utf-8")),
            assumptions_in((workspace / f"assumptions{part}_{number}.out").read_text(encoding="utf-8")),
        )
        for number, theorem in enumerate(theorems)
    ]


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
