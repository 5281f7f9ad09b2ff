"""The web server: pages for the hall and for the desk, and an API, served from the event's own laptop."""
