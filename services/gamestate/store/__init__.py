"""What gamestate keeps in PostgreSQL, all of it derived from the log."""
