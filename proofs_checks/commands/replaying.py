"""The command that replays a short run of a learner with certified radii."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from proofs_checks.commands.options import json_option, leave_unless
from proofs_checks.trials.replays.confidence import Confidence
from proofs_checks.trials.replays.printing import print_replay, replay_content
from proofs_checks.trials.replays.replaying import replay as replay_run
from theory import PAPER_MODELS, paper_model, rational, read_model
from theory.terminal.console import Whole, WholeIn, print_json


@click.command()
@click.argument("model", metavar="MODEL")
@click.option(
    "--agent", "learner", default="mb-ucrl2", show_default=True, metavar="NAME", help="Or mb-ucbvi[-bernstein]."
)
@click.option(
    "--radii",
    type=click.Choice(["text", "appendix"]),
    default="text",
    show_default=True,
    help="Radii of the paper's text or of its appendix.",
)
@click.option("--episodes", type=WholeIn(min=1), default=30, show_default=True, metavar="K")
@click.option("--seed", type=Whole(), default=1, show_default=True, metavar="S")
@click.option("--share", default="1", show_default=True, metavar="X", help="Multiply every radius by this.")
@json_option
def replay(model: str, learner: Any, radii: Any, episodes: int, seed: int, share: str, as_json: bool) -> None:
    """Replay a short run of MB-UCRL2, MB-UCBVI or MB-UCBVI-Bernstein with certified radii.

    For every episode it prints whether the paper's event holds, and whether the episode's model is optimistic: its
    optimal value is at least the true one in every global state. The paper proves that the event implies optimism. For
    learners with a bonus it also prints whether the event of moves and the recursion that bounds MB-UCBVI's regret
    hold. MODEL is a model file, or the name of a model of the paper, with arms of equal size and rewards in [0, 1]. The
    exit code is 0 exactly when every episode in which the event held was optimistic and kept the recursion.
    """
    confidence = Confidence(radii, episodes, rational(share))
    truth = paper_model(model) if model in PAPER_MODELS and not Path(model).exists() else read_model(model)
    found = replay_run(learner, truth, confidence, seed)
    if as_json:
        print_json(replay_content(learner, confidence, found))
    else:
        print_replay(learner, confidence, found)
    leave_unless(all(each.stands for each in found))
