"""Theorems about the paper that a proof kernel checks: the Rocq sources, their compilation, and the record of it.

Each ``.v`` file has one subject and reads from top to bottom: definitions and statements in the paper's terms, then
proofs. The comment before a theorem names the entries of the ledger that the theorem establishes
(``ledger: thm:no_OFU``), and the entries whose argument has it as a step (``step of: conc:r``).

The ledger does not need Rocq. It reads `record`, which has every theorem's statement and assumptions as the kernel
printed them, and a digest of the sources compiled. `is_current` says whether these are the sources in this folder, and
`kernel_word` whether they were also compiled on this machine.
"""

from proofs_checks.kernel.compilation import CompiledFile, KernelReport, compile_sources
from proofs_checks.kernel.coqc import KernelError
from proofs_checks.kernel.headlines import Headline, headlines
from proofs_checks.kernel.questions import ALLOWED_AXIOMS, allowed_axioms
from proofs_checks.kernel.record import (
    RECORD,
    is_current,
    kernel_word,
    record,
    theorems_by_entry,
    theorems_named,
    write_record,
)
from proofs_checks.kernel.sources import FOLDER, Theorem, digest, source_files, written_theorems

__all__ = [
    "ALLOWED_AXIOMS",
    "FOLDER",
    "RECORD",
    "CompiledFile",
    "Headline",
    "KernelError",
    "KernelReport",
    "Theorem",
    "allowed_axioms",
    "compile_sources",
    "digest",
    "headlines",
    "is_current",
    "kernel_word",
    "record",
    "source_files",
    "theorems_by_entry",
    "theorems_named",
    "write_record",
    "written_theorems",
]
