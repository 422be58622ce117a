// The contract's terms in words for people.

const ORDINALS = ["", "1st", "2nd", "3rd"];
const ordinal = (number) => ORDINALS[number] ?? `${number}th`;

// Sport -> [how a period of the regular time is called, the same for a column of a table, periods of regular time]
const PERIODS = {
  soccer: [(n) => `${ordinal(n)} half`, (n) => ordinal(n), 2],
  ice_hockey: [(n) => `${ordinal(n)} period`, (n) => String(n), 3],
  basketball: [(n) => `${ordinal(n)} quarter`, (n) => `Q${n}`, 4],
  american_football: [(n) => `${ordinal(n)} quarter`, (n) => `Q${n}`, 4],
  baseball: [(n) => `${ordinal(n)} inning`, (n) => String(n), 9],
  cricket: [(n) => `${ordinal(n)} innings`, (n) => ordinal(n), 2],
};
const ANY_SPORT = [(n) => `Period ${n}`, (n) => String(n), 0];

const SPORTS = {
  soccer: "Soccer",
  ice_hockey: "Ice hockey",
  basketball: "Basketball",
  american_football: "American football",
  baseball: "Baseball",
  cricket: "Cricket",
};

const STATUSES = {
  GAME_STATUS_SCHEDULED: "Scheduled",
  GAME_STATUS_PRE_GAME: "About to begin",
  GAME_STATUS_LIVE: "Live",
  GAME_STATUS_BREAK: "Break",
  GAME_STATUS_SUSPENDED: "Suspended",
  GAME_STATUS_POSTPONED: "Postponed",
  GAME_STATUS_ABANDONED: "Abandoned",
  GAME_STATUS_FINAL: "Final",
  GAME_STATUS_DELETED: "Withdrawn",
};

const IN_PLAY = new Set(["GAME_STATUS_LIVE", "GAME_STATUS_BREAK", "GAME_STATUS_SUSPENDED", "GAME_STATUS_PRE_GAME"]);
const TO_COME = new Set(["GAME_STATUS_SCHEDULED", "GAME_STATUS_POSTPONED", "GAME_STATUS_UNSPECIFIED"]);

export const isInPlay = (status) => IN_PLAY.has(status);
export const isToCome = (status) => TO_COME.has(status);
export const isOver = (status) => !isInPlay(status) && !isToCome(status);
export const statusWord = (status) => STATUSES[status] ?? "Not known";
export const sportWord = (sport) => SPORTS[sport] ?? sentence(sport ?? "");

/** A period's name: "2nd half", "Overtime", "Shoot-out". */
export function periodName(sport, period, phase) {
  if (period === 0) return "Before the game";
  if (phase === "PHASE_SHOOTOUT") return sport === "soccer" ? "Penalty shoot-out" : "Shoot-out";
  if (phase === "PHASE_SUPER_OVER") return "Super over";
  const [name, , regular] = PERIODS[sport] ?? ANY_SPORT;
  if (phase !== "PHASE_EXTRA_TIME" || sport === "baseball") return name(period);
  const extra = period - regular;
  if (sport === "soccer") return `Extra time, ${ordinal(extra)} half`;
  return extra > 1 ? `Overtime ${extra}` : "Overtime";
}

/** A period's name as the head of a narrow column: "Q2", "OT", "SO". */
export function periodColumn(sport, period, phase) {
  if (phase === "PHASE_SHOOTOUT") return sport === "soccer" ? "Pens" : "SO";
  if (phase === "PHASE_SUPER_OVER") return "Super";
  const [, column, regular] = PERIODS[sport] ?? ANY_SPORT;
  if (phase !== "PHASE_EXTRA_TIME" || sport === "baseball") return column(period);
  const extra = period - regular;
  if (sport === "soccer") return `ET${extra}`;
  return extra > 1 ? `${extra}OT` : "OT";
}

/** What decided a game apart from its regular time: "4–2 on penalties", "after overtime"; empty if nothing did. */
export function phaseNote(sport, phases) {
  const byPhase = Object.fromEntries((phases ?? []).map((phase) => [phase.phase, phase.score]));
  const apart = byPhase.PHASE_SHOOTOUT ?? byPhase.PHASE_SUPER_OVER;
  if (apart) {
    const how = byPhase.PHASE_SUPER_OVER
      ? "in the super over"
      : sport === "soccer"
        ? "on penalties"
        : "in the shoot-out";
    return `${scoreText(apart)} ${how}`;
  }
  if (byPhase.PHASE_EXTRA_TIME && sport !== "baseball")
    return sport === "soccer" ? "after extra time" : "after overtime";
  return "";
}

/** Status and place of a game in a few words: "2nd half · 67'", "Final", "Sat 14:00". */
export function standing(sport, status, position, scheduledAt) {
  if (isToCome(status) && status !== "GAME_STATUS_POSTPONED")
    return scheduledAt ? when(scheduledAt) : statusWord(status);
  const period = position?.period ? periodName(sport, position.period, position.phase) : "";
  if (status === "GAME_STATUS_BREAK") return period ? `Break, ${period}` : "Break";
  if (status !== "GAME_STATUS_LIVE") return statusWord(status);
  return period || "Live";
}

/** The clock of a place alone: the feed's way of writing it, without the period that stands beside it. */
export const clockOf = (position) => (position?.display ?? "").replace(/^(?:[PQ]\d+|OT\d*|SO)\s*/, "");

export const scoreText = (score) => `${score.home}\u2013${score.away}`;

/** A season, "20242025" as "2024/25". */
export const seasonWord = (season) => (season ?? "").replace(/^(\d{4})\d{2}(\d{2})$/, "$1/$2");

/** A team's name, or the next best. */
export const teamName = (team, fallback) => team?.name || team?.abbreviation || fallback;

/** A team in three or so letters. */
export function teamShort(team, fallback) {
  if (team?.abbreviation) return team.abbreviation;
  const last = (team?.name ?? "").split(" ").at(-1);
  return last ? last.slice(0, 3).toUpperCase() : fallback;
}

/** lower_snake_case or UPPER_SNAKE_CASE as a sentence's beginning. */
export function sentence(name) {
  const words = name.toLowerCase().replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const DAY = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });
const YEAR = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const TIME = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const SECOND = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });

export const clockTime = (timestamp) => SECOND.format(new Date(timestamp));
export const day = (timestamp) => YEAR.format(new Date(timestamp));

/** "18:30" for today, "Sat 14 Nov, 18:30" for this year, else "14 Nov 2024". */
export function when(timestamp) {
  const [date, now] = [new Date(timestamp), new Date()];
  if (date.toDateString() === now.toDateString()) return TIME.format(date);
  return date.getFullYear() === now.getFullYear() ? `${DAY.format(date)}, ${TIME.format(date)}` : YEAR.format(date);
}
