"""`scoreline up`: everything on this machine."""

import asyncio
import re
import signal
import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from services.cli.demo import demo
from services.cli.mesh import SERVICES, Endpoints, start_mesh
from services.cli.sender import Sender
from services.cli.session import DEFAULT_DATA, Data, complain
from services.runtime.local import Notice, Stack
from services.runtime.local.ports import is_free

_AGAIN = 20.0  # seconds between the end of the demo game and the next one


async def up(
    *,
    data: Data = DEFAULT_DATA,
    port: int = 8080,
    with_demo: Annotated[bool, Parameter(name="--demo", negative="")] = False,
    replicas: tuple[str, ...] = (),
) -> int:
    """Start the whole stack on this machine; Ctrl-C ends it.

    Parameters
    ----------
    port
        Port of the gateway: page, REST, server-sent events.
    with_demo
        Play the demo game, again and again.
    replicas
        How many processes of a service to run, such as fanout=2; may be given several times.
    """
    console = Console()
    if not 0 < port < 65536:
        return complain("--port: 1 to 65535")
    if not is_free(port):
        return complain(f"port {port} is taken: choose another with --port")
    for asked in replicas:
        if not re.fullmatch(rf"({'|'.join(SERVICES[:-1])})=([1-9]|1[0-6])", asked):
            return complain(f"--replicas takes {', '.join(SERVICES[:-1])} with =1 to =16, not {asked!r}")
    counts = {service: int(number) for service, _, number in (asked.partition("=") for asked in replicas)}
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)

    def tell(notice: Notice) -> None:
        why = f" ({notice.why})" if notice.why else ""
        console.print(f"[yellow]{notice.child} {notice.what.replace('_', ' ')}[/]{why}", highlight=False)

    began = time.monotonic()
    console.print(f"starting on {data.expanduser()} …", highlight=False)
    async with Stack(data, tell=tell) as stack:
        starting = asyncio.create_task(start_mesh(stack, port=port, replicas=counts))
        await asyncio.wait({starting, stopping := asyncio.create_task(stopped.wait())}, return_when="FIRST_COMPLETED")
        if not starting.done():
            starting.cancel()
            await asyncio.wait({starting})
            return 130
        endpoints = await starting
        _show(console, endpoints, stack.folder.path, time.monotonic() - began)
        if with_demo:
            console.print(
                "the demo game plays; in a second terminal: scoreline watch team:scoreline-mci", highlight=False
            )
        console.print("\nCtrl-C ends it.", highlight=False)
        playing = asyncio.create_task(_play(endpoints, stack.folder.path)) if with_demo else None
        await stopping
        console.print("stopping …")
        if playing:
            playing.cancel()
            await asyncio.wait({playing})
    return 0


def _show(console: Console, endpoints: Endpoints, data: Path, took: float) -> None:
    console.print(f"[green]ready[/] after {took:.1f} s\n", highlight=False)
    for name, address in (
        ("page", endpoints.gateway),
        ("REST", f"{endpoints.gateway}/v1/games"),
        ("ingestion", endpoints.ingestion),
        ("gamestate", endpoints.gamestate),
        ("fanout", endpoints.fanout),
        ("logs", str(data / "logs")),
    ):
        console.print(f"  {name:10} {address}", highlight=False)


async def _play(endpoints: Endpoints, data: Path) -> None:
    """Play the demo game over and over, each time as a game of its own; one that a stop cut short is ended first."""
    unfinished = data / "demo.run"
    async with Sender.to(endpoints, "scoreline") as sender:
        if unfinished.exists():
            for _, observation in demo(unfinished.read_text()):
                await sender.send(observation)
        while True:
            run = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
            unfinished.write_text(run)
            for delay, observation in demo(run):
                await asyncio.sleep(delay)
                await sender.send(observation)
            await sender.settle()
            unfinished.unlink()
            await asyncio.sleep(_AGAIN)
