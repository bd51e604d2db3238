"""Experiments: scenarios, what a run is, its rows on disk and its results.

``scenarios`` and ``settings`` say what to run, ``simulation`` plays one learner once, ``regret`` judges its policies,
``runner`` runs everything in parallel, ``store`` and ``dataset`` keep the rows and the results, ``summary`` reads them.
All randomness comes from ``seeds``.
"""
