"""Registration of the environments in Gymnasium by name, without importing anything else."""

from __future__ import annotations

import sys
from typing import Any


def register() -> None:
    """Register the environments in Gymnasium, once."""
    from gymnasium.envs import registration  # noqa: PLC0415

    for name in ("random-walk", "task-scheduling", "counterexample", "model"):
        if f"mbrl/{name}-v0" not in registration.registry:
            registration.register(f"mbrl/{name}-v0", entry_point="mbrl.environments.gym:make", kwargs={"name": name})


def register_when_imported() -> None:
    """Register the environments as soon as Gymnasium is imported, which takes ten times as long as `import mbrl`."""
    if sys.modules.get("gymnasium") is not None:
        register()
    else:
        sys.meta_path.insert(0, _Registering)


class _Registering:
    """Registers the environments when Gymnasium, which has imported its own registration, imports its wrappers."""

    @staticmethod
    def find_spec(fullname: str, path: Any, target: Any = None) -> None:
        """Find nothing."""
        if fullname == "gymnasium.wrappers":
            register()
