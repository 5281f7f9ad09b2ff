"""The desk: the contents of the scorekeeper's pages, and the execution of their forms."""
