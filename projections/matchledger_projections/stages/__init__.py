"""Stages: how many rounds there are, who goes on, who meets whom then, and the final places."""
