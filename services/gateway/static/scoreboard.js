// The head of a game's page: teams, score, status and clock, score by period, and what needs saying about it.

import { arrange, h, play, setText } from "./dom.js";
import {
  clockOf,
  clockTime,
  day,
  isInPlay,
  isOver,
  isToCome,
  periodColumn,
  phaseNote,
  scoreText,
  seasonWord,
  sportWord,
  standing,
  teamName,
  teamShort,
} from "./words.js";

const SIDES = ["home", "away"];

export class Scoreboard {
  constructor() {
    this.context = h("p", { class: "context" });
    this.names = { home: h("h2"), away: h("h2") };
    this.points = { home: h("span", { class: "points" }), away: h("span", { class: "points" }) };
    this.status = h("span", { class: "status" });
    this.clock = h("span", { class: "clock" });
    this.note = h("p", { class: "phase-note" });
    this.latest = h("p", { class: "latest" });
    this.periods = h("div", { class: "periods" });
    this.remarks = h("ul", { class: "remarks" });
    this.root = h(
      "section",
      { class: "scoreboard", "aria-label": "Score" },
      this.context,
      h(
        "div",
        { class: "score" },
        h("div", { class: "team", "data-side": "home" }, this.names.home),
        h(
          "div",
          { class: "centre" },
          h("p", { class: "figures" }, this.points.home, h("span", { class: "dash" }, "\u2013"), this.points.away),
          this.note,
          h("p", { class: "now" }, this.status, this.clock),
        ),
        h("div", { class: "team", "data-side": "away" }, this.names.away),
      ),
      this.latest,
      this.periods,
      this.remarks,
    );
  }

  /** Shows a game's state. */
  show(state) {
    const { header } = state;
    const context = [
      header.competition?.name || sportWord(header.sport),
      seasonWord(header.competition?.season),
      header.venue,
    ];
    if (header.scheduled_at) context.push(day(header.scheduled_at));
    setText(this.context, context.filter(Boolean).join("  \u00b7  "));
    for (const side of SIDES) {
      setText(this.names[side], teamName(header[side], side === "home" ? "Home" : "Away"));
      setText(this.points[side], isToCome(state.status) ? "" : String(state.score?.[side] ?? 0));
    }
    this.root.dataset.sport = header.sport;
    this.root.dataset.status = isInPlay(state.status) ? "in-play" : isOver(state.status) ? "over" : "to-come";
    this.root.dataset.live = String(state.status === "GAME_STATUS_LIVE");
    setText(this.note, phaseNote(header.sport, state.phases));
    setText(this.status, standing(header.sport, state.status, state.position, header.scheduled_at));
    setText(this.clock, isInPlay(state.status) ? clockOf(state.position) : "");
    arrange(this.periods, periodTable(state));
    arrange(
      this.remarks,
      remarks(state).map((text) => h("li", {}, text)),
    );
  }

  /** Draws the eye to what changed in the score. */
  flash(before, after) {
    for (const side of SIDES) {
      if (after[side] > before[side]) play(this.points[side], "rose");
      else if (after[side] < before[side]) play(this.points[side], "fell");
    }
  }

  /** Says what happened last; `tone` is "plain", "score" or "correction". */
  tell(text, tone) {
    this.latest.dataset.tone = tone;
    setText(this.latest, text);
    if (tone !== "plain") play(this.latest, tone === "correction" ? "retracting" : "arrived");
  }
}

function periodTable({ header, periods, score, status, phases }) {
  if (isToCome(status) || !periods?.length) return [];
  const apart = new Set(["PHASE_SHOOTOUT", "PHASE_SUPER_OVER"]);
  const shown = periods.filter((period) => period.period > 0);
  const heads = shown.map((period) =>
    h(
      "th",
      { scope: "col", class: apart.has(period.phase) && "apart" },
      periodColumn(header.sport, period.period, period.phase),
    ),
  );
  const rows = SIDES.map((side) =>
    h(
      "tr",
      { "data-side": side },
      h("th", { scope: "row" }, teamShort(header[side], side === "home" ? "Home" : "Away")),
      shown.map((period) => h("td", { class: apart.has(period.phase) && "apart" }, String(period.score?.[side] ?? 0))),
      h("td", { class: "total" }, String(score?.[side] ?? 0)),
    ),
  );
  const head = h("tr", {}, h("td"), heads, h("th", { scope: "col", class: "total" }, "T"));
  const caption = h("caption", { class: "unseen" }, `Score by period${phases?.length > 1 ? ", phases apart" : ""}`);
  return [h("table", {}, caption, h("thead", {}, head), h("tbody", {}, rows))];
}

function remarks(state) {
  const told = [];
  const { score, confirmed_score: confirmed } = state;
  if (confirmed && score && (confirmed.home !== score.home || confirmed.away !== score.away)) {
    told.push(`Confirmed so far: ${scoreText(confirmed)}`);
  }
  for (const { reason, points } of state.adjustments ?? [])
    told.push(`Includes ${scoreText(points)} that no play here explains: ${reason}.`);
  if (state.corrected_after_final) told.push("Corrected after the end of the game.");
  if (state.degraded) told.push("A message about this game could not be read yet; something may be missing.");
  if (isInPlay(state.status) && state.accepted_at) told.push(`Last change ${clockTime(state.accepted_at)}`);
  return told;
}
