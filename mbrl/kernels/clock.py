"""The monotonic clock, read by compiled code: loops time their learners themselves."""

from __future__ import annotations

import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from mbrl.kernels.compiling import INTERPRETED, part


def _monotonic_time(_: Any) -> Any:
    """``clock_gettime(CLOCK_MONOTONIC)`` of the C library, in seconds (POSIX)."""

    def build(_: Any, builder: Any, __: Any, ___: Any) -> Any:
        integer, whole, double = ir.IntType(32), ir.IntType(64), ir.DoubleType()
        helpers: Any = cgutils
        function = helpers.get_or_insert_function(
            builder.module, ir.FunctionType(integer, [integer, whole.as_pointer()]), "clock_gettime"
        )
        time_spec = helpers.alloca_once(builder, whole, size=2)  # seconds and nanoseconds
        builder.call(function, [ir.Constant(integer, time.CLOCK_MONOTONIC), time_spec])
        seconds = builder.load(time_spec)
        nanoseconds = builder.load(builder.gep(time_spec, [ir.Constant(integer, 1)]))
        fraction = builder.fmul(builder.sitofp(nanoseconds, double), ir.Constant(double, 1e-9))
        return builder.fadd(builder.sitofp(seconds, double), fraction)

    return types.float64(), build


_monotonic: Any = time.monotonic if INTERPRETED else intrinsic(_monotonic_time)


@part
def now() -> float:
    """Return the seconds of the monotonic clock; compiled code alone can call it, as Python has `time.monotonic`."""
    seconds: float = _monotonic()
    return seconds
