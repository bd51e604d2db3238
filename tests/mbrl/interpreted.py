"""A mark for tests that patch kernels, which needs kernels that run interpreted (NUMBA_DISABLE_JIT=1)."""

import pytest

from mbrl.kernels.compiling import INTERPRETED

needs_interpreted = pytest.mark.skipif(not INTERPRETED, reason="patching kernels needs NUMBA_DISABLE_JIT=1")
