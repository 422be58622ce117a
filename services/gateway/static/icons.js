// Marks of the classes of plays, drawn in a square of 20.

import { svg } from "./dom.js";

const line = (d) => svg("path", { d, fill: "none" });
const solid = (d) => svg("path", { d, stroke: "none" });

const MARKS = {
  PLAY_CLASS_SCORE: () => [svg("circle", { cx: 10, cy: 10, r: 8, stroke: "none" }), tick()],
  PLAY_CLASS_ATTEMPT: () => [
    svg("circle", { cx: 10, cy: 10, r: 6.6, fill: "none" }),
    svg("circle", { cx: 10, cy: 10, r: 1.9, stroke: "none" }),
  ],
  PLAY_CLASS_DISCIPLINE: () => [svg("rect", { class: "card", x: 5.5, y: 3, width: 9, height: 14, rx: 1.8 })],
  PLAY_CLASS_SUBSTITUTION: () => [line("M6.5 15.5v-11M3.5 7.5l3-3 3 3M13.5 4.5v11M10.5 12.5l3 3 3-3")],
  PLAY_CLASS_REVIEW: () => [svg("circle", { cx: 8.7, cy: 8.7, r: 5.2, fill: "none" }), line("M12.6 12.6 17 17")],
  PLAY_CLASS_STOPPAGE: () => [line("M7 5v10M13 5v10")],
  PLAY_CLASS_PERIOD: () => [line("M5 17.5V3"), solid("M5 3.4h10.4l-2.3 3.3 2.3 3.3H5z")],
  PLAY_CLASS_ADJUSTMENT: () => [line("M10 3.5v8M6 7.5h8M6 15.5h8")],
};

function tick() {
  return svg("path", { class: "tick", d: "M6.6 10.3l2.4 2.4 4.4-5", fill: "none" });
}

const DOT = () => [svg("circle", { cx: 10, cy: 10, r: 2.2, stroke: "none" })];

/** The mark of a play. */
export function mark(play) {
  const drawing = (MARKS[play.play_class] ?? DOT)();
  return svg("svg", { class: "mark", viewBox: "0 0 20 20", "aria-hidden": "true" }, drawing);
}
