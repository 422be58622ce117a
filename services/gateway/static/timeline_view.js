// The timeline on the page: newest first, period by period, each play a row that stays the same element.

import { arrange, choice, h, play, setText } from "./dom.js";
import { mark } from "./icons.js";
import { isKey } from "./timeline.js";
import { clockOf, periodName, scoreText, sentence, teamShort } from "./words.js";

const ROLES_TOLD = new Set(["PARTICIPANT_ROLE_SCORER", "PARTICIPANT_ROLE_SHOOTER", "PARTICIPANT_ROLE_OFFENDER"]);

export class TimelineView {
  constructor() {
    this.rows = new Map();
    this.list = h("ol", { class: "plays", reversed: true });
    this.empty = h("p", { class: "empty" }, "No plays yet.");
    const filters = [
      ["key", "Key plays"],
      ["all", "All plays"],
    ];
    const filter = choice("Which plays", filters, "key", (value) => {
      this.root.dataset.filter = value;
    });
    this.root = h(
      "section",
      { class: "timeline", "data-filter": "key", "aria-labelledby": "timeline-title" },
      h("header", {}, h("h3", { id: "timeline-title" }, "Timeline"), filter),
      this.empty,
      this.list,
    );
  }

  /** Shows the timeline of a game; `changes` are to be noticed: [{id, change}, …]. */
  show(timeline, game, changes = []) {
    const { header } = game.state;
    const nodes = [];
    const used = new Set();
    let heading = null;
    for (const [id, entry] of timeline.newestFirst()) {
      const { period = 0, phase } = entry.play.position ?? {};
      if (heading?.dataset.period !== `${period} ${phase}`) {
        heading = this.heading(header.sport, period, phase);
        nodes.push(heading);
        used.add(heading.dataset.key);
      }
      const row = this.row(id, entry, game);
      if (!row.classList.contains("minor")) heading.classList.remove("minor");
      nodes.push(row);
      used.add(id);
    }
    for (const key of this.rows.keys()) if (!used.has(key)) this.rows.delete(key);
    arrange(this.list, nodes);
    this.empty.hidden = nodes.length > 0;
    for (const { id, change } of changes) this.notice(id, change);
  }

  heading(sport, period, phase) {
    const key = `period ${period} ${phase}`;
    let heading = this.rows.get(key);
    if (!heading) {
      heading = h("li", { "data-key": key, "data-period": `${period} ${phase}` });
      this.rows.set(key, heading);
    }
    heading.className = "heading minor";
    setText(heading, periodName(sport, period, phase));
    return heading;
  }

  row(id, entry, game) {
    let row = this.rows.get(id);
    // An entry is replaced when it changes, so the same one needs no drawing.
    if (row?.entry === entry) return row;
    if (!row) {
      row = h("li", { "data-play": id });
      this.rows.set(id, row);
    }
    row.entry = entry;
    row.className = rowClass(entry);
    row.dataset.side = game.sideOf(entry.play.team_id);
    row.replaceChildren(...cells(entry, game));
    return row;
  }

  notice(id, change) {
    const row = this.rows.get(id);
    if (row && change !== "changed") play(row, change === "retracted" ? "retracting" : "arrived");
    else if (row?.entry.corrected) play(row, "arrived");
  }
}

function rowClass(entry) {
  const classes = ["play", entry.play.play_class.replace("PLAY_CLASS_", "").toLowerCase()];
  if (entry.play.scored) classes.push("scoring");
  if (entry.retracted) classes.push("retracted");
  if (!isKey(entry)) classes.push("minor");
  return classes.join(" ");
}

function cells(entry, { state: { header } }) {
  const { play: played, score, retracted } = entry;
  const team = [header.home, header.away].find((side) => side?.team_id && side.team_id === played.team_id);
  // A shoot-out stands apart: its goals do not move the score.
  const moves = played.scored && score && !retracted && played.position?.phase !== "PHASE_SHOOTOUT";
  const sign = mark(played);
  if (played.soccer?.card) sign.dataset.card = played.soccer.card;
  return [
    h("span", { class: "at" }, clockOf(played.position)),
    sign,
    h(
      "div",
      { class: "what" },
      h("p", { class: "text" }, retracted ? h("s", {}, textOf(played)) : textOf(played)),
      h("p", { class: "about" }, aboutOf(played, team), badges(entry)),
    ),
    h("span", { class: "running" }, moves ? scoreText(score) : ""),
  ];
}

/** Team and kind, as far as the text does not begin with the kind and it is no period, which has no team. */
function aboutOf(played, team) {
  const kind = sentence(played.kind);
  const told = played.play_class === "PLAY_CLASS_PERIOD" || textOf(played).toLowerCase().startsWith(kind.toLowerCase());
  const words = [team && teamShort(team), !told && kind].filter(Boolean).join(" \u00b7 ");
  return words && h("span", {}, words);
}

function badges({ play: played, retracted, reason, late, corrected }) {
  const told = [];
  if (retracted) told.push(["retracted", reason ? `Retracted: ${reason}` : "Retracted"]);
  if (!retracted && played.status === "PLAY_STATUS_PROVISIONAL") told.push(["provisional", "Not confirmed yet"]);
  if (!retracted && corrected) told.push(["corrected", "Corrected"]);
  if (late) told.push(["late", "Reported late"]);
  return told.map(([name, text]) => h("span", { class: `badge ${name}` }, text));
}

/** A play in one line, in the feed's words or from its parts. */
export function textOf(played) {
  if (played.text) return played.text;
  const who = played.participants.find((participant) => ROLES_TOLD.has(participant.role)) ?? played.participants[0];
  return [sentence(played.kind), who?.name].filter(Boolean).join(", ");
}
