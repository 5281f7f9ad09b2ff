"""Pages: one module per area, each a router."""
