"""The environments that Gymnasium knows by name; nothing but their names is imported here."""

from __future__ import annotations

from typing import Final

NAMES: Final = ("random-walk", "task-scheduling", "counterexample")


def register() -> None:
    """Make the environments known to Gymnasium, once."""
    from gymnasium.envs import registration  # noqa: PLC0415

    if "mbrl/model-v0" in registration.registry:
        return
    for name in NAMES:
        registration.register(f"mbrl/{name}-v0", entry_point="mbrl.environments.gym:make", kwargs={"name": name})
    registration.register("mbrl/model-v0", entry_point="mbrl.environments.gym:from_file")
