"""The ledger as a self-contained web page."""

from proofs_checks.report.page import prepare_folder, write_report

__all__ = ["prepare_folder", "write_report"]
