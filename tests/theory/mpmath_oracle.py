"""Expressions as mpmath computes them, read by Python: another parser and another arithmetic than those of `theory`."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from mpmath.ctx_mp import MPContext
from mpmath.libmp import to_rational

from theory import Arm, NumberError, rational

CONTEXT = MPContext()


@cache
def by_mpmath(text, digits=300):
    """The exact value of the number that mpmath computes for an expression with this many digits."""
    try:
        return rational(text)
    except NumberError:
        CONTEXT.dps = digits
        names = {name: getattr(CONTEXT, name) for name in ("exp", "log", "sqrt", "pi", "mpf")}
        written = re.sub(r"[\d.]+(e[+-]?\d+)?", r"mpf('\g<0>')", text.replace("^", "**"))
        return rational(Fraction(*map(int, to_rational(CONTEXT.mpf(eval(written, names))._mpf_))))


def arm_by_mpmath(data, digits=300):
    """The exact arm of these numbers, given as for an `EnclosedArm`; a row's largest takes what the others leave."""
    numbers = {
        name: [by_mpmath(text, digits) for text in data.get(name, [])]
        for name in ("rewards", "reward_radius", "transition_radius")
    }
    rows = [[by_mpmath(text, digits) for text in row] for row in data["transitions"]]
    for row in rows:
        row[row.index(max(row))] += 1 - sum(row)
    return Arm(**numbers, transitions=rows, states=data.get("states", []))
