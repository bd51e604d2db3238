"""Storm's exact engine on an exported model; as a program, ``python -m tests.peers.storm MODEL.prism``."""

from __future__ import annotations

import sys
import time
from fractions import Fraction


def exact_value(path):
    """Return the maximal expected total reward of a model, and the seconds of building and of checking it."""
    import stormpy

    program = stormpy.parse_prism_program(str(path))
    properties = stormpy.parse_properties('Rmax=? [ F "over" ]', program)
    begin = time.perf_counter()
    model = stormpy.build_model[stormpy.Rational](program, properties)
    built = time.perf_counter()
    result = stormpy.model_checking(model, properties[0], environment=stormpy.environments.exact())
    value = Fraction(str(result.get_value(model.initial_states[0])))
    return value, built - begin, time.perf_counter() - built


if __name__ == "__main__":
    print(*exact_value(sys.argv[1]))
