"""Short runs of the optimistic learners, replayed: each model is certified optimistic when its event holds, or not."""

from proofs_checks.trials.replays.events import event
from proofs_checks.trials.replays.history import Confidence, History, Learner, Radii, believed_model
from proofs_checks.trials.replays.replaying import LEARNERS, Replay, ReplayedEpisode, replay

__all__ = [
    "LEARNERS",
    "Confidence",
    "History",
    "Learner",
    "Radii",
    "Replay",
    "ReplayedEpisode",
    "believed_model",
    "event",
    "replay",
]
