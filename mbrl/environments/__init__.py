"""Environments: the paper's scenarios, the models of its proofs, any model file; Gymnasium can play each."""

from importlib import import_module
from types import ModuleType

from mbrl.environments.environment import Environment, from_bandit, with_rewards
from mbrl.environments.models import (
    counterexample,
    lower_bound,
    model_file,
    random_model,
    random_walk,
    task_scheduling,
)

__all__ = [
    "Environment",
    "counterexample",
    "from_bandit",
    "lower_bound",
    "model_file",
    "random_model",
    "random_walk",
    "task_scheduling",
    "with_rewards",
]


def __getattr__(name: str) -> ModuleType:
    if name != "gym":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("mbrl.environments.gym")  # Gymnasium loads slowly
