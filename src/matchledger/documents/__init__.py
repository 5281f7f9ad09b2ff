"""Documents: what every face gives out, as JSON that other people's scripts rely on."""
