// Where the page begins: the address says which view is shown.

import { Refused } from "./api.js";
import { clearConnection, mountConnection } from "./connection.js";
import { h } from "./dom.js";
import { GamePage } from "./game_page.js";
import { GamesPage } from "./games_page.js";

const main = document.getElementById("main");
const TRY_AGAIN = 3_000; // milliseconds

let page = null;
let timer = 0;

function show() {
  clearTimeout(timer);
  page?.close();
  clearConnection();
  const [, id] = location.hash.match(/^#\/games\/([^/]+)$/) ?? [];
  page = id ? new GamePage(decodeURIComponent(id)) : new GamesPage();
  open(page);
}

async function open(opened) {
  try {
    await opened.open();
    if (page === opened) main.replaceChildren(opened.root);
  } catch (error) {
    if (page === opened && error.name !== "AbortError") explain(error);
  }
}

function explain(error) {
  const lost = error instanceof Refused && error.status < 500;
  const title =
    lost && error.status === 404 ? "There is no such game" : lost ? "That did not work" : "The scores are away";
  const text = lost ? error.message : "The server does not answer. This page tries again by itself.";
  const back = h("a", { class: "back", href: "#/" }, "All games");
  main.replaceChildren(
    h("div", { class: "notice", role: "alert" }, h("h1", {}, title), h("p", {}, text), lost && back),
  );
  if (!lost) timer = setTimeout(show, TRY_AGAIN);
}

mountConnection();
addEventListener("hashchange", () => {
  show();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
});
show();
