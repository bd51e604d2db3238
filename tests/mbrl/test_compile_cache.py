"""Damaged or unwritable cache files of compiled functions cost a compilation and one line, never the run."""

from __future__ import annotations

import runpy
from errno import ENOSPC

import numba
import pytest
from numba.core.caching import IndexDataCacheFile

from mbrl.kernels import compiling

ADDING = "from mbrl.kernels.compiling import kernel\n\n\n@kernel\ndef one_more(x):\n    return x + 1\n"


@pytest.fixture
def added(tmp_path, monkeypatch, capfd):
    """Return a function that compiles or loads `one_more`, like a new process, and returns its stderr."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "adding.py").write_text(ADDING)

    def run():
        compiling.say_once.cache_clear()
        assert runpy.run_path(str(tmp_path / "adding.py"))["one_more"](2) == 3
        out, err = capfd.readouterr()
        assert out == ""
        return err

    return run


def test_damaged_cache_files_are_recompiled_with_one_line(added, tmp_path):
    assert added() == ""
    for damage in (lambda content: b"", lambda content: content[: len(content) // 2], lambda content: b"x" * 99):
        files = [*tmp_path.glob("cache/*/*.nbi"), *tmp_path.glob("cache/*/*.nbc")]
        assert len(files) == 2
        for path in files:
            path.write_bytes(damage(path.read_bytes()))
        message = added()
        assert message.count("\n") == 1
        assert "are damaged: these are compiled anew" in message
    assert added() == ""


def test_unwritable_cache_prints_one_line_and_the_function_runs(added, monkeypatch):
    def full(*_):
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "_save_data", full)
    message = "compiled functions cannot be kept on disk (No space left on device): later runs compile anew\n"
    assert added() == message
