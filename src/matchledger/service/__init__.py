"""The service: the one way in for every face."""
