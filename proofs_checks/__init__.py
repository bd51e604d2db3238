"""The ledger: every claim of the paper, with a check that can fail.

``python -m proofs_checks`` runs it on the command line; `run` returns in Python what ``--json`` prints of each claim.

Examples
--------
>>> from proofs_checks.paper import SOURCE, registry
>>> from proofs_checks.claimcheck.ledger import run
>>> (entry,) = run(["thm:no_OFU/value-M1"], registry(), SOURCE)
>>> entry["verdict"], entry["severity"], entry["witness"]["value"]
('fails', 'slip', '5163/800')

`proofs_checks.trials.properties` tries formulas of your own; `proofs_checks.trials.conformance` holds functions and
learners of your own to exact answers.
"""
