"""What serves the paper alone: its models, its radii and bonuses, its prior.

The bounds on regret with every constant are in `theory.paper.regret`.

Everything else in `theory` knows nothing of the paper's algorithms and serves any Markovian bandit; it does not import
this package (`theory` itself names two models of it, to try things on).
"""

from theory.paper.absorbing import AbsorbingPrior, absorbing_regret
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
from theory.paper.sharper import (
    absorbing_bound_squared,
    largest_value,
    lower_bound_squared,
    motionless_bound_squared,
    sharper_bound,
    sharper_bound_short,
    sharper_logarithm,
    unfolded_steps,
)

__all__ = [
    "COUNTEREXAMPLE_DISCOUNT",
    "COUNTEREXAMPLE_RADIUS",
    "COUNTEREXAMPLE_REWARD_B",
    "PAPER_MODELS",
    "AbsorbingPrior",
    "BestArmPrior",
    "Enclosure",
    "absorbing_bound_squared",
    "absorbing_regret",
    "adaptive_regret",
    "clairvoyant_regret",
    "counterexample",
    "counterexample_m1",
    "counterexample_m2",
    "episodic_regret",
    "horizon_bound",
    "known_horizon_regrets",
    "largest_value",
    "last_log_factor",
    "log_factor",
    "lower_bound_squared",
    "mean_visits",
    "motionless_bound_squared",
    "needle_regret",
    "one_step_episodes_regret",
    "paper_model",
    "posterior_levels",
    "random_walk",
    "random_walk_arm",
    "reward_radius",
    "sharper_bound",
    "sharper_bound_short",
    "sharper_logarithm",
    "squared_bound",
    "stay_with_winner_on",
    "task_arm",
    "task_scheduling",
    "tau",
    "transition_radius",
    "ucbvi_bonus",
    "unfolded_steps",
    "visit_law",
    "visits_below",
]
