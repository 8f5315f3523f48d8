// The matches in which this browser has a seat, so that they can be found again.

const KEY = "matches";
const MOST = 8;

/** The names of the matches, the latest first. @returns {string[]} */
export const keptMatches = () => JSON.parse(localStorage.getItem(KEY) ?? "[]");

/** Remember a match; the oldest is forgotten. */
export function keepMatch(id) {
  localStorage.setItem(KEY, JSON.stringify([id, ...keptMatches().filter((one) => one !== id)].slice(0, MOST)));
}

const both = (id) => `both-${id}`;

/** Remember that this browser holds both seats of a match. */
export const keepBoth = (id) => localStorage.setItem(both(id), "yes");

/** Whether this browser holds both seats of a match. */
export const holdsBoth = (id) => localStorage.getItem(both(id)) === "yes";

/** Forget a match. */
export function forgetMatch(id) {
  localStorage.removeItem(both(id));
  localStorage.setItem(KEY, JSON.stringify(keptMatches().filter((one) => one !== id)));
}
