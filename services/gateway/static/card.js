// A game in the list.

import { h, play, setText } from "./dom.js";
import { clockOf, isInPlay, isOver, isToCome, phaseNote, sportWord, standing, teamName, when } from "./words.js";

const SIDES = ["home", "away"];

/** A game in the list. */
export class Card {
  constructor(id) {
    this.competition = h("span", { class: "competition" });
    this.status = h("span", { class: "status" });
    this.clock = h("span", { class: "clock" });
    this.note = h("span", { class: "note" });
    this.names = { home: h("span", { class: "name" }), away: h("span", { class: "name" }) };
    this.points = { home: h("span", { class: "points" }), away: h("span", { class: "points" }) };
    this.root = h(
      "a",
      { class: "card", href: `#/games/${encodeURIComponent(id)}` },
      h("span", { class: "top" }, this.competition, h("span", { class: "now" }, this.status, this.clock)),
      SIDES.map((side) => h("span", { class: "side", "data-side": side }, this.names[side], this.points[side])),
      this.note,
    );
  }

  show({ header, status, position, score, phases }) {
    setText(this.competition, header.competition?.name || sportWord(header.sport));
    setText(this.status, standing(header.sport, status, position, header.scheduled_at));
    setText(this.clock, isInPlay(status) ? clockOf(position) : "");
    const note = phaseNote(header.sport, phases);
    setText(
      this.note,
      note || (isOver(status) && header.scheduled_at ? when(header.scheduled_at) : (header.venue ?? "")),
    );
    const leads = { home: (score?.home ?? 0) > (score?.away ?? 0), away: (score?.away ?? 0) > (score?.home ?? 0) };
    for (const side of SIDES) {
      setText(this.names[side], teamName(header[side], side === "home" ? "Home" : "Away"));
      setText(this.points[side], isToCome(status) ? "" : String(score?.[side] ?? 0));
      this.points[side].parentElement.classList.toggle("leads", leads[side]);
    }
    this.root.dataset.live = String(status === "GAME_STATUS_LIVE");
  }

  flash(before, after) {
    for (const side of SIDES) {
      if (after[side] !== before[side]) play(this.points[side], after[side] > before[side] ? "rose" : "fell");
    }
  }
}
