"""Theorems about the paper that a proof kernel checks: the Rocq sources, their compilation, and the record of it.

Each ``.v`` file has one subject and reads from top to bottom: definitions and statements in the paper's terms, then
proofs. The comment before a theorem names the entries of the ledger that the theorem establishes
(``ledger: thm:no_OFU``), and the entries whose argument has it as a step (``step of: conc:r``).

The ledger does not need Rocq. It reads the record (`record.record`), which has every theorem's statement and
assumptions as the kernel printed them, and a digest of the sources compiled. `record.is_current` says whether these are
the sources in this folder, and `record.kernel_word` whether they were also compiled on this machine.
"""
