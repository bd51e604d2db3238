"""Tools that all commands share, without mathematics: consoles, output files, worker processes."""
