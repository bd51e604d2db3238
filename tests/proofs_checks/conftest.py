"""The whole ledger, and the page made of it."""

from __future__ import annotations

import pytest

from proofs_checks.claimcheck.ledger import run
from proofs_checks.paper import SOURCE, registry
from proofs_checks.report.pages.annotated.rendering import write_page
from proofs_checks.report.pages.errata import all_causes
from proofs_checks.report.pages.theorems import theorem_summaries
from theory.terminal.console import number_of_jobs


@pytest.fixture(scope="session")
def ledger():
    entries = registry()
    return run([entry.id for entry in entries], entries, SOURCE, jobs=number_of_jobs(None))


@pytest.fixture(scope="session")
def page(ledger, tmp_path_factory):
    causes = all_causes(registry())
    return write_page(tmp_path_factory.mktemp("page"), ledger, causes, theorem_summaries(ledger, causes, registry()))
