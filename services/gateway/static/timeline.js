// The plays of one game in the order of the game, as the stream changes them.

/** An ordered list of entries {play, score, retracted, reason, late, corrected}. */
export class Timeline {
  constructor() {
    this.entries = new Map();
    this.order = [];
    this.seq = 0;
  }

  /** Takes the whole list as it stands at a seq. What was marked as corrected stays marked. */
  takeWhole(plays, seq) {
    const known = this.entries;
    this.entries = new Map();
    for (const told of plays) {
      const id = told.play.play_id;
      this.entries.set(id, { ...told, corrected: known.get(id)?.corrected ?? false });
    }
    this.order = [...this.entries.keys()];
    this.seq = seq;
  }

  /** Takes an update. Gives {id, change: "new" | "changed" | "retracted" | "reinstated"}, or null if no row changes. */
  takeUpdate(update) {
    const seq = Number(update.seq);
    const change = update.event.play;
    if (seq <= this.seq) return null;
    this.seq = seq;
    if (!change) return null;
    const id = change.play.play_id;
    const old = this.entries.get(id);
    const gone = change.kind === "CHANGE_KIND_DELETE" || change.play.status === "PLAY_STATUS_CANCELLED";
    if (gone) return this.retract(id, old, update);
    const entry = {
      play: change.play,
      score: update.score_at_play ?? old?.score,
      retracted: false,
      reason: "",
      late: update.late || (old?.late ?? false),
      corrected: old?.corrected ?? false,
    };
    entry.corrected ||= Boolean(old) && !old.retracted && isCorrected(old.play, entry.play);
    this.entries.set(id, entry);
    this.place(id, update.after_play_id);
    if (!old) return { id, change: "new" };
    if (old.retracted) return { id, change: "reinstated" };
    return { id, change: "changed" };
  }

  retract(id, old, update) {
    if (!old || old.retracted) return null;
    this.entries.set(id, { ...old, retracted: true, reason: update.correction?.reason ?? "" });
    return { id, change: "retracted" };
  }

  /** Puts a play behind the living play that it follows, and behind retracted ones that were earlier than it. */
  place(id, after) {
    const at = this.order.indexOf(id);
    if (at >= 0) this.order.splice(at, 1);
    let index = after ? this.order.indexOf(after) + 1 : 0;
    const { position } = this.entries.get(id).play;
    while (index < this.order.length) {
      const next = this.entries.get(this.order[index]);
      if (!next.retracted || isLater(next.play.position, position)) break;
      index += 1;
    }
    this.order.splice(index, 0, id);
  }

  /** Entries with their ids, newest first. */
  newestFirst() {
    return this.order.toReversed().map((id) => [id, this.entries.get(id)]);
  }
}

/**
 * Whether a viewer was told something else before. Feeds report a play in a few steps, each with more of it: a name or a
 * detail that is added takes nothing back.
 */
function isCorrected(old, play) {
  const told = (one) => [one.kind, one.team_id, one.scored?.points, one.position?.display].join();
  const names = play.participants.map((participant) => participant.name);
  const kept = old.participants.every((participant) => names.includes(participant.name));
  const more = names.length > old.participants.length;
  return told(old) !== told(play) || !kept || (!more && old.text !== play.text);
}

function isLater(one, other) {
  const period = (one?.period ?? 0) - (other?.period ?? 0);
  return period !== 0 ? period > 0 : within(one) > within(other);
}

const within = (position) => Number(position?.order_key ?? position?.clock_ms ?? 0);

/** Whether a viewer who wants only the turning points wants this one. */
export function isKey(entry) {
  switch (entry.play.play_class) {
    case "PLAY_CLASS_SCORE":
    case "PLAY_CLASS_PERIOD":
    case "PLAY_CLASS_REVIEW":
    case "PLAY_CLASS_ADJUSTMENT":
      return true;
    case "PLAY_CLASS_DISCIPLINE":
      return !entry.play.kind.includes("foul");
    default:
      return entry.play.position?.phase === "PHASE_SHOOTOUT";
  }
}
