"""Registration of the environments in Gymnasium by name, without importing anything else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Final

NAMES: Final = ("random-walk", "task-scheduling", "counterexample")


def register() -> None:
    """Register the environments in Gymnasium, once."""
    from gymnasium.envs import registration  # noqa: PLC0415

    if "mbrl/model-v0" in registration.registry:
        return
    for name in NAMES:
        registration.register(f"mbrl/{name}-v0", entry_point="mbrl.environments.gym:make", kwargs={"name": name})
    registration.register("mbrl/model-v0", entry_point="mbrl.environments.gym:from_file")


def register_when_imported() -> None:
    """Register the environments as soon as Gymnasium is imported, which takes ten times as long as `import mbrl`."""
    if sys.modules.get("gymnasium") is not None:
        register()
    else:
        sys.meta_path.insert(0, _Registering())


class _Registering(MetaPathFinder):
    """Finds Gymnasium as Python does, and registers the environments once it is imported."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module specification of Gymnasium, and None for any other module."""
        spec = PathFinder.find_spec(fullname, path, target) if fullname == "gymnasium" else None
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_register(module: ModuleType) -> None:
                sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]
                execute(module)
                register()

            spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec
