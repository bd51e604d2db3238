"""The sdist and the wheel built from it contain all files that users need."""

from __future__ import annotations

import subprocess
import sys
import tarfile

import pytest

from tests.first_contact.conftest import OFFLINE, ROOT, Newcomer
from theory import model_text
from theory.paper import counterexample

pytestmark = pytest.mark.system
pytest.importorskip("build", reason="the package build is not installed")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return the folder with the sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "build", "--outdir", folder, ROOT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 and any(sign in done.stdout + done.stderr for sign in OFFLINE):
        pytest.skip("building needs the network")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_sdist_contains_license_citation_and_tests(built):
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {"LICENSE", "CITATION.cff", "CHANGELOG.md", "README.md", "tests/first_contact/test_wheel.py"} <= names


def test_installed_wheel_runs_every_program_without_the_sources(built, newcomers_python, tmp_path):
    """Dependencies come from the newcomer's environment; the project is imported from the wheel."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "environment"], check=True)
    python = tmp_path / "environment" / "bin" / "python"
    wheel = next(built.glob("*.whl"))
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", wheel], check=True, stderr=subprocess.DEVNULL)
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    sites = [subprocess.run([each, "-c", where], capture_output=True, text=True, check=True).stdout.strip() for each in (python, newcomers_python)]  # fmt: skip
    (tmp_path / "environment" / sites[0] / "dependencies.pth").write_text(f"{sites[1]}\n", encoding="utf-8")
    newcomer = Newcomer(python, tmp_path)
    newcomer.write("model.json", model_text(counterexample()))
    places = newcomer.run("python", "-c", "import mbrl, theory, proofs_checks as p; print(mbrl.__file__, theory.__file__, p.__file__)")  # fmt: skip
    assert places.stdout.count(sites[0]) == 3
    for command, expected in (
        (("theory", "indices", "model.json"), "321/100"),
        (("proofs_checks", "show", "thm:no_OFU"), "Theorem3.no_OFU"),
        (("proofs_checks", "errata"), "Theorem 2"),
        (("proofs_checks", "report", "page"), "page/index.html"),
        (("mbrl", "run", "random-walk", "--out", "runs", "--agents", "oracle", "--simulations", "2", "--episodes", "9"), "oracle"),
        (("mbrl", "example", "notebook"), "theory.bandit_from_table"),
    ):  # fmt: skip
        done = newcomer.module(*command)
        assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), (command, done.stderr)
        assert expected in done.stdout, (command, done.stdout)
