"""The desk: what the scorekeeper's pages show, and how what is asked there is carried out."""
