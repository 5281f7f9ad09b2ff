"""Foreign files: one module per format, each reading bytes into a transcript."""
