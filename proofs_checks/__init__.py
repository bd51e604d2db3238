"""The ledger: every claim of the paper, with a check that can fail.

On the command line it is ``python -m proofs_checks``; in Python, what is known of a claim is what ``--json`` prints.

Examples
--------
>>> from proofs_checks.paper import SOURCE, registry
>>> from proofs_checks.claimcheck.ledger import run
>>> (entry,) = run(["thm:no_OFU/value-M1"], registry(), SOURCE)
>>> entry["verdict"], entry["severity"], entry["witness"]["value"]
('fails', 'slip', '5163/800')

Formulas of one's own are tried by `proofs_checks.trials.properties`, functions and learners held to exact answers by
`proofs_checks.trials.conformance`.
"""
