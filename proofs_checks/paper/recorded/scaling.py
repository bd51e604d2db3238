"""The growth of planning time with the number of arms: measured once, and recorded.

``python -m proofs_checks record-times`` plays bandits of more and more copies of the first random walk and writes
``scaling.json``. The times are of one machine; the ledger compares them only with each other.
"""

from __future__ import annotations

import json
from pathlib import Path

from theory import Arm, Bandit, paper_model
from theory.terminal.outputs import check_file, writing

TIMES = Path(__file__).with_name("scaling.json")
ARMS = {"mb-psrl": (4, 8, 16, 32, 64, 128), "mb-ucbvi": (4, 8, 16, 32, 64, 128), "mb-ucrl2": (2, 3, 4, 5, 6)}
"""Numbers of arms tried, by learner; each arm has four states."""

_EPISODES = 5000


def recorded_times() -> dict[str, dict[int, float]]:
    """Return the recorded median milliseconds per episode, by learner and number of arms."""
    content = json.loads(TIMES.read_text(encoding="utf-8"))
    return {agent: {int(n): time for n, time in times.items()} for agent, times in content.items()}


def record_times(target: Path = TIMES) -> None:
    """Measure the times, and write their medians into `target`.

    Raises
    ------
    ModelError, OutputError
        If the target cannot be written; if possible, the error comes before anything is measured.
    """
    check_file(target)
    content = {agent: {str(n): _milliseconds(agent, n) for n in numbers} for agent, numbers in ARMS.items()}
    with writing(target):
        target.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _milliseconds(agent: str, arms: int) -> float:
    import numpy as np  # noqa: PLC0415  (measuring needs the learners; the ledger does not)

    from mbrl.agents.registry import make_agent  # noqa: PLC0415
    from mbrl.environments.environment import from_bandit, with_rewards  # noqa: PLC0415
    from mbrl.experiments.simulation import simulate  # noqa: PLC0415

    walk = paper_model("random-walk")
    first = Arm(rewards=walk.arms[0].rewards, transitions=walk.arms[0].transitions)
    walks = from_bandit(Bandit([first] * arms, walk.discount, [0] * arms), f"{arms} walks")
    environment = with_rewards(walks, "bernoulli")
    _, seconds = simulate(
        environment,
        make_agent(agent, environment, _EPISODES),
        scenario="scaling",
        name=agent,
        simulation=arms,
        episodes=_EPISODES,
        seed=0,
        monte_carlo=True,
    )
    return round(1000 * float(np.median(seconds[_EPISODES // 2 :])), 6)
