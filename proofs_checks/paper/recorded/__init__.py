"""Small summaries of finished experiments: the data of the ledger's empirical entries.

``python -m proofs_checks record RUN_DIR...`` makes ``runs.json`` here from folders that ``python -m mbrl run`` wrote;
the entries recompute their confidence intervals from this file. ``variances.json`` is made in the same way.
"""

from proofs_checks.paper.recorded.runs import VARIANCES, AgentRecord, Run, record_runs, recorded_run

__all__ = ["VARIANCES", "AgentRecord", "Run", "record_runs", "recorded_run"]
