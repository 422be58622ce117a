// Which statistics are shown of a sport, in what order, and what they are called. What stands here is only what a page
// shows; what is counted is in the contract (StatKey).

import { sentence } from "./words.js";

const row = (label, key, of) => ({ label, key: `STAT_KEY_${key}`, of: of && `STAT_KEY_${of}` });
const column = (label, title, key, of) => ({ ...row(label, key, of), title });

/** Sport -> rows of the teams: a value, or a value out of another. */
export const TEAM_ROWS = {
  soccer: [
    row("Shots", "SOCCER_SHOTS"),
    row("On target", "SOCCER_SHOTS_ON_TARGET"),
    row("Saves", "SOCCER_SAVES"),
    row("Corners", "SOCCER_CORNERS"),
    row("Fouls", "SOCCER_FOULS"),
    row("Offsides", "SOCCER_OFFSIDES"),
    row("Yellow cards", "SOCCER_YELLOW_CARDS"),
    row("Red cards", "SOCCER_RED_CARDS"),
  ],
  ice_hockey: [
    row("Shots on goal", "HOCKEY_SHOTS_ON_GOAL"),
    row("Power-play goals", "HOCKEY_POWER_PLAY_GOALS"),
    row("Penalty minutes", "HOCKEY_PENALTY_MINUTES"),
    row("Faceoffs won", "HOCKEY_FACEOFFS_WON"),
    row("Hits", "HOCKEY_HITS"),
    row("Blocks", "HOCKEY_BLOCKS"),
    row("Takeaways", "HOCKEY_TAKEAWAYS"),
    row("Giveaways", "HOCKEY_GIVEAWAYS"),
  ],
  basketball: [
    row("Field goals", "BASKETBALL_FIELD_GOALS_MADE", "BASKETBALL_FIELD_GOALS_ATTEMPTED"),
    row("Three-pointers", "BASKETBALL_THREE_POINTERS_MADE", "BASKETBALL_THREE_POINTERS_ATTEMPTED"),
    row("Free throws", "BASKETBALL_FREE_THROWS_MADE", "BASKETBALL_FREE_THROWS_ATTEMPTED"),
    row("Rebounds", "BASKETBALL_REBOUNDS"),
    row("Assists", "ASSISTS"),
    row("Steals", "BASKETBALL_STEALS"),
    row("Blocks", "BASKETBALL_BLOCKS"),
    row("Turnovers", "BASKETBALL_TURNOVERS"),
    row("Fouls", "BASKETBALL_PERSONAL_FOULS"),
  ],
};

/** Sport -> columns of the players, the one they are ranked by first. */
export const PLAYER_COLUMNS = {
  soccer: [
    column("G", "Goals", "SOCCER_GOALS"),
    column("A", "Assists", "ASSISTS"),
    column("SH", "Shots", "SOCCER_SHOTS"),
    column("ST", "Shots on target", "SOCCER_SHOTS_ON_TARGET"),
    column("SV", "Saves", "SOCCER_SAVES"),
    column("OG", "Own goals", "SOCCER_OWN_GOALS"),
    column("FC", "Fouls", "SOCCER_FOULS"),
    column("YC", "Yellow cards", "SOCCER_YELLOW_CARDS"),
    column("RC", "Red cards", "SOCCER_RED_CARDS"),
    column("SO", "Shoot-out goals of attempts", "SOCCER_SHOOTOUT_GOALS", "SOCCER_SHOOTOUT_ATTEMPTS"),
  ],
  ice_hockey: [
    column("G", "Goals", "HOCKEY_GOALS"),
    column("A", "Assists", "ASSISTS"),
    column("S", "Shots on goal", "HOCKEY_SHOTS_ON_GOAL"),
    column("HIT", "Hits", "HOCKEY_HITS"),
    column("BLK", "Blocks", "HOCKEY_BLOCKS"),
    column("PIM", "Penalty minutes", "HOCKEY_PENALTY_MINUTES"),
    column("FO", "Faceoffs won", "HOCKEY_FACEOFFS_WON"),
    column("SV", "Saves of shots against", "HOCKEY_SAVES", "HOCKEY_SHOTS_AGAINST"),
    column("SO", "Shoot-out goals of attempts", "HOCKEY_SHOOTOUT_GOALS", "HOCKEY_SHOOTOUT_ATTEMPTS"),
  ],
  basketball: [
    column("PTS", "Points", "POINTS"),
    column("REB", "Rebounds", "BASKETBALL_REBOUNDS"),
    column("AST", "Assists", "ASSISTS"),
    column("FG", "Field goals", "BASKETBALL_FIELD_GOALS_MADE", "BASKETBALL_FIELD_GOALS_ATTEMPTED"),
    column("3P", "Three-pointers", "BASKETBALL_THREE_POINTERS_MADE", "BASKETBALL_THREE_POINTERS_ATTEMPTED"),
    column("FT", "Free throws", "BASKETBALL_FREE_THROWS_MADE", "BASKETBALL_FREE_THROWS_ATTEMPTED"),
    column("STL", "Steals", "BASKETBALL_STEALS"),
    column("BLK", "Blocks", "BASKETBALL_BLOCKS"),
    column("TO", "Turnovers", "BASKETBALL_TURNOVERS"),
    column("PF", "Personal fouls", "BASKETBALL_PERSONAL_FOULS"),
  ],
};

const LONGEST = 8;

/** Rows or columns for a sport that has none above: the keys that some of the maps have, the common ones first. */
export function anyKey(statistics) {
  const keys = new Set(statistics.flatMap((stats) => [...stats.keys()]));
  return [...keys].slice(0, LONGEST).map((key) => {
    const words = sentence(key.replace(/^STAT_KEY_(?:BASEBALL_|FOOTBALL_|CRICKET_)?/, ""));
    return { key, label: words, title: words };
  });
}
