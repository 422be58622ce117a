// Two signals that are not the same: whether the link to the server lives, and whether the data behind it is fresh.

import { h, setText } from "./dom.js";
import { clockTime } from "./words.js";

const LINKS = { connecting: "Connecting", connected: "Connected", reconnecting: "Reconnecting" };

const link = signal("link");
const data = signal("data");

function signal(name) {
  const text = h("span");
  return { root: h("span", { class: "signal", "data-signal": name }, h("i", { "aria-hidden": "true" }), text), text };
}

/** Puts the signals into the page; they stay empty until something is known. */
export function mountConnection() {
  document.getElementById("connection").append(link.root, data.root);
  clearConnection();
}

/** Shows nothing: no stream is open. */
export function clearConnection() {
  link.root.hidden = data.root.hidden = true;
}

/** Shows how the link is; without one, data is of the last time that something came. */
export function showLink(state, lastHeard) {
  show(link, state === "connected" ? "good" : state === "connecting" ? "none" : "bad", LINKS[state]);
  if (state === "reconnecting" && lastHeard) show(data, "none", `Data as of ${clockTime(lastHeard)}`);
}

/** Shows how fresh the data is, as SourceStatus tells it. */
export function showFreshness(freshness, since, detail = "") {
  const at = since ? ` since ${clockTime(since)}` : "";
  if (freshness === "FRESHNESS_STALE") show(data, "doubtful", `Data stale${at}`, detail);
  else if (freshness === "FRESHNESS_DOWN") show(data, "bad", `No data${at}`, detail);
  else show(data, "good", "Data fresh", detail);
}

function show({ root, text }, state, words, detail = "") {
  root.hidden = false;
  root.dataset.state = state;
  root.title = detail;
  setText(text, words);
}
