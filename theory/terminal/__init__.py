"""What all commands share, without mathematics: consoles, written files, worker processes."""
