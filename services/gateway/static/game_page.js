// One game: its stream drives a model, the model the views.

import { readGame, readPlays } from "./api.js";
import { showFreshness, showLink } from "./connection.js";
import { announce, choice, h } from "./dom.js";
import { Game } from "./game.js";
import { Scoreboard } from "./scoreboard.js";
import { StatisticsView } from "./statistics_view.js";
import { Stream } from "./stream.js";
import { Timeline } from "./timeline.js";
import { TimelineView, textOf } from "./timeline_view.js";
import { isInPlay, scoreText, teamName } from "./words.js";

const SOON = 150; // milliseconds in which requests for the same thing become one
const CORRECTION_STANDS = 10_000; // milliseconds that no lesser news takes its place
const LATER = 2_000; // milliseconds until a read that failed is tried again

export class GamePage {
  constructor(id) {
    this.id = id;
    this.game = new Game(id);
    this.timeline = new Timeline();
    this.waiting = [];
    this.changes = [];
    this.caughtUp = false;
    this.loaded = false;
    this.toldId = "";
    this.standsUntil = 0;
    this.ended = new AbortController();
    this.scoreboard = new Scoreboard();
    this.plays = new TimelineView();
    this.statistics = new StatisticsView();
    const panels = h("div", { class: "panels", "data-panel": "timeline" }, this.plays.root, this.statistics.root);
    const tabs = [
      ["timeline", "Timeline"],
      ["statistics", "Statistics"],
    ];
    const pick = choice("What to see", tabs, "timeline", (panel) => {
      panels.dataset.panel = panel;
    });
    pick.classList.add("tabs");
    this.root = h(
      "article",
      { class: "game" },
      h("a", { class: "back", href: "#/" }, "All games"),
      this.scoreboard.root,
      pick,
      panels,
    );
    this.root.setAttribute("aria-busy", "true");
  }

  /** Begins. Throws Refused when there is no such game. */
  async open() {
    const { state, statistics } = await readGame(this.id, this.ended.signal);
    this.game.takeWhole(state, statistics);
    if (isInPlay(state.header.status) && state.last_plays.length) {
      const last = state.last_plays.at(-1);
      this.scoreboard.tell(textOf(last), "plain");
      this.toldId = last.play_id;
    }
    this.draw();
    this.stream = new Stream(
      [["game", this.id]],
      (kind, item) => this.hear(kind, item),
      (link) => showLink(link, this.lastHeard),
    );
  }

  close() {
    this.ended.abort();
    this.stream?.close();
    clearTimeout(this.playsTimer);
    clearTimeout(this.gameTimer);
    cancelAnimationFrame(this.frame);
  }

  hear(kind, item) {
    this.lastHeard = Date.now();
    switch (kind) {
      case "accepted":
        this.caughtUp = false;
        showFreshness("FRESHNESS_FRESH");
        break;
      case "snapshot":
        this.waiting.length = 0;
        if (this.game.takeSnapshot(item)) this.readPlays();
        break;
      case "update":
      case "correction":
        this.hearDelivery(item);
        break;
      case "caught_up":
        this.caughtUp = true;
        break;
      case "reset":
        this.loaded = false;
        this.caughtUp = false;
        break;
      case "source_status":
        showFreshness(item.freshness, item.since, item.detail);
        break;
    }
    this.draw();
  }

  hearDelivery(delivery) {
    const { update } = delivery;
    if (update.game_id !== this.id) return;
    if (this.game.misses(delivery)) {
      this.stream.again();
      return;
    }
    const before = this.game.takeUpdate(update);
    if (before) this.tell(before, update);
    if (this.loaded) this.takePlay(update);
    else this.waiting.push(update);
  }

  takePlay(update) {
    const changed = this.timeline.takeUpdate(update);
    if (changed && this.caughtUp) this.changes.push(changed);
    if (update.scores_changed_from) this.readPlays();
  }

