"""Replays of short runs of the optimistic learners: enclosures decide each model's optimism, and the event's truth."""

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
