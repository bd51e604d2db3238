"""How many examples a property is tried on: one knob for all tests.

The environment variable HYPOTHESIS_PROFILE is ``default``, ``ci`` (where CI is set), or ``hundredfold``.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

BY_DEFAULT = 40
FACTORS = {"default": 1, "ci": 1, "hundredfold": 100}

for _name, _factor in FACTORS.items():
    settings.register_profile(
        _name,
        max_examples=int(BY_DEFAULT * _factor),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        print_blob=_name == "ci",
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "default"))


def number_of(examples):
    """So many examples by default, and as many times more as the profile asks for."""
    return int(examples * FACTORS[settings.get_current_profile_name()])


def examples(number):
    """The setting of a test that is to have so many examples by default."""
    return settings(max_examples=number_of(number))