  /** Brings a change to the viewer's notice, unless it was before the stream had caught up. */
  tell(before, update) {
    const { score, correction, event } = update;
    const scored = score.home !== before.score.home || score.away !== before.score.away;
    const boundary = event.play?.play?.play_class === "PLAY_CLASS_PERIOD";
    const phased = JSON.stringify(update.phases) !== JSON.stringify(before.phases);
    // Periods are told by the state alone.
    if (scored || phased || boundary || event.header) this.readGameSoon();
    if (!this.caughtUp) return;
    if (scored) {
      this.scoreboard.flash(before.score, score);
      this.announceScore(score, correction);
    }
    this.tellLatest(before, update, scored);
  }

  /** Fills the line below the score: with a correction, which stands for a while, else with what was new last. */
  tellLatest(before, { score, correction, event }, scored) {
    const played = event.play?.play;
    const text = played ? textOf(played) : "";
    if (correction && (scored || correction.kind === "CORRECTION_KIND_CANCELLED")) {
      this.scoreboard.tell(correctionText(correction, before.score, score, scored, text), "correction");
      this.standsUntil = Date.now() + CORRECTION_STANDS;
    } else if (played && (scored || (!correction && played.play_class !== "PLAY_CLASS_ACTION"))) {
      if (!scored && Date.now() < this.standsUntil) return;
      this.scoreboard.tell(text, scored ? "score" : "plain");
    } else if (played && played.play_id === this.toldId) {
      this.scoreboard.tell(text, "plain");
    } else return;
    this.toldId = played?.play_id;
  }

  announceScore(score, correction) {
    const { home, away } = this.game.state.header;
    const what = correction ? "Score corrected: " : "";
    announce(`${what}${teamName(home, "Home")} ${score.home}, ${teamName(away, "Away")} ${score.away}`);
  }

  /** Reads all plays, and takes what the stream told meanwhile on top. */
  readPlays() {
    this.loaded = false;
    clearTimeout(this.playsTimer);
    this.playsTimer = setTimeout(async () => {
      try {
        const { plays, seq } = await readPlays(this.id, this.ended.signal);
        const first = this.waiting.length ? Number(this.waiting[0].seq) : this.game.seq + 1;
        if (seq < first - 1) return this.readPlays(); // older than what the stream went on from
        this.timeline.takeWhole(plays, seq);
        this.loaded = true;
        for (const update of this.waiting.splice(0)) this.takePlay(update);
        this.root.removeAttribute("aria-busy");
        this.draw();
      } catch (error) {
        if (error.name !== "AbortError") this.playsTimer = setTimeout(() => this.readPlays(), LATER);
      }
    }, SOON);
  }

  /** Reads what updates do not carry: the score by period, and remarks. */
  readGameSoon() {
    clearTimeout(this.gameTimer);
    this.gameTimer = setTimeout(async () => {
      try {
        const { state } = await readGame(this.id, this.ended.signal);
        if (Number(state.seq) < this.game.seq) return this.readGameSoon();
        const { periods, adjustments, corrected_after_final, degraded } = state;
        Object.assign(this.game.state, { periods, adjustments, corrected_after_final, degraded });
        this.draw();
      } catch (error) {
        if (error.name !== "AbortError") this.gameTimer = setTimeout(() => this.readGameSoon(), LATER);
      }
    }, SOON);
  }

  /** Draws before the next frame, however much was heard until then. */
  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const { state } = this.game;
      this.scoreboard.show(state);
      this.statistics.show(this.game);
      if (this.loaded) this.plays.show(this.timeline, this.game, this.changes.splice(0));
      const [home, away] = [teamName(state.header.home, "Home"), teamName(state.header.away, "Away")];
      document.title = `${home} ${scoreText(state.score)} ${away}`;
    });
  }
}

function correctionText(correction, before, after, scored, text) {
  const what = correction.kind === "CORRECTION_KIND_CANCELLED" ? "Retracted" : "Corrected";
  const score = scored ? `, ${scoreText(before)} is now ${scoreText(after)}` : "";
  const why = correction.reason ? `. ${correction.reason}` : "";
  return `${what}: ${text || "score"}${score}${why}`;
}
