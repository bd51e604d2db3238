"""What serves the paper alone: its models, its radii and bonuses, its prior.

The bounds on regret with every constant are in `theory.paper.regret`.

Everything else in `theory` knows nothing of the paper's algorithms and serves any Markovian bandit; it does not import
this package (`theory` itself names two models of it, to try things on).
"""

from theory.paper.bayes_regret import (
    Enclosure,
    adaptive_regret,
    clairvoyant_regret,
    episodic_regret,
    known_horizon_regrets,
    one_step_episodes_regret,
    posterior_levels,
)
from theory.paper.bonuses import (
    horizon_bound,
    last_log_factor,
    log_factor,
    reward_radius,
    tau,
    transition_radius,
    ucbvi_bonus,
)
from theory.paper.lower_bound import (
    BestArmPrior,
    mean_visits,
    needle_regret,
    squared_bound,
    stay_with_winner_on,
    stay_with_winner_regret,
    variance_of_visits,
    visit_law,
    visits_below,
)
from theory.paper.models import (
    COUNTEREXAMPLE_DISCOUNT,
    COUNTEREXAMPLE_RADIUS,
    COUNTEREXAMPLE_REWARD_B,
    PAPER_MODELS,
    counterexample,
    counterexample_m1,
    counterexample_m2,
    paper_model,
    random_walk,
    random_walk_arm,
    task_arm,
    task_scheduling,
)

__all__ = [
    "COUNTEREXAMPLE_DISCOUNT",
    "COUNTEREXAMPLE_RADIUS",
    "COUNTEREXAMPLE_REWARD_B",
    "PAPER_MODELS",
    "BestArmPrior",
    "Enclosure",
    "adaptive_regret",
    "clairvoyant_regret",
    "counterexample",
    "counterexample_m1",
    "counterexample_m2",
    "episodic_regret",
    "horizon_bound",
    "known_horizon_regrets",
    "last_log_factor",
    "log_factor",
    "mean_visits",
    "needle_regret",
    "one_step_episodes_regret",
    "paper_model",
    "posterior_levels",
    "random_walk",
    "random_walk_arm",
    "reward_radius",
    "squared_bound",
    "stay_with_winner_on",
    "stay_with_winner_regret",
    "task_arm",
    "task_scheduling",
    "tau",
    "transition_radius",
    "ucbvi_bonus",
    "variance_of_visits",
    "visit_law",
    "visits_below",
]
