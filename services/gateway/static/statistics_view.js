// Statistics: a few of the teams, side by side, and the players in a table.

import { arrange, choice, h } from "./dom.js";
import { PLAYER_COLUMNS, TEAM_ROWS, anyKey } from "./statistics_columns.js";
import { teamName } from "./words.js";

const SIDES = ["home", "away"];

export class StatisticsView {
  constructor() {
    this.side = "home";
    this.teams = h("div", { class: "teams" });
    this.pick = h("div", { class: "pick" });
    this.players = h("div", { class: "players", tabindex: "0", role: "region", "aria-label": "Players" });
    this.named = "";
    this.root = h(
      "section",
      { class: "statistics", "aria-labelledby": "statistics-title" },
      h("header", {}, h("h3", { id: "statistics-title" }, "Statistics")),
      this.teams,
      this.pick,
      this.players,
    );
  }

  /** Shows a game's statistics as they stand. */
  show(game) {
    this.game = game;
    const { header } = game.state;
    arrange(this.teams, teamRows(game));
    const names = SIDES.map((side) => teamName(header[side], side === "home" ? "Home" : "Away"));
    if (this.named !== names.join()) {
      this.named = names.join();
      const options = SIDES.map((side, index) => [side, names[index]]);
      this.pick.replaceChildren(choice("Players of", options, this.side, (side) => this.choose(side)));
    }
    arrange(this.players, [playerTable(game, this.side)]);
  }

  choose(side) {
    this.side = side;
    arrange(this.players, [playerTable(this.game, side)]);
  }
}

function teamRows({ state, lines }) {
  const { header } = state;
  const [home, away] = SIDES.map((side) => lines.get(header[side]?.team_id)?.stats ?? new Map());
  const rows = (TEAM_ROWS[header.sport] ?? anyKey([home, away])).filter(
    ({ key, of }) => home.get(key) || away.get(key) || home.get(of) || away.get(of),
  );
  if (!rows.length) return [h("p", { class: "empty" }, "Nothing counted yet.")];
  return rows.map((row) => {
    const [left, right] = [home.get(row.key) ?? 0, away.get(row.key) ?? 0];
    return h(
      "div",
      { class: "pair" },
      h("span", { class: "value" }, written(home, row)),
      h("span", { class: "name" }, row.label),
      h("span", { class: "value" }, written(away, row)),
      bar("home", left, left + right),
      bar("away", right, left + right),
    );
  });
}

function bar(side, value, sum) {
  const fill = h("i");
  fill.style.width = sum ? `${(100 * value) / sum}%` : "0";
  return h("span", { class: "bar", "data-side": side, "aria-hidden": "true" }, fill);
}

function written(stats, { key, of }) {
  const value = stats.get(key) ?? 0;
  return of ? `${value}/${stats.get(of) ?? 0}` : String(value);
}

function playerTable({ state, lines }, side) {
  const { header } = state;
  const teamId = header[side]?.team_id;
  const players = [...lines.values()].filter((line) => line.subject_id !== teamId && line.team_id === teamId);
  const told = players.filter((line) => [...line.stats.values()].some((value) => value !== 0));
  if (!told.length) return h("p", { class: "empty" }, "No player has a statistic yet.");
  const all = PLAYER_COLUMNS[header.sport] ?? anyKey(told.map((line) => line.stats));
  const columns = all.filter(({ key, of }) => told.some(({ stats }) => stats.get(key) || stats.get(of)));
  told.sort((one, other) => rank(columns, one, other) || one.name.localeCompare(other.name));
  return h(
    "table",
    {},
    h("caption", { class: "unseen" }, `Players of ${teamName(header[side], side)}`),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "Player"),
        columns.map(({ label, title }) => h("th", { scope: "col", title }, label)),
      ),
    ),
    h(
      "tbody",
      {},
      told.map((line) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, line.name || line.subject_id),
          columns.map((column) => cell(line.stats, column)),
        ),
      ),
    ),
  );
}

function cell(stats, column) {
  const some = stats.get(column.key) || stats.get(column.of);
  return h("td", { class: !some && "none" }, some ? written(stats, column) : column.of ? "\u2013" : "0");
}

function rank(columns, one, other) {
  for (const { key } of columns) {
    const difference = (other.stats.get(key) ?? 0) - (one.stats.get(key) ?? 0);
    if (difference) return difference;
  }
  return 0;
}
