"""Foreign files: each format has a module, which turns bytes into a transcript."""
