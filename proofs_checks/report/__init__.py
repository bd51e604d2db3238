"""What a reader is shown: the annotated page, corrections, the terminal, pictures, the note."""
