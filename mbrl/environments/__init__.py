"""Environments: the paper's scenarios, the models of its proofs, any model file; Gymnasium can play each."""

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
