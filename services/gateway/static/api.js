// The REST calls of the page.

/** An answer that is no success, with what the server said. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.message ?? `the server answered ${status}`);
    this.status = status;
    this.reason = problem.reason ?? "";
  }
}

/** The JSON at a path. Throws Refused, and TypeError when the server is not reached. */
export async function read(path, query = {}, signal = undefined) {
  const search = new URLSearchParams(query).toString();
  const response = await fetch(search ? `${path}?${search}` : path, {
    signal,
    headers: { accept: "application/json" },
  });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}

/** A game's state and statistics. */
export const readGame = (id, signal) => read(`/v1/games/${encodeURIComponent(id)}`, {}, signal);

/** Games, those in play first. */
export const readGames = (signal) => read("/v1/games", { page_size: 100 }, signal);

/**
 * All plays of a game in order, retracted ones too, and the seq they belong to. Pages that were read while the game
 * changed do not fit together, so it begins again then.
 */
export async function readPlays(id, signal) {
  const path = `/v1/games/${encodeURIComponent(id)}/plays`;
  const plays = [];
  let token = "";
  let seq = null;
  do {
    const query = { page_size: 1000, include_retracted: true, ...(token && { page_token: token }) };
    const page = await read(path, query, signal);
    if (seq !== null && page.seq !== seq) {
      plays.length = 0;
      token = "";
      seq = null;
      continue;
    }
    plays.push(...page.plays);
    seq = page.seq;
    token = page.next_page_token;
  } while (token || seq === null);
  return { plays, seq: Number(seq) };
}
