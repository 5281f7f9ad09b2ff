"""The service: the command line, the pages and the API do everything through this package."""
