"""The environment of a new user: the installation of the README's first command with all extras for users.

It is built once and kept in pytest's cache until the dependencies change (the project itself is installed as editable).
FIRST_CONTACT_PYTHON names the Python of such an environment if one exists, as in CI.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
OFFLINE = ("NewConnectionError", "NameResolutionError", "failure in name resolution", "Network is unreachable")


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


class Newcomer(NamedTuple):
    """A new user in an empty folder, with that environment."""

    python: Path
    folder: Path

    def run(self, *command, stdin="", stdout=subprocess.PIPE, **environment):
        """Run a command line: ``python ...``, or a script of the environment."""
        program, *arguments = map(str, command)
        done = subprocess.run(
            [self.python.parent / program, *arguments],
            input=stdin if isinstance(stdin, bytes) else stdin.encode(),
            stdout=stdout,
            stderr=subprocess.PIPE,
            check=False,
            cwd=self.folder,
            env=self.environment(**environment),
        )
        return Done(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())

    @staticmethod
    def environment(**changes):
        ours = ("PYTHON", "COVERAGE", "PYTEST", "VIRTUAL_ENV", "HYPOTHESIS")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return kept | {"PYTHONDONTWRITEBYTECODE": "1"} | changes

    def module(self, *command, **options):
        """Run ``python -m ...``."""
        return self.run("python", "-m", *command, **options)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")


def first_command():
    """Return the README's first command up to the installation, with `.venv` as the environment's name."""
    fence = (ROOT / "README.md").read_text(encoding="utf-8").split("```sh\n")[1].split("```")[0]
    installation, separator, _ = fence.partition("pip install -q -e . ")
    assert separator, fence
    return f"{installation}{separator.rpartition('. ')[0]}'.[all]'"


@pytest.fixture(scope="session")
def newcomers_python(request):
    given = os.environ.get("FIRST_CONTACT_PYTHON")
    if given is not None:
        return Path(given)
    dependencies = re.search(r"^requires-python.*?^test =", (ROOT / "pyproject.toml").read_text(), re.M | re.S)
    key = sha256(f"{ROOT}{dependencies[0]}{first_command()}".encode()).hexdigest()[:12]
    folder = Path(request.config.cache.mkdir("first_contact"))
    environment, complete = folder / key, folder / f"{key}.complete"
    with (folder / "lock").open("w") as lock:  # parallel workers and runs build it once
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not complete.exists():
            for old in (path for path in folder.iterdir() if path.name != "lock"):
                shutil.rmtree(old) if old.is_dir() else old.unlink()
            _make(environment)
            complete.touch()
    return environment / "bin" / "python"


def _make(environment):
    command = first_command().replace(".venv", str(environment))
    clean = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False, env=clean)
    if done.returncode != 0:
        if "CI" not in os.environ and any(sign in done.stderr for sign in OFFLINE):
            pytest.skip("the README's first command needs the network")
        pytest.fail(f"{command}\n{done.stderr}")


@pytest.fixture
def newcomer(newcomers_python, tmp_path):
    return Newcomer(newcomers_python, tmp_path)
