"""The page in a browser, in front of games that change when the test says so."""

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator
from typing import NamedTuple

import pytest
from playwright.async_api import Browser, Page, async_playwright, expect

from scoreline.fanout.v1 import fanout_service_pb2 as fanout
from services.ingestion.providers import scoreline
from tests.support import soccer
from tests.support.gateways import gateway
from tests.support.scripted_games import ScriptedGames, serving

_FLAGS = [
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# What moved on the page, by the names of the animations.
_WATCH = "window.moved = []; addEventListener('animationstart', (event) => moved.push(event.animationName), true)"
PHONE = {"width": 390, "height": 844}


class World(NamedTuple):
    """A game, a browser's page, and what the page asked for and complained of."""

    games: ScriptedGames
    page: Page
    url: str
    asked: list[str]
    complaints: list[str]

    async def open(self, address: str = f"/#/games/{soccer.GAME_ID}") -> None:
        """Opens an address and waits until the stream has caught up."""
        await self.page.goto(self.url + address)
        await expect(self.page.get_by_text("Connected", exact=True)).to_be_visible()
        await expect(self.page.locator("[aria-busy]")).to_have_count(0)

    async def expect_score(self, home: int, away: int) -> None:
        """Waits for a score on the scoreboard."""
        await expect(self.page.locator(".figures")).to_have_text(f"{home}\u2013{away}")

    async def expect_moved(self, *names: str) -> None:
        """Waits until the animations of these names have begun."""
        for _ in range(100):
            if set(names) <= set(await self.page.evaluate("moved")):
                return
            await asyncio.sleep(0.05)
        pytest.fail(f"not all of {names} moved")


@pytest.fixture(scope="session")
async def browser() -> AsyncGenerator[Browser]:
    path = shutil.which("chromium")
    if path is None:
        if os.environ.get("SCORELINE_REQUIRE_CHROMIUM") == "1":
            pytest.fail("there is no chromium on the PATH")
        pytest.skip("there is no chromium on the PATH")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=_FLAGS)
        yield browser
        await browser.close()


@pytest.fixture
async def world(browser: Browser) -> AsyncGenerator[World]:
    games = ScriptedGames(scoreline.PROVIDER)
    await games.take(soccer.header(venue="The Meadow"))
    await games.take(soccer.goal("g1", 10))
    async with serving(games) as target, gateway(target) as running:
        context = await browser.new_context(viewport={"width": 1280, "height": 900})
        await context.add_init_script(_WATCH)
        page = await context.new_page()
        asked: list[str] = []
        complaints: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        yield World(games, page, running.url, asked, complaints)
        await context.close()


async def test_a_goal_arrives_and_is_retracted_with_its_reason(world: World):
    await world.open()
    await world.games.take(soccer.goal("g2", 60))
    await world.expect_score(2, 0)
    row = world.page.locator("[data-play=g2]")
    await expect(row).to_contain_text("Ada Striker scores")
    await expect(row.locator(".running")).to_have_text("2\u20130")

    await world.games.take(soccer.no_goal("g2", "offside in the build-up"))
    await world.expect_score(1, 0)
    await expect(row.locator("s")).to_have_text("Ada Striker scores")
    await expect(row).to_contain_text("Retracted: offside in the build-up")
    await expect(row.locator(".running")).to_have_text("")
    await expect(world.page.locator(".latest")).to_contain_text("2\u20130 is now 1\u20130")
    await expect(world.page.locator("#announcer")).to_have_text("Score corrected: Red Rovers 1, Blue Athletic 0")
    await expect(world.page).to_have_title("Red Rovers 1\u20130 Blue Athletic")
    await world.expect_moved("fell", "retracting")


async def test_what_is_retracted_stays_for_those_who_come_later(world: World):
    await world.games.take(soccer.no_goal("g1", "handball"))
    await world.open()
    await expect(world.page.locator("[data-play=g1]")).to_contain_text("Retracted: handball")
    assert await world.page.evaluate("moved.filter((name) => name !== 'breathe')") == []


async def test_a_changed_play_is_marked_and_a_late_one_stands_where_it_happened(world: World):
    await world.open()
    await world.games.take(soccer.goal("g2", 60))
    await world.games.take(soccer.goal("g2", 61, text="Ada Striker scores from far"))
    row = world.page.locator("[data-play=g2]")
    await expect(row).to_contain_text("Ada Striker scores from far")
    await expect(row.locator(".badge")).to_have_text("Corrected")
    await world.games.take(soccer.goal("g0", 5, "blues"))
    await expect(world.page.locator("[data-play=g0] .badge")).to_have_text("Reported late")
    order = [await line.get_attribute("data-play") for line in await world.page.locator(".play").all()]
    assert order == ["g2", "g1", "g0"]
    # The goals behind it stand at another score now.
    await expect(world.page.locator("[data-play=g1] .running")).to_have_text("1\u20131")
    await expect(row.locator(".running")).to_have_text("2\u20131")


