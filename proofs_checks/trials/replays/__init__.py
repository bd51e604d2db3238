"""Replays of short runs of the optimistic learners: enclosures decide each model's optimism, and the event's truth."""
