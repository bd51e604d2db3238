"""The API reference: lazily loaded names, nested packages, and foreign folders."""

import subprocess
import sys

import pytest

import mbrl
from proofs_checks.report.pages.annotated import REFERENCE, rendering
from proofs_checks.report.pages.annotated.rendering import write_page
from proofs_checks.report.reference import write_reference
from theory import BanditError

SMALL = "from pathlib import Path; from proofs_checks.report import reference as r; r.PACKAGES = ('mbrl',); r.write_reference(Path('made'))"


@pytest.mark.system
def test_reference_documents_every_public_name_and_module(tmp_path):
    pytest.importorskip("pdoc", reason="the extra 'docs' is not installed")
    done = subprocess.run([sys.executable, "-W", "error::UserWarning", "-c", SMALL], cwd=tmp_path, capture_output=True, text=True, check=False)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "made" / "mbrl.html").read_text(encoding="utf-8")
    for name in mbrl.__all__:
        part = page.partition(f'<section id="{name}">')[2].partition("</section>")[0]
        assert f'<a class="headerlink" href="#{name}"></a>' in part, name
        assert '<div class="docstring">' in part, name
    assert "Let learners play, and return the expected regret of every episode" in page
    assert (tmp_path / "made" / "mbrl" / "kernels" / "gittins.html").exists()
    assert not (tmp_path / "made" / "mbrl" / "commands.html").exists()


def test_page_links_to_a_reference_in_its_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(rendering, "page_figures", lambda theorems: [])
    link = f'href="{REFERENCE}"'
    assert link not in write_page(tmp_path, [], [], []).read_text(encoding="utf-8")
    (tmp_path / REFERENCE).parent.mkdir()
    (tmp_path / REFERENCE).write_text("of somebody else")
    assert link in write_page(tmp_path, [], [], []).read_text(encoding="utf-8")
    with pytest.raises(BanditError, match="is not a reference; choose another folder"):
        write_reference((tmp_path / REFERENCE).parent)
