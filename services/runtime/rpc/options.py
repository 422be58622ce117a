"""Options of channels and servers that have to fit together."""

ChannelOptions = list[tuple[str, str | int]]

LARGEST_MESSAGE = 16 * 1024 * 1024  # bytes
_LARGEST_METADATA = 32 * 1024  # bytes; the default of 8 KiB would cut off an error with many violations
_PING_EVERY = 5_000  # milliseconds
_PING_ANSWERED_WITHIN = 3_000  # milliseconds


def both_sides(largest_received: int = LARGEST_MESSAGE) -> ChannelOptions:
    """What servers and clients have alike."""
    return [
        ("grpc.max_receive_message_length", largest_received),
        ("grpc.max_send_message_length", LARGEST_MESSAGE),
        ("grpc.max_metadata_size", _LARGEST_METADATA),
        ("grpc.keepalive_time_ms", _PING_EVERY),
        ("grpc.keepalive_timeout_ms", _PING_ANSWERED_WITHIN),
        # The time-out of keepalive pings is ignored where this one is not set.
        ("grpc.http2.ping_timeout_ms", _PING_ANSWERED_WITHIN),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        # With probing, a reader that stalls gets a window of megabytes before `await write()` waits.
        ("grpc.http2.bdp_probe", 0),
    ]


def server_options(
    *, reuse_port: bool, max_connection_age: float | None, largest_request: int = LARGEST_MESSAGE
) -> ChannelOptions:
    """A server's options.

    Args:
        reuse_port: other processes may listen on the same port.
        max_connection_age: seconds until a connection is told to go, give or take a tenth; None is never.
        largest_request: bytes.
    """
    options: ChannelOptions = [
        *both_sides(largest_request),
        ("grpc.so_reuseport", int(reuse_port)),
        # Clients of other makers may ping more often than ours; it costs less than cutting them off.
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 1_000),
        ("grpc.http2.max_ping_strikes", 0),
    ]
    if max_connection_age is not None:
        options.append(("grpc.max_connection_age_ms", int(max_connection_age * 1000)))
        options.append(("grpc.max_connection_age_grace_ms", 10_000))
    return options


def channel_options() -> ChannelOptions:
    """A client's options."""
    return [
        *both_sides(),
        ("grpc.lb_policy_name", "round_robin"),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 2_000),
    ]
