"""Experiments: scenarios, settings of a run, its rows on disk and its results.

``scenarios`` and ``settings`` define a run, ``simulation`` plays one learner once, ``regret`` evaluates its policies,
``runner`` runs everything in parallel, ``store`` and ``dataset`` keep rows and results, ``summary`` reads results.
``seeds`` is the source of all randomness.
"""
