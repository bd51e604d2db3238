"""The ledger for readers: the annotated page, the errata, the terminal, the pictures and the note."""
