"""The desk: the content of the scorekeeper's pages, and the actions of their forms."""
