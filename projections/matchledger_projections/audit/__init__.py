"""What the log can be asked: why, since when, what changed, what would follow, what was done by hand."""
