"""The Rocq sources: what the record says of them, the numbers in them, and that the kernel refuses wrong ones.

What needs ``coqc`` is skipped without it; the whole compilation is `python -m proofs_checks kernel`.
"""

from __future__ import annotations

import re
import shutil
from fractions import Fraction

import pytest
from click.testing import CliRunner

import proofs_checks.claims  # noqa: F401  (enters the claims)
from proofs_checks.kernel import (
    ALLOWED_AXIOMS,
    FOLDER,
    KernelError,
    compile_sources,
    is_current,
    record,
    source_files,
    theorems_by_entry,
    written_theorems,
)
from proofs_checks.kernel.command import kernel
from proofs_checks.kernel.compilation import find_coqc, run_coqc
from proofs_checks.kernel.sources import imported_files
from proofs_checks.ledger import CLAIMS
from theory import fraction
from theory.paper import COUNTEREXAMPLE_RADIUS, counterexample, counterexample_m1, counterexample_m2

needs_rocq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Rocq is not installed")


def source(file):
    return (FOLDER / file).read_text(encoding="utf-8")


def test_the_record_is_that_of_these_sources():
    assert is_current(), "run python -m proofs_checks kernel --record"
    assert [(theorem["file"], theorem["name"]) for theorem in record()["theorems"]] == [
        (theorem.file, theorem.name) for theorem in written_theorems()
    ]


def test_every_source_is_in_the_project_and_after_what_it_imports():
    files = source_files()
    assert set(files) == {path.name for path in FOLDER.glob("*.v")}
    for number, file in enumerate(files):
        assert set(imported_files(source(file))) <= set(files[:number])


def test_no_theorem_assumes_more_than_the_real_numbers():
    for theorem in record()["theorems"]:
        assert set(theorem["assumptions"]) <= ALLOWED_AXIOMS, theorem["name"]


def test_nothing_is_admitted_or_assumed():
    for file in source_files():
        assert not re.search(r"\b(Admitted|admit|Axiom|Axioms|Conjecture|Parameter|Parameters)\b", source(file)), file


def test_the_entries_that_theorems_carry_are_in_the_ledger():
    named = {entry for theorem in written_theorems() for entry in theorem.entries + theorem.step_of}
    assert named
    assert not named - {claim.id for claim in CLAIMS}


def test_theorem_3_is_carried():
    assert [theorem["name"] for theorem in theorems_by_entry()["thm:no_OFU"]] == ["no_OFU"]


def numbers(file, name):
    """Return the numbers of ``Definition name : ... := [:: ...]`` or ``:= p/q``, in their order."""
    found = re.search(rf"^Definition {name}\b[^=]*:=(?P<value>[^.]*)\.", source(file), re.MULTILINE)
    return [Fraction(number) for number in re.findall(r"-?\d+(?:/\d+)?", found["value"])]


def flat(rows):
    return [fraction(entry) for row in rows for entry in row]


def test_the_numbers_of_theorem_3_are_those_of_the_models():
    a, b = counterexample().arms
    assert numbers("Theorem3.v", "a_rewards") == [fraction(reward) for reward in a.rewards]
    assert numbers("Theorem3.v", "a_rows") == flat(a.transitions)
    assert numbers("Theorem3.v", "a_radius") == [fraction(COUNTEREXAMPLE_RADIUS)]
    assert numbers("Theorem3.v", "b_rewards") == [fraction(reward) for reward in b.rewards]
    assert numbers("Theorem3.v", "b_rows") == flat(b.transitions)
    assert numbers("Theorem3.v", "M1_rows") == flat(counterexample_m1().arms[0].transitions)
    assert numbers("Theorem3.v", "M2_rows") == flat(counterexample_m2().arms[0].transitions)
    assert numbers("Theorem3.v", "beta") == [fraction(counterexample().discount)]


def test_without_rocq_the_command_says_what_to_install(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(KernelError, match="apt-get install coq libcoq-interval"):
        compile_sources()
    assert isinstance(CliRunner().invoke(kernel, []).exception, KernelError)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """Return a folder where everything that Theorem3.v needs is compiled."""
    folder = tmp_path_factory.mktemp("kernel")
    for file in source_files():
        shutil.copy(FOLDER / file, folder / file)
    for file in ("Sums.v", "Values.v", "Bandits.v", "Tables.v"):
        run_coqc(find_coqc(), folder, file)
    return folder


WRONG_NUMBERS = {
    "statement, a supremum": (
        "(values_over_set beta estimates pi2 (at_ s1 s3)) (321/50)",
        "(values_over_set beta estimates pi2 (at_ s1 s3)) (641/100)",
    ),
    "statement, a printed value": ("Rabs (5163/800 - 647/100) <= 1/200", "Rabs (5163/800 - 645/100) <= 1/200"),
    "model, a reward": (
        "b_rewards : seq R := [:: 321/100; 0; 321/100]",
        "b_rewards : seq R := [:: 322/100; 0; 321/100]",
    ),
    "model, a row": (
        "M2_rows : seq (seq R) := [:: [:: 3/5; 2/5; 0]",
        "M2_rows : seq (seq R) := [:: [:: 3/5; 3/10; 1/10]",
    ),
    "model, the radius": ("a_radius : R := 1/5", "a_radius : R := 1/4"),
    "the open order": ("[:: A2; B1; A1; B3; A3; B2]", "[:: A2; B1; B3; A1; A3; B2]"),
    "the theorem, ties": ("breaks_ties tie ->\n  exists", "True ->\n  exists"),
}


@needs_rocq
@pytest.mark.parametrize("what", WRONG_NUMBERS)
def test_a_wrong_number_is_refused(workspace, what):
    right, wrong = WRONG_NUMBERS[what]
    text = source("Theorem3.v")
    assert text.count(right) == 1
    (workspace / "Wrong.v").write_text(text.replace(right, wrong), encoding="utf-8")
    with pytest.raises(KernelError, match=r"Wrong.v, line \d+: the kernel refuses"):
        run_coqc(find_coqc(), workspace, "Wrong.v")


@needs_rocq
def test_the_same_sources_unchanged_are_accepted(workspace):
    run_coqc(find_coqc(), workspace, "Theorem3.v")
