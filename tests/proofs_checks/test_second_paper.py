"""The ledger's machinery serves another paper: ten claims about UCB1, written with `claimcheck` alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from proofs_checks.claimcheck.ledger import Book, Verdict, false_variants, mutated, nearest_refuted, run, variants
from tests.proofs_checks import second_paper
from tests.proofs_checks.blind_leaves import blind_leaves
from tests.test_layers import ROOT, imported_modules
from theory import rational

REGISTRY = second_paper.registry()


@pytest.fixture(scope="module")
def found():
    return {each["id"]: each for each in run([entry.id for entry in REGISTRY], REGISTRY, "", fresh=True)}


def test_ten_claims_have_their_recorded_verdicts(found):
    assert len(found) == 10
    assert REGISTRY.problems() == []
    assert [each["id"] for each in found.values() if not each["as_recorded"]] == []
    assert [each["id"] for each in found.values() if each["verdict"] == "fails"] == ["ucb1:half-as-many"]
    assert {each["effective_evidence"] for each in found.values()} == {"exhaustive", "certified"}


@pytest.mark.parametrize("entry", REGISTRY, ids=lambda entry: entry.id)
def test_mutants_are_refuted_and_no_deciding_leaf_is_blind(entry):
    nearest = {name: rational(value) for name, value in nearest_refuted(entry).items()}
    found = list(variants(entry, Book(REGISTRY), nearest))
    assert found
    assert [f"{each.name}: {each.why}" for each in found if not each.as_it_should] == []
    if entry.verdict is Verdict.HOLDS:
        mutants = [mutated(entry, parameters) for parameters in false_variants(entry, nearest).values()]
        assert blind_leaves(entry.evidence, entry.statement, mutants, REGISTRY) == []


def test_claims_are_short_and_import_only_claimcheck():
    path = Path(second_paper.__file__)
    assert len(path.read_text(encoding="utf-8").splitlines()) < 150
    ours = {module for module in imported_modules(path) if module.startswith("proofs_checks")}
    assert all(module.startswith("proofs_checks.claimcheck") for module in ours)


def test_claimcheck_imports_only_listed_names_of_this_project():
    """It may import numbers, errors, certified comparisons, worker processes and the loader of user files."""
    allowed = {"theory", "theory.certified", "theory.terminal.workers", "mbrl.importing"}
    taken = {"BanditError", "NumberError", "ONE", "ZERO", "decimal_text", "rational"}
    for path in (ROOT / "proofs_checks" / "claimcheck").rglob("*.py"):
        modules = {each for each in imported_modules(path) if each.split(".")[0] in ("theory", "mbrl", "proofs_checks")}
        assert not {each for each in modules if not each.startswith("proofs_checks.claimcheck")} - allowed, path
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "theory":
                assert {alias.name for alias in node.names} <= taken, path
