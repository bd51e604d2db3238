"""Regret of learners on random bandits over B, S and n, and their times: measured once, and recorded.

``python -m proofs_checks.paper.recorded.sweep`` writes ``sweep.json``. Each simulation draws a bandit (uniform rows
and mean rewards, rewards 0 or 1), initial states and lengths of episodes, the same for all learners. The regret of
every policy is computed, not sampled.
"""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, Final

from theory.terminal.outputs import check_file, writing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mbrl.environments import Environment

SWEEP: Final = Path(__file__).with_name("sweep.json")
SIMULATIONS, EPISODES, SEED = 80, 1000, 43
LONG_SIMULATIONS, LONG = 16, (100, 300, 1000, 3000, 10_000, 30_000, 100_000)
"""Number of simulations of the long runs, and the episodes after which regret is recorded (the last ends the run)."""
LEARNERS: Final = {
    "mb-ucbvi": "MB-UCBVI",
    "mb-ucbvi/radii=appendix": "MB-UCBVI, appendix",
    "mb-minimax": "MB-Minimax",
    "mb-ucbvi/scale=0.1": "MB-UCBVI, scaled",
    "mb-minimax/scale=0.01": "MB-Minimax, scaled",
    "mb-psrl": "MB-PSRL",
}
"""Learners and their names. Scaled ones have 1/100 of the logarithm; MB-UCBVI's `scale` multiplies its bonus."""
TIMED: Final = tuple(learner for learner in LEARNERS if learner != "mb-ucbvi/scale=0.1")
"""Learners whose time is measured; scaled MB-UCBVI takes the time of MB-UCBVI."""
MIDDLE: Final = (3, 3, 10)
"""S, n and B in the middle of the sweeps, each of which varies one of them."""
SIZES: Final = tuple(
    dict.fromkeys(
        [(3, 3, B) for B in (2, 5, 10, 20, 50, 100)]
        + [(S, 3, 10) for S in (2, 3, 4, 6, 8, 12)]
        + [(3, n, 10) for n in (2, 3, 6, 12, 24, 48)]
    )
)
SPEED: Final = tuple(
    dict.fromkeys(
        [(4, 3, 10, K) for K in (100, 1000, 10_000, 100_000)]
        + [(S, 3, 10, 1000) for S in (2, 4, 8, 16)]
        + [(4, n, 10, 1000) for n in (3, 10, 30, 100, 300, 1000)]
        + [(4, 3, 100, 1000)]
    )
)
"""S, n, B and K at which the time of an episode is measured."""


def drawn_bandit(S: int, n: int, B: float, simulation: int) -> Environment:
    """Return the random bandit of a simulation, as an environment."""
    import numpy as np  # noqa: PLC0415  (measuring needs the learners; the ledger does not)

    from mbrl.environments import Environment  # noqa: PLC0415
    from mbrl.experiments.seeds import generator  # noqa: PLC0415

    rng = generator(SEED, "sweep", S, n, simulation)  # the same rows for every B
    rows, means = rng.dirichlet(np.ones(S), size=(n, S)), rng.random((n, S, 1))
    return Environment("drawn", rows, means, np.full(n, S), 1 - 1 / B, np.zeros((1, n), np.int64))


def regrets(S: int, n: int, B: float, learner: str, after: Sequence[int], simulation: int) -> list[float]:
    """Return the cumulative regret after these numbers of episodes; the learner knows the last as the horizon K."""
    from mbrl.agents import make_agent  # noqa: PLC0415
    from mbrl.experiments.simulation import simulate  # noqa: PLC0415

    bandit = drawn_bandit(S, n, B, simulation)
    key: dict[str, Any] = {"scenario": "sweep", "name": learner, "simulation": simulation, "seed": SEED}
    found, _ = simulate(bandit, make_agent(learner, bandit, after[-1]), episodes=after[-1], **key)
    total = found.cumsum()
    return [float(total[episodes - 1]) for episodes in after]


def seconds(S: int, n: int, B: float, learner: str, episodes: int) -> float:
    """Return the CPU seconds of an episode of learning and play, without the computation of regret."""
    from mbrl.agents import make_agent  # noqa: PLC0415
    from mbrl.experiments.simulation import simulate  # noqa: PLC0415

    bandit = drawn_bandit(S, n, B, 0)
    key: dict[str, Any] = {"scenario": "speed", "name": learner, "simulation": 0, "seed": SEED, "monte_carlo": True}
    simulate(bandit, make_agent(learner, bandit, 1), episodes=1, **key)
    began = process_time()
    simulate(bandit, make_agent(learner, bandit, episodes), episodes=episodes, **key)
    return (process_time() - began) / episodes


def record_sweep(target: Path = SWEEP) -> None:
    """Measure regrets and times, and write them into `target`; this takes half an hour of one processor.

    Raises
    ------
    ModelError, OutputError
        If the target cannot be written; if possible, the error comes before anything is measured.
    """
    check_file(target)
    content: dict[str, Any] = {"curve": {}, "regrets": {}, "microseconds": {}}
    for S, n, B, K in SPEED:
        for learner in TIMED:
            taken = min(seconds(S, n, B, learner, K) for _ in range(2))
            content["microseconds"].setdefault(f"{S},{n},{B},{K}", {})[learner] = round(1e6 * taken, 2)
    for learner in LEARNERS:
        of = [regrets(*MIDDLE, learner, LONG, simulation) for simulation in range(LONG_SIMULATIONS)]
        content["curve"][learner] = [float(f"{sum(at) / len(at):.5g}") for at in zip(*of, strict=True)]
        for S, n, B in SIZES:
            last = [regrets(S, n, B, learner, [EPISODES], simulation)[0] for simulation in range(SIMULATIONS)]
            content["regrets"].setdefault(f"{S},{n},{B}", {})[learner] = [float(f"{each:.5g}") for each in last]
    with writing(target):
        target.write_text(json.dumps(content) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record_sweep()
