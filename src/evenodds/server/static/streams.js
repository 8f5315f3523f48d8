// How many tabs of this browser may listen at once. A browser keeps six connections to a host, and
// a stream holds one of them for good: more than six tabs would leave none for anything else. So
// tabs share a few, the visible ones before the hidden ones, and the others ask now and then.
import { stored } from "./browser_storage.js";

const KEY = "streams";
const MOST = 4;
const STALE_MS = 90000; // a tab that is gone without a word; a hidden one may speak up once a minute
const own = Math.random().toString(36).slice(2);

/** @typedef {{at: number, hidden: boolean}} Holder when a tab last spoke up, and whether it is hidden */

/** The tabs that listen. @returns {Record<string, Holder>} */
function holders() {
  const kept = Object.entries(stored(KEY, {}));
  return Object.fromEntries(kept.filter(([, holder]) => Math.abs(Date.now() - holder.at) < STALE_MS));
}

/** Whether this tab may listen still, as far as the others say. */
export const holdsStream = () => own in holders();

/** Ask for a stream, or keep the one there is: whether this tab may listen. A visible tab takes a hidden one's. */
export function takeStream() {
  const held = holders();
  if (!(own in held) && Object.keys(held).length >= MOST) {
    const asleep = Object.keys(held).find((tab) => held[tab].hidden);
    if (document.hidden || !asleep) return false;
    delete held[asleep];
  }
  held[own] = { at: Date.now(), hidden: document.hidden };
  localStorage.setItem(KEY, JSON.stringify(held));
  return true;
}

/** Leave the stream to another tab. */
export function leaveStream() {
  const held = holders();
  delete held[own];
  localStorage.setItem(KEY, JSON.stringify(held));
}

/** Be told when another tab has taken or left a stream. @param {() => void} then */
export function onStreams(then) {
  addEventListener("storage", (event) => { if (event.key === KEY) then(); });
}
