"""Experiments: scenarios, what a run is, its rows on disk and its results."""
