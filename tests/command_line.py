"""The project's command lines for the tests: in this process, where numba, SymPy and the ledger are loaded already.

`tests.first_contact` runs them as processes, from the shell to the exit code.
"""

from __future__ import annotations

import contextlib
import io
import sys
from importlib import import_module
from typing import NamedTuple
from unittest.mock import patch

import pytest

MAINS = {"theory": "theory.commands", "mbrl": "mbrl.commands", "proofs_checks": "proofs_checks.__main__"}


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(program, *words, stdin="", folder=None):
    """Run ``python -m program words`` and return what it printed; a `folder` is current and importable meanwhile."""
    main = import_module(MAINS[program]).main
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with (
        patch.object(sys, "argv", ["__main__.py", *map(str, words)]),
        patch.object(
            sys,
            "stdin",
            io.TextIOWrapper(io.BytesIO(stdin if isinstance(stdin, bytes) else stdin.encode()), encoding="utf-8"),
        ),
        within(folder) if folder else contextlib.nullcontext(),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as left,
    ):
        main()
    return Done(int(left.value.code or 0), *map(written, (out, err)))


@contextlib.contextmanager
def within(folder):
    """Make a folder current and first on the import path; modules of that name from other folders are set aside."""
    own = {path.stem for path in folder.glob("*.py")}
    others = {name: sys.modules.pop(name) for name in own & sys.modules.keys()}
    try:
        with contextlib.chdir(folder), patch.object(sys, "path", [str(folder), *sys.path]):
            yield
    finally:
        for name in own:
            sys.modules.pop(name, None)
        sys.modules.update(others)


def written(stream):
    stream.flush()
    return stream.buffer.getvalue().decode()
