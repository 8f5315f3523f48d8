// The line to the server: how a match stands, as it changes. It comes back by itself.
import { ask } from "./api.js";

const SOONEST = 500;
const SLOWEST = 8000;
const QUIET = 30000; // after so long without a word the match is asked for

/**
 * Listen to a match. A stream that ends is opened again, sooner when the network or the page
 * comes back; one that says nothing is not trusted, for a network can vanish without a word.
 * @param {string} base the path of the match
 * @param {{view: (view: any) => void, presence: (data: any) => void, state: (state: string) => void,
 *   gone: (why: string) => void}} hear
 */
export function listen(base, hear) {
  let events = null;
  let wait = SOONEST;
  let timer = 0;
  let heard = Date.now();

  function open() {
    clearTimeout(timer);
    events?.close();
    events = new EventSource(`${base}/events`);
    const alive = () => { heard = Date.now(); wait = SOONEST; hear.state("connected"); };
    events.onopen = alive;
    events.addEventListener("view", (event) => { alive(); hear.view(JSON.parse(event.data)); });
    events.addEventListener("presence", (event) => { alive(); hear.presence(JSON.parse(event.data)); });
    events.onerror = lost;
  }

  async function lost() {
    const refused = events.readyState === EventSource.CLOSED; // there was an answer, and it was no
    hear.state("lost");
    events.close();
    clearTimeout(timer);
    if (refused && (await isGone())) return;
    timer = setTimeout(open, wait);
    wait = Math.min(SLOWEST, wait * 2);
  }

  async function isGone() {
    try {
      hear.view(await ask(base));
    } catch (refusal) {
      if (refusal.passing) return false;
      hear.state("connected");
      hear.gone(refusal.message);
      return true;
    }
    return false;
  }

  async function look() {
    if (document.hidden || Date.now() - heard < QUIET || events.readyState !== EventSource.OPEN) return;
    heard = Date.now();
    try {
      hear.view(await ask(base));
    } catch (refusal) {
      if (refusal.passing) lost();
    }
  }

  addEventListener("online", open);
  addEventListener("offline", lost); // a stream may linger on, half dead
  addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  addEventListener("pagehide", () => { clearTimeout(timer); events.close(); });
  document.addEventListener("visibilitychange", look);
  setInterval(look, QUIET / 6);
  open();
}
