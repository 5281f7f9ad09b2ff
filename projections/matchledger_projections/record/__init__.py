"""The record: the one fold over a tournament's log, and its contents."""
