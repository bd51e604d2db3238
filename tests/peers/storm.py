"""Storm's exact engine on an exported model; as a program, ``python -m tests.peers.storm MODEL.prism``."""

from __future__ import annotations

import sys
from fractions import Fraction


def built(path):
    """The explicit model with rational numbers, and the property to check: the maximal expected total reward."""
    import stormpy

    program = stormpy.parse_prism_program(str(path))
    properties = stormpy.parse_properties('Rmax=? [ F "over" ]', program)
    return stormpy.build_model[stormpy.Rational](program, properties), properties[0]


def checked(model, formula):
    """Its value in the initial state."""
    import stormpy

    result = stormpy.model_checking(model, formula, environment=stormpy.environments.exact())
    return Fraction(str(result.get_value(model.initial_states[0])))


def exact_value(path):
    return checked(*built(path))


if __name__ == "__main__":
    print(exact_value(sys.argv[1]))
