"""The service: the only entrance for every face."""
