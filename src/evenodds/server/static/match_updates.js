// Updates of a match: how it stands, streamed by the server or asked for; reconnects by itself.
import { ask } from "./api.js";
import { holdsStream, leaveStream, onStreams, takeStream } from "./streams.js";

const SOONEST_MS = 500;
const SLOWEST_MS = 8000;
const QUIET_MS = 30000; // after so long without a word the match is asked for
const LEAVING_MS = 500; // a page that is being left sees its stream end before it is told so
const POLL_MS = 2000; // how often a tab without a stream asks
const HIDDEN_POLL_MS = 15000;

/**
 * Listen to a match. A stream that ends is opened again, sooner when the network or the page
 * comes back; one that says nothing is not trusted, for a network can vanish without a word.
 * A tab that gets no stream asks again and again.
 * @param {(path: string, query?: Record<string, string>) => string} at the address of a path of the match
 * @param {{view: (view: any) => void, presence: (data: any) => void, state: (state: string) => void,
 *   gone: (why: string) => void}} hear
 */
export function listen(at, hear) {
  /** @type {EventSource | null} */
  let events = null;
  let wait = SOONEST_MS;
  let timer = 0;
  let turn = 0; // which way of listening is the latest
  let heard = Date.now();

  function alive() {
    heard = Date.now();
    wait = SOONEST_MS;
    hear.state("connected");
  }

  function close() {
    clearTimeout(timer);
    events?.close();
    events = null;
  }

  function open() {
    turn += 1;
    clearTimeout(timer);
    if (!takeStream()) {
      poll();
      return;
    }
    close();
    const stream = new EventSource(at("/events"));
    events = stream;
    stream.onopen = alive;
    stream.addEventListener("view", (event) => { alive(); hear.view(JSON.parse(event.data)); });
    stream.addEventListener("presence", (event) => { alive(); hear.presence(JSON.parse(event.data)); });
    stream.onerror = () => {
      clearTimeout(timer);
      if (stream.readyState !== EventSource.CLOSED) lost();
      else timer = setTimeout(poll, LEAVING_MS); // the server said no, unless the page is being left
    };
  }

  function lost() {
    turn += 1;
    hear.state("lost");
    close();
    timer = setTimeout(open, wait);
    wait = Math.min(SLOWEST_MS, wait * 2);
  }

  /** Ask now, and then try again to listen. A stream is left only then, so that nobody seems to be gone meanwhile. */
  async function poll() {
    const mine = turn;
    const found = await pull({ present: "true" }); // whoever has no stream is there by asking
    if (mine !== turn) return;
    if (found === "lost") lost();
    else close();
    if (found === "told") {
      alive();
      timer = setTimeout(open, document.hidden ? HIDDEN_POLL_MS : POLL_MS);
    }
  }

  /**
   * Ask how the match stands. @param {Record<string, string>} [query]
   * @returns {Promise<"told" | "lost" | "gone">}
   */
  async function pull(query) {
    try {
      hear.view(await ask(at("", query)));
    } catch (refusal) {
      if (refusal.passing) return "lost";
      leaveStream();
      hear.state("connected");
      hear.gone(refusal.message);
      return "gone";
    }
    return "told";
  }

  async function look() {
    if (events) takeStream(); // say that it is still in use, and whether this tab is hidden
    if (document.hidden || Date.now() - heard < QUIET_MS || events?.readyState !== EventSource.OPEN) return;
    heard = Date.now();
    if (await pull() === "lost") lost();
  }

  addEventListener("online", open);
  addEventListener("offline", lost); // a stream may linger on, half dead
  addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  addEventListener("pagehide", () => { turn += 1; close(); leaveStream(); });
  document.addEventListener("visibilitychange", () => { if (events || document.hidden) look(); else open(); });
  onStreams(() => { if (events && !holdsStream()) open(); });
  setInterval(look, QUIET_MS / 6);
  open();
}