async def test_a_broken_stream_goes_on_where_it_was_and_nothing_flashes_meanwhile(world: World):
    await world.open()
    await world.games.break_streams()
    await expect(world.page.get_by_text("Reconnecting")).to_be_visible()
    await world.games.take(soccer.goal("g2", 60))
    await world.games.take(soccer.goal("g3", 70, "blues"))
    await world.expect_score(2, 1)
    await expect(world.page.get_by_text("Connected", exact=True)).to_be_visible()
    assert [bool(token) for token in world.games.tokens] == [False, True]
    await expect(world.page.locator(".play.scoring")).to_have_count(3)
    assert "rose" not in await world.page.evaluate("moved")
    await world.games.take(soccer.goal("g4", 80))
    await world.expect_score(3, 1)
    await world.expect_moved("rose")


async def test_a_reset_begins_anew_on_the_open_stream(world: World):
    await world.open()
    await world.games.take(soccer.goal("g2", 60))
    await world.games.reset(soccer.GAME_ID)
    await world.games.take(soccer.goal("g3", 70, "blues"))
    await world.expect_score(2, 1)
    await expect(world.page.locator(".play.scoring")).to_have_count(3)
    assert len(world.games.tokens) == 1


async def test_the_link_and_the_data_are_two_signals(world: World):
    await world.open()
    status = fanout.SourceStatus(freshness=fanout.FRESHNESS_STALE, detail="gamestate is away")
    status.since.GetCurrentTime()
    await world.games.say(fanout.Item(source_status=status))
    await expect(world.page.get_by_text("Data stale since")).to_be_visible()
    await expect(world.page.get_by_text("Connected", exact=True)).to_be_visible()
    await world.games.say(fanout.Item(source_status=fanout.SourceStatus(freshness=fanout.FRESHNESS_RECOVERED)))
    await expect(world.page.get_by_text("Data fresh")).to_be_visible()


async def test_key_plays_and_all_plays(world: World):
    await world.open()
    await world.games.take(soccer.foul("f1", 20))
    row = world.page.locator("[data-play=f1]")
    await expect(row).to_be_attached()
    await expect(row).to_be_hidden()
    await world.page.get_by_role("button", name="All plays").press("Enter")
    await expect(row).to_be_visible()


async def test_statistics_follow_the_plays(world: World):
    await world.open()
    await world.games.take(soccer.goal("g2", 60))
    player = world.page.get_by_role("row", name="Ada Striker")
    await expect(player.get_by_role("cell").first).to_have_text("2")
    await world.games.take(soccer.no_goal("g2", "offside"))
    await expect(player.get_by_role("cell").first).to_have_text("1")
    await world.page.get_by_role("button", name="Blue Athletic").click()
    await expect(player).to_have_count(0)


async def test_the_score_by_period_and_a_shoot_out_apart(world: World):
    await world.open()
    kick = {"period": 5, "phase": "PHASE_SHOOTOUT", "clock_ms": 0, "display": "pens"}
    await world.games.take(soccer.goal("k1", 90, "blues", position=kick))
    await expect(world.page.locator(".phase-note")).to_have_text("0\u20131 on penalties")
    await world.expect_score(1, 0)
    heads = world.page.locator(".periods thead th")
    await expect(heads).to_have_text(["1st", "Pens", "T"])


async def test_the_list_is_live_and_leads_to_a_game(world: World):
    await world.games.take(soccer.header("GAME_STATUS_FINAL", game_id="cup-0"))
    await world.games.take(soccer.header("GAME_STATUS_SCHEDULED", game_id="cup-2"))
    await world.open("/")
    for title in ("In play", "To come", "Recent"):
        await expect(world.page.get_by_role("heading", name=title)).to_be_visible()
    card = world.page.locator(f"[href='#/games/{soccer.GAME_ID}']")
    await world.games.take(soccer.goal("g2", 60))
    await expect(card.locator(".points")).to_have_text(["2", "0"])
    await card.click()
    await world.expect_score(2, 0)
    await world.page.go_back()
    await expect(card.locator(".points")).to_have_text(["2", "0"])


async def test_a_game_that_does_not_exist_is_said_so(world: World):
    await world.page.goto(f"{world.url}/#/games/nobody")
    await expect(world.page.get_by_role("heading", name="There is no such game")).to_be_visible()


async def test_what_a_feed_says_is_text(world: World):
    await world.open()
    await world.games.take(soccer.goal("g2", 60, text="<img src=x onerror=alert(1)>"))
    await expect(world.page.locator("[data-play=g2] .text")).to_have_text("<img src=x onerror=alert(1)>")
    assert await world.page.locator("img").count() == 0


@pytest.mark.parametrize("address", ["/", f"/#/games/{soccer.GAME_ID}"])
async def test_on_a_phone_nothing_is_cut_off_and_nothing_comes_from_elsewhere(world: World, address: str):
    await world.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    await world.open(address)
    assert await world.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert [url for url in world.asked if not url.startswith(world.url)] == []
    assert world.complaints == []
