// The live stream: it keeps itself open, goes on where it broke, and says how the link is.

const KINDS = [
  "accepted",
  "snapshot",
  "update",
  "correction",
  "caught_up",
  "heartbeat",
  "reset",
  "game_end",
  "source_status",
];
const SHORTEST_WAIT = 1_000; // milliseconds before it is tried again
const LONGEST_WAIT = 15_000;
const REFUSALS_OF_A_TOKEN = 2; // after so many the stream starts anew, with a snapshot
const MISSED_HEARTBEATS = 3;

export class Stream {
  /**
   * Opens a stream at once.
   * @param query pairs for the address: [["game", id], …]
   * @param heard called with (kind, item) for each item
   * @param linked called with "connecting", "connected" or "reconnecting" whenever that changes
   */
  constructor(query, heard, linked) {
    this.query = query;
    this.heard = heard;
    this.linked = linked;
    this.token = "";
    this.refusals = 0;
    this.silence = 20_000;
    this.link = "";
    this.open();
  }

  open() {
    this.setLink(this.link ? "reconnecting" : "connecting");
    const query = [...this.query, ...(this.token ? [["last_event_id", this.token]] : [])];
    const source = new EventSource(`/live?${new URLSearchParams(query)}`);
    this.source = source;
    for (const kind of KINDS) source.addEventListener(kind, (event) => this.take(kind, event));
    source.addEventListener("reconnect", () => this.again(Math.random() * SHORTEST_WAIT));
    source.addEventListener("error", () => this.broken(source));
    this.watch();
  }

  take(kind, event) {
    // The id of the last event so far that had one: never ahead of what was delivered.
    this.token = event.lastEventId;
    const item = JSON.parse(event.data)[kind];
    if (kind === "accepted") {
      this.refusals = 0;
      this.silence = MISSED_HEARTBEATS * 1000 * parseFloat(item.heartbeat);
      this.setLink("connected");
    }
    this.heard(kind, item);
    this.watch();
  }

  broken(source) {
    if (source !== this.source) return;
    this.setLink("reconnecting");
    // A stream that broke is opened again by the browser; one that was refused is not.
    if (source.readyState !== EventSource.CLOSED) return;
    this.refusals += 1;
    if (this.refusals >= REFUSALS_OF_A_TOKEN) this.token = "";
    this.again(Math.min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** (this.refusals - 1)) * (0.5 + Math.random() / 2));
  }

  /** Opens the stream again after a while, behind the last token. */
  again(wait = 0) {
    this.close();
    this.setLink("reconnecting");
    this.timer = setTimeout(() => this.open(), wait);
  }

  /** Expects something within a few heartbeats; a link that died in silence says nothing by itself. */
  watch() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.again(), this.silence);
  }

  setLink(link) {
    if (link === this.link) return;
    this.link = link;
    this.linked(link);
  }

  /** Ends it for good, or until `again`. */
  close() {
    clearTimeout(this.timer);
    this.source.close();
  }
}
