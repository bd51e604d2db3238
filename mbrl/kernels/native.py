"""C functions for compiled code to call: the monotonic clock, and NumPy's random draws.

Numba has Python copies of NumPy's draws, which take seconds to compile; NumPy's own run as fast. NumPy's module exports
them for other programs (numpy.org, "Extending via CFFI").
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import extending, types
from numba.core import cgutils
from numpy.random import _generator

from mbrl.kernels.compiling import INTERPRETED

_helpers: Any = cgutils
_DOUBLE, _WHOLE = ir.DoubleType(), ir.IntType(64)

_BIT_GENERATOR = ("state", "fnptr_next_uint64", "fnptr_next_uint32", "fnptr_next_double", "fnptr_next_uint64")
"""Fields of NumPy's ``bitgen_t`` under numba's names; no draw calls the last one, ``next_raw``."""

binding.load_library_permanently(_generator.__file__)


def _function(builder: Any, name: str, returned: Any, *taken: Any) -> Any:
    return _helpers.get_or_insert_function(builder.module, ir.FunctionType(returned, taken), name)


def _monotonic_time(_: Any) -> Any:
    """``clock_gettime(CLOCK_MONOTONIC)`` of the C library, in seconds (POSIX)."""

    def build(_: Any, builder: Any, __: Any, ___: Any) -> Any:
        integer = ir.IntType(32)
        function = _function(builder, "clock_gettime", integer, integer, _WHOLE.as_pointer())
        time_spec = _helpers.alloca_once(builder, _WHOLE, size=2)  # seconds and nanoseconds
        builder.call(function, [ir.Constant(integer, time.CLOCK_MONOTONIC), time_spec])
        seconds = builder.load(time_spec)
        nanoseconds = builder.load(builder.gep(time_spec, [ir.Constant(integer, 1)]))
        fraction = builder.fmul(builder.sitofp(nanoseconds, _DOUBLE), ir.Constant(_DOUBLE, 1e-9))
        return builder.fadd(builder.sitofp(seconds, _DOUBLE), fraction)

    return types.float64(), build


def _drawn(method: str, name: str, parameters: int = 0) -> Callable[..., float]:
    """Return a method of `numpy.random.Generator` as a function of the generator and `parameters` floats."""

    def draw(rng: np.random.Generator, *parameters: float) -> float:
        drawn: float = getattr(rng, method)(*parameters)
        return drawn

    if INTERPRETED:
        return draw

    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        whole = context.make_helper(builder, signature.args[0], given[0])
        bits = context.make_helper(builder, types.NumPyRandomBitGeneratorType("bit_generator"), whole.bit_generator)
        bit_generator = _helpers.alloca_once(builder, _WHOLE, size=len(_BIT_GENERATOR))
        for place, field in enumerate(_BIT_GENERATOR):
            builder.store(getattr(bits, field), builder.gep(bit_generator, [ir.Constant(ir.IntType(32), place)]))
        function = _function(builder, name, _DOUBLE, _WHOLE.as_pointer(), *[_DOUBLE] * parameters)
        return builder.call(function, [bit_generator, *given[1:]])

    typers: Any = (lambda rng: types.float64, lambda rng, one: types.float64, lambda rng, one, two: types.float64)
    of_numba: Any = extending
    of_numba.type_callable(draw)(lambda context: typers[parameters])
    of_numba.lower_builtin(draw, types.NumPyRandomGeneratorType, *[types.float64] * parameters)(build)
    return draw


now: Any = time.monotonic if INTERPRETED else extending.intrinsic(_monotonic_time)
"""Return the seconds of the monotonic clock."""

standard_uniform = _drawn("random", "random_standard_uniform")
standard_exponential = _drawn("standard_exponential", "random_standard_exponential")
standard_gamma = _drawn("standard_gamma", "random_standard_gamma", 1)
standard_normal = _drawn("standard_normal", "random_standard_normal")
beta = _drawn("beta", "random_beta", 2)
