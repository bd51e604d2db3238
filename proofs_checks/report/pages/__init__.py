"""The ledger for readers: in the terminal, as a web page, and as errata for the authors."""
