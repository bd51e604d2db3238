"""Files of compiled functions that are damaged, or cannot be written, cost a compilation and a line, never a run."""

from __future__ import annotations

import os
import subprocess
import sys
from errno import ENOSPC

from tests.mbrl.command_line import PROJECT

ADDING = "from mbrl.kernels.compiling import kernel\n\n\n@kernel\ndef one_more(x):\n    return x + 1\n"
FULL = (
    "from numba.core.caching import IndexDataCacheFile\n"
    f"def full(*given): raise OSError({ENOSPC}, 'No space left on device')\n"
    "IndexDataCacheFile._save_data = full\n"
)


def added(folder, before=""):
    """What a process that compiles or loads `one_more` says on both streams."""
    (folder / "adding.py").write_text(ADDING)
    environment = os.environ | {"PYTHONPATH": str(PROJECT), "NUMBA_CACHE_DIR": str(folder / "cache")}
    words = [sys.executable, "-c", f"{before}import adding\nprint(adding.one_more(2))"]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_damaged_files_are_compiled_anew_with_one_line(tmp_path):
    assert added(tmp_path) == (0, "3\n", "")
    for damage in (lambda content: b"", lambda content: content[: len(content) // 2], lambda content: b"x" * 99):
        files = [*tmp_path.glob("cache/*/*.nbi"), *tmp_path.glob("cache/*/*.nbc")]
        assert len(files) == 2
        for path in files:
            path.write_bytes(damage(path.read_bytes()))
        returned, out, err = added(tmp_path)
        assert (returned, out, err.count("\n")) == (0, "3\n", 1)
        assert "are damaged: these are compiled anew" in err
    assert added(tmp_path) == (0, "3\n", "")


def test_a_full_disk_is_told_and_the_function_runs(tmp_path):
    assert added(tmp_path, FULL) == (
        0,
        "3\n",
        "compiled functions cannot be kept on disk (No space left on device): later runs compile anew\n",
    )
