"""The desk: what the scorekeeper's pages show, and what their forms do."""
