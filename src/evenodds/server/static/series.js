// The running score over rematches, which this browser has seen: wins of both seats.
import { stored } from "./browser_storage.js";
import { SEATS, ownSeat } from "./words.js";

const KEY = "series";
const MOST = 50;

/** @returns {Record<string, number[]>} wins of first and second before a match, by match */
const all = () => stored(KEY, {});

/** The wins of both seats, this match included once it is over. */
function score(view) {
  const wins = all()[view.match] ?? [0, 0];
  return wins.map((won, seat) => won + (view.result?.outcome === SEATS[seat] ? 1 : 0));
}

/** Keep the score for the next match, in which seats are exchanged. */
export function keepSeries(view) {
  if (!view.result || !view.rematch) return;
  const others = Object.entries(all()).filter(([match]) => match !== view.rematch);
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...others, [view.rematch, score(view).reverse()]].slice(-MOST))));
}

/** The score in words; nothing before the second match. */
export function seriesText(view) {
  if (!(view.match in all())) return "";
  const near = Math.max(0, ownSeat(view));
  const wins = score(view);
  return `${view.players[near]} ${wins[near]} : ${wins[1 - near]} ${view.players[1 - near]}`;
}
