"""The service: the single entrance for every face."""
