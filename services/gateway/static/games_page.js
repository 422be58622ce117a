// All games: those in play live, those to come, and those that are over.

import { readGames } from "./api.js";
import { Card } from "./card.js";
import { clearConnection, showFreshness, showLink } from "./connection.js";
import { arrange, h } from "./dom.js";
import { Stream } from "./stream.js";
import { isInPlay, isOver, isToCome } from "./words.js";

const POLL = 10_000; // milliseconds between looks at the list, for games that begin
const MOST_LIVE = 100;

export class GamesPage {
  constructor() {
    this.games = new Map();
    this.cards = new Map();
    this.followed = "";
    this.ended = new AbortController();
    this.sections = [
      section("In play", (game) => isInPlay(game.status)),
      section("To come", (game) => isToCome(game.status)),
      section("Recent", (game) => isOver(game.status)),
    ];
    this.empty = h("p", { class: "empty" }, "No games yet. They appear here as soon as a feed tells of one.");
    this.empty.hidden = true;
    this.root = h(
      "div",
      { class: "games" },
      h("h1", { class: "unseen" }, "Games"),
      this.empty,
      this.sections.map(({ root }) => root),
    );
  }

  /** Begins. Throws when the list cannot be read. */
  async open() {
    await this.read();
    document.title = "Scoreline";
  }

  close() {
    this.ended.abort();
    this.stream?.close();
    clearTimeout(this.timer);
  }

  async read() {
    const { games } = await readGames(this.ended.signal);
    this.order = games.map((game) => game.game_id);
    for (const summary of games) {
      const known = this.games.get(summary.game_id);
      if (!known || known.seq < Number(summary.seq)) this.games.set(summary.game_id, fromSummary(summary));
    }
    this.follow();
    this.show();
    this.timer = setTimeout(() => this.poll(), POLL);
  }

  async poll() {
    try {
      await this.read();
    } catch (error) {
      if (error.name !== "AbortError") this.timer = setTimeout(() => this.poll(), POLL);
    }
  }

  /** One stream for all games in play; a browser has few to give. */
  follow() {
    const ids = this.order.filter((id) => isInPlay(this.games.get(id).status)).slice(0, MOST_LIVE);
    if (ids.toSorted().join() === this.followed) return;
    this.followed = ids.toSorted().join();
    this.stream?.close();
    this.stream = null;
    if (!ids.length) return clearConnection();
    this.caughtUp = false;
    this.stream = new Stream(
      ids.map((id) => ["game", id]),
      (kind, item) => this.hear(kind, item),
      (link) => showLink(link, this.lastHeard),
    );
  }

  hear(kind, item) {
    this.lastHeard = Date.now();
    if (kind === "accepted") {
      this.caughtUp = false;
      showFreshness("FRESHNESS_FRESH");
    } else if (kind === "caught_up") this.caughtUp = true;
    else if (kind === "source_status") showFreshness(item.freshness, item.since, item.detail);
    else if (kind === "snapshot" && item.state.game_id) this.take(fromState(item.state), true);
    else if (kind === "update" || kind === "correction") {
      const known = this.games.get(item.update.game_id);
      if (known) this.take({ ...known, ...fromUpdate(item.update) }, false);
    }
  }

  take(game, whole) {
    const known = this.games.get(game.game_id);
    if (!whole && known.seq >= game.seq) return;
    this.games.set(game.game_id, game);
    this.show();
    if (this.caughtUp && known?.score) this.cards.get(game.game_id)?.flash(known.score, game.score);
  }

  show() {
    const games = this.order.map((id) => this.games.get(id));
    for (const { root, grid, takes } of this.sections) {
      const shown = games.filter(takes);
      root.hidden = shown.length === 0;
      arrange(
        grid,
        shown.map((game) => this.card(game).root),
      );
    }
    this.empty.hidden = games.length > 0;
  }

  card(game) {
    let card = this.cards.get(game.game_id);
    if (!card) {
      card = new Card(game.game_id);
      this.cards.set(game.game_id, card);
    }
    card.show(game);
    return card;
  }
}

function section(title, takes) {
  const grid = h("div", { class: "grid" });
  return { grid, takes, root: h("section", {}, h("h2", {}, title), grid) };
}

const fromSummary = ({ header, ...summary }) => ({
  ...summary,
  header,
  seq: Number(summary.seq),
  status: header.status,
});
const fromState = ({ header, ...state }) => ({
  game_id: state.game_id,
  seq: Number(state.seq),
  header,
  status: header.status,
  score: state.score,
  phases: state.phases,
  position: state.position,
});
const fromUpdate = (update) => ({
  seq: Number(update.seq),
  status: update.status,
  score: update.score,
  phases: update.phases,
  position: update.position,
  ...(update.event.header?.current && { header: update.event.header.header }),
});
