// A game as its stream tells it. Scores, phases, status and place are what the server says, never sums of our own.

/** A running copy of one game's state and statistics. */
export class Game {
  constructor(id) {
    this.id = id;
    this.seq = 0;
    this.state = null;
    this.lines = new Map();
    this.parts = [];
  }

  /** Takes a snapshot, which may come in parts. True when it is whole. */
  takeSnapshot(snapshot) {
    this.parts.push(snapshot);
    if (!snapshot.last_part) return false;
    const [first] = this.parts;
    const all = (list) => this.parts.flatMap(list);
    this.takeWhole(first.state, {
      teams: all((part) => part.statistics?.teams ?? []),
      players: all((part) => part.statistics?.players ?? []),
    });
    this.parts = [];
    return true;
  }

  /** Takes a state and its statistics as they stand. */
  takeWhole(state, statistics) {
    this.state = { ...state, status: state.header.status };
    this.seq = Number(state.seq);
    this.lines = new Map();
    for (const line of [...(statistics?.teams ?? []), ...(statistics?.players ?? [])]) {
      const stats = new Map(line.stats.map((stat) => [stat.key, Number(stat.value)]));
      this.lines.set(line.subject_id, { ...line, stats });
    }
  }

  /** Whether a delivery leaves a hole: then the stream is to be resumed. */
  misses(delivery) {
    return this.state !== null && Number(delivery.prev_delivered_seq) > this.seq;
  }

  /** Takes an update. Gives the state before it, or null when there was nothing to take. */
  takeUpdate(update) {
    const seq = Number(update.seq);
    if (this.state === null || seq <= this.seq) return null;
    const before = this.state;
    const header = update.event.header?.current ? update.event.header.header : before.header;
    this.state = {
      ...before,
      header,
      score: update.score,
      confirmed_score: update.confirmed_score,
      phases: update.phases,
      status: update.status,
      position: update.position ?? before.position,
      accepted_at: update.times?.accepted_at ?? before.accepted_at,
    };
    this.seq = seq;
    for (const delta of update.statistics) this.takeDelta(delta, update.event);
    return before;
  }

  takeDelta(delta, event) {
    let line = this.lines.get(delta.subject_id);
    if (!line) {
      const participants = event.play?.play?.participants ?? [];
      const name = participants.find((participant) => participant.player_id === delta.subject_id)?.name ?? "";
      line = { subject_id: delta.subject_id, team_id: delta.team_id, name, stats: new Map() };
      this.lines.set(delta.subject_id, line);
    }
    line.stats.set(delta.key, (line.stats.get(delta.key) ?? 0) + Number(delta.delta));
  }

  /** "home", "away" or "" for a team's id. */
  sideOf(teamId) {
    const { home, away } = this.state.header;
    return teamId && teamId === home?.team_id ? "home" : teamId && teamId === away?.team_id ? "away" : "";
  }
}
