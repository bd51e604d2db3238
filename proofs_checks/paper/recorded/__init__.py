"""What finished experiments showed, kept small: the data of the ledger's empirical entries.

``python -m proofs_checks record RUN_DIR...`` makes ``runs.json`` here from the folders that ``python -m mbrl run``
filled; the entries recompute their confidence intervals from it. ``variances.json`` is made in the same way.
"""

from proofs_checks.paper.recorded.runs import VARIANCES, AgentRecord, Run, record_runs, recorded_run

__all__ = ["VARIANCES", "AgentRecord", "Run", "record_runs", "recorded_run"]
