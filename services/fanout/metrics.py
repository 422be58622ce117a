"""What fanout counts."""

from prometheus_client import Counter, Gauge, Histogram

streams = Gauge("scoreline_fanout_streams", "Streams that are open.")
games = Gauge("scoreline_fanout_games", "Games that are followed by a stream.")
writes = Counter("scoreline_fanout_writes", "Responses written to streams.")
deliveries = Counter("scoreline_fanout_deliveries", "Updates and corrections written to streams.")
resets = Counter("scoreline_fanout_resets", "Games reset on streams, by reason.", ["reason"])
reads = Counter("scoreline_fanout_reads", "What was read from gamestate for streams, by kind.", ["kind"])
gaps_repaired = Counter("scoreline_fanout_gaps_repaired", "Times that the log filled what the bus had lost.")
dropped = Counter("scoreline_fanout_dropped", "Messages of the bus that could not be read.")
age = Histogram(
    "scoreline_fanout_age_seconds",
    "From the log's taking an event to its update being ready for the streams.",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
