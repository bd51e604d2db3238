"""A copy of the project, outside of it, in which tests are recorded and mutants are tried.

What a mutant is lies on disk: new processes and whatever reads sources see it too. Files that did not change keep their
times, so that what Python and numba keep beside them stays good.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path


class Workspace:
    """One copy, and the processes that try mutants in it: one for compiled kernels, one for interpreted ones."""

    def __init__(self, project, folder, libraries=()):
        self.project = Path(project)
        self.libraries = libraries
        self.folder = Path(folder)
        self.servers = {}

    def synchronise(self):
        wanted = set(project_files(self.project))
        for path in wanted:
            source, copy = self.project / path, self.folder / path
            if not copy.exists() or source.read_bytes() != copy.read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, copy)
        for copy in list(self.folder.rglob("*.py")):
            if copy.relative_to(self.folder) not in wanted:
                copy.unlink()

    def environment(self, mode):
        return os.environ | {
            "PYTHONPATH": str(self.folder),
            "NUMBA_DISABLE_JIT": "1" if mode == "interpreted" else "0",
            "XDG_CACHE_HOME": str(self.folder.parent / "cache"),
            "MPLBACKEND": "agg",
        }

    def record(self, request, mode):
        """Run tests under coverage; say whether a result was written."""
        ended = subprocess.run(
            [sys.executable, "-P", str(Path(__file__).with_name("recording.py"))],
            input=json.dumps(request),
            cwd=self.folder,
            env=self.environment(mode),
            capture_output=True,
            text=True,
            check=False,
        )
        return ended.returncode == 0, ended.stdout + ended.stderr

    def tried(self, mutant, request, mode):
        """Return what became of a mutant; None for `mutant` tries the project as it is."""
        with self.in_place(mutant):
            server = self.server(mode)
            server.stdin.write(json.dumps(request) + "\n")
            server.stdin.flush()
            return json.loads(server.stdout.readline())

    @contextmanager
    def in_place(self, mutant):
        if mutant is None:
            yield
            return
        path = self.folder / mutant.file
        source, times = path.read_bytes(), path.stat()
        try:
            path.write_bytes(mutant.applied(source))
            os.utime(
                path, (times.st_atime, times.st_mtime + 10)
            )  # a compiled file of the same second is not taken for it
            yield
        finally:
            path.write_bytes(source)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def server(self, mode):
        if mode not in self.servers:
            self.servers[mode] = subprocess.Popen(
                [sys.executable, "-P", str(Path(__file__).with_name("trial.py")), *self.libraries],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=self.folder,
                env=self.environment(mode) | {"PYTHONDONTWRITEBYTECODE": "1"},
                text=True,
            )
        return self.servers[mode]

    def close(self):
        for server in self.servers.values():
            server.communicate()
        self.servers = {}


def project_files(project):
    """Return the project's files, relative to it: what git knows or would add; all files where there is no repository."""
    if (project / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z"],
            cwd=project,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        found = [Path(name) for name in listed.split("\0") if name]
    else:
        found = [path.relative_to(project) for path in project.rglob("*") if path.is_file()]
    return [path for path in found if (project / path).is_file() and "__pycache__" not in path.parts]
