"""A mark for tests that patch kernels, which needs kernels that run interpreted (NUMBA_DISABLE_JIT=1)."""

import pytest

from mbrl.kernels.compiling import INTERPRETED

seen_interpreted = pytest.mark.skipif(not INTERPRETED, reason="what kernels call is seen where they run interpreted")
