"""Evidence: dispute files, exports, migrations and erasures."""
