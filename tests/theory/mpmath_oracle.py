"""Expressions as mpmath computes them, read by Python: another parser and another arithmetic than those of `theory`."""

from __future__ import annotations

import re
from fractions import Fraction

from mpmath.ctx_mp import MPContext
from mpmath.libmp import to_rational

from theory import Arm, NumberError, rational


def by_mpmath(text, digits=300):
    """The exact value of the number that mpmath computes for an expression with this many digits."""
    try:
        return rational(text)
    except NumberError:
        context = MPContext()
        context.dps = digits
        names = {name: getattr(context, name) for name in ("exp", "log", "sqrt", "pi", "mpf")}
        written = re.sub(r"[\d.]+(e[+-]?\d+)?", r"mpf('\g<0>')", text.replace("^", "**"))
        return rational(Fraction(*map(int, to_rational(context.mpf(eval(written, names))._mpf_))))


def arm_by_mpmath(data, digits=300):
    """The exact arm of these numbers, given as for an `EnclosedArm`; the first of each row takes what others leave."""
    numbers = {
        name: [by_mpmath(text, digits) for text in data.get(name, [])]
        for name in ("rewards", "reward_radius", "transition_radius")
    }
    rows = [[by_mpmath(text, digits) for text in row] for row in data["transitions"]]
    rows = [[1 - sum(row[1:]), *row[1:]] for row in rows]
    return Arm(**numbers, transitions=rows, states=data.get("states", []))
