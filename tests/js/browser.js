// The little of a browser that the modules under test stand on.
import { mock } from "node:test";

/** What a browser keeps; its keys can be listed, as those of the real one. */
class Storage {
  getItem(key) { return Object.hasOwn(this, key) ? this[key] : null; }
  setItem(key, value) { this[key] = String(value); }
  removeItem(key) { delete this[key]; }
}

/** An event stream whose server the test plays. */
class EventSource extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 2;
  static made = [];

  readyState = EventSource.CONNECTING;

  constructor(url) {
    super();
    this.url = url;
    EventSource.made.push(this);
  }

  close() { this.readyState = EventSource.CLOSED; }

  open() {
    this.readyState = EventSource.OPEN;
    this.onopen();
  }

  say(kind, data) { this.dispatchEvent(Object.assign(new Event(kind), { data: JSON.stringify(data) })); }

  /** End; whether the server has refused it. */
  fail(refused = false) {
    this.readyState = refused ? EventSource.CLOSED : EventSource.CONNECTING;
    this.onerror();
  }
}

/** A fresh browser; `answers` are what the server says to each request, in order. */
export function browser() {
  const page = new EventTarget();
  const document = Object.assign(new EventTarget(), { hidden: false });
  EventSource.made = [];
  const here = {
    asked: [],
    answers: [],
    document,
    streams: EventSource.made,
    tell: (name, more = {}) => page.dispatchEvent(Object.assign(new Event(name), more)),
  };
  Object.defineProperty(globalThis, "localStorage", { value: new Storage(), configurable: true, writable: true });
  Object.assign(globalThis, {
    document,
    EventSource,
    addEventListener: page.addEventListener.bind(page),
    fetch: async (path, options) => {
      here.asked.push({ path, body: options.body && JSON.parse(options.body) });
      const answer = here.answers.shift() ?? "the network is gone";
      if (typeof answer === "string") throw new TypeError(answer);
      return new Response(JSON.stringify(answer.body ?? {}), { status: answer.status ?? 200 });
    },
  });
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1e12 });
  return here;
}

/** Let everything happen that waits for nothing but its turn. */
export async function settle() {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
}

/** Let time pass. */
export async function pass(milliseconds) {
  mock.timers.tick(milliseconds);
  await settle();
}
