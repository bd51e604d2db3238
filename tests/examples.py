"""The number of examples per property test: one setting for all tests.

The environment variable HYPOTHESIS_PROFILE is ``default``, ``ci`` (where CI is set), or ``hundredfold``.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

BY_DEFAULT = 25
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
    """Scale a number of examples by the factor of the current profile."""
    return int(examples * FACTORS[settings.get_current_profile_name()])


def examples(number):
    """Return Hypothesis settings with this number of examples, scaled by the profile."""
    return settings(max_examples=number_of(number))
