"""Settings of all tests: Hypothesis profiles, and the versions that a failure report needs."""

from __future__ import annotations

import os

import flint
from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much]}
settings.register_profile("default", max_examples=60, **_COMMON)
settings.register_profile("thorough", max_examples=1000, **_COMMON)
settings.register_profile("ci", max_examples=150, print_blob=True, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "default"))


def pytest_report_header() -> str:
    profile = settings.get_current_profile_name()
    return f"python-flint {flint.__version__}, FLINT {flint.__FLINT_VERSION__}, Hypothesis profile {profile}"
