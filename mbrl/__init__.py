"""Floating-point agents, environments and experiments for learning Markovian bandits.

``kernels`` are compiled computations, ``agents`` learn, ``environments`` are played in, ``experiments`` measure regret,
``figures`` draw results, and ``commands`` is ``python -m mbrl``. A notebook needs only the names in `__all__`, each of
which is imported when it is first used (`mbrl.notebook`); so are submodules, as in ``help(mbrl.agents.interface)``.
"""

from typing import TYPE_CHECKING, Any

from mbrl.registration import register_when_imported

if TYPE_CHECKING:
    from mbrl.environments import Environment
    from mbrl.experiments.judging import judge
    from mbrl.experiments.playing import play
    from mbrl.notebook import bandit, load, plot, run, summary
    from mbrl.policies import IndexPolicy, TablePolicy

__all__ = ["Environment", "IndexPolicy", "TablePolicy", "bandit", "judge", "load", "play", "plot", "run", "summary"]

_MODULE_OF = {
    "Environment": "mbrl.environments",
    "IndexPolicy": "mbrl.policies",
    "TablePolicy": "mbrl.policies",
    "judge": "mbrl.experiments.judging",
    "play": "mbrl.experiments.playing",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module  # noqa: PLC0415

    try:
        if name not in __all__:
            return import_module(f"mbrl.{name}")
        return getattr(import_module(_MODULE_OF.get(name, "mbrl.notebook")), name)
    except ModuleNotFoundError as error:
        if error.name == f"mbrl.{name}":
            raise AttributeError(f"module 'mbrl' has no attribute {name!r}") from None
        from theory.terminal.console import EXTRAS, PROJECT  # noqa: PLC0415

        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRAS:
            raise
        told = f"mbrl.{name} needs {missing}, which is not installed: pip install '{PROJECT}[learn]'"
        raise ModuleNotFoundError(told, name=error.name) from None


def __dir__() -> list[str]:
    return sorted(__all__)


register_when_imported()
