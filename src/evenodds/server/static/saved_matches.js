// The matches in which this browser has a seat, so that they can be found again.
import { stored } from "./browser_storage.js";

const KEY = "matches";
const MOST = 100; // a browser keeps the cookies of not many more

/** The names of the matches, the latest first. @returns {string[]} */
export const keptMatches = () => stored(KEY, []);

/** Remember a match. One that is over goes to the end, and so is forgotten before any that is open. */
export function keepMatch(id, over = false) {
  const others = keptMatches().filter((one) => one !== id);
  localStorage.setItem(KEY, JSON.stringify((over ? [...others, id] : [id, ...others]).slice(0, MOST)));
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
