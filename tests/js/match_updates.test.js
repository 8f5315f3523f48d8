// The line to the server comes back by itself, and a silent one is not trusted.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { listen } from "../../src/evenodds/server/static/match_updates.js";
import { browser, pass, settle } from "./browser.js";

let here, heard;

/** Listen to a match, as a page does. */
function begin() {
  const at = (path, query = {}) => `/m${path}${Object.keys(query).length ? `?${new URLSearchParams(query)}` : ""}`;
  const hear = (kind) => (data) => heard.push([kind, data]);
  listen(at, { view: hear("view"), presence: hear("presence"), state: hear("state"), gone: hear("gone") });
}

/** What was heard since this was last asked. */
const news = () => heard.splice(0);

/** Tabs of this browser that hold streams already. */
function tabs(count, hidden) {
  const held = Array.from({ length: count }, (_, tab) => [`tab${tab}`, { at: Date.now(), hidden }]);
  localStorage.setItem("streams", JSON.stringify(Object.fromEntries(held)));
}

beforeEach(() => {
  here = browser();
  heard = [];
});

test("views and presence are handed on as they come", () => {
  begin();
  const [stream] = here.streams;
  assert.equal(stream.url, "/m/events");
  stream.open();
  stream.say("view", { seq: 1 });
  stream.say("presence", { connected: [true, false] });
  assert.deepEqual(news().filter(([kind]) => kind !== "state"), [["view", { seq: 1 }], ["presence", { connected: [true, false] }]]);
});

test("a lost stream is opened again, later and later, and soon again once it was back", async () => {
  begin();
  for (const wait of [500, 1000, 2000, 4000, 8000, 8000]) {
    const count = here.streams.length;
    here.streams.at(-1).fail();
    assert.deepEqual(news(), [["state", "lost"]]);
    await pass(wait - 1);
    assert.equal(here.streams.length, count);
    await pass(1);
    assert.equal(here.streams.length, count + 1);
  }
  here.streams.at(-1).open();
  assert.deepEqual(news(), [["state", "connected"]]);
  here.streams.at(-1).fail();
  const count = here.streams.length;
  await pass(500);
  assert.equal(here.streams.length, count + 1);
});

test("a match that is not there is said once, and not asked for again", async () => {
  begin();
  here.answers.push({ status: 404, body: { detail: "there is no such match" } });
  here.streams[0].fail(true);
  await pass(500);
  assert.deepEqual(news().at(-1), ["gone", "There is no such match."]);
  await pass(120000);
  assert.equal(here.streams.length, 1);
  assert.equal(here.asked.length, 1);
});

test("a stream that is refused while the match is there: it is asked for meanwhile", async () => {
  begin();
  here.answers.push({ body: { seq: 2 } });
  here.streams[0].fail(true);
  await pass(500);
  assert.deepEqual(here.asked[0].path, "/m?present=true");
  assert.deepEqual(news(), [["view", { seq: 2 }], ["state", "connected"]]);
  await pass(2000);
  assert.equal(here.streams.length, 2);
});

test("a server that is away is tried again", async () => {
  begin();
  here.answers.push({ status: 503 });
  here.streams[0].fail(true);
  await pass(500);
  assert.deepEqual(news(), [["state", "lost"]]);
  await pass(500);
  assert.equal(here.streams.length, 2);
});

test("a tab that gets no stream asks, seldom while it is hidden", async () => {
  tabs(4, false);
  here.answers.push({ body: { seq: 1 } }, { body: { seq: 2 } }, { body: { seq: 3 } });
  begin();
  await settle();
  assert.equal(here.streams.length, 0);
  assert.deepEqual(news()[0], ["view", { seq: 1 }]);
  here.document.hidden = true;
  await pass(2000);
  assert.deepEqual(news()[0], ["view", { seq: 2 }]);
  await pass(14000);
  assert.deepEqual(news(), []);
  await pass(1000);
  assert.deepEqual(news()[0], ["view", { seq: 3 }]);
});

test("a visible tab takes the stream of a hidden one", () => {
  tabs(4, true);
  begin();
  assert.equal(here.streams.length, 1);
  assert.equal(Object.keys(JSON.parse(localStorage.getItem("streams"))).length, 4);
});

test("a tab whose stream was taken by another asks from then on", async () => {
  begin();
  here.streams[0].open();
  news();
  tabs(4, false);
  here.answers.push({ body: { seq: 5 } });
  here.tell("storage", { key: "streams" });
  await settle();
  assert.equal(here.streams[0].readyState, EventSource.CLOSED);
  assert.deepEqual(news()[0], ["view", { seq: 5 }]);
});

test("a stream that says nothing is not trusted", async () => {
  begin();
  here.streams[0].open();
  here.answers.push({ body: { seq: 6 } });
  news();
  await pass(29000);
  assert.deepEqual(here.asked, []);
  await pass(1000);
  assert.deepEqual(news(), [["view", { seq: 6 }]]);
  await pass(30000); // the network has vanished without a word
  assert.deepEqual(news(), [["state", "lost"]]);
  assert.equal(here.streams[0].readyState, EventSource.CLOSED);
  await pass(500);
  assert.equal(here.streams.length, 2);
});

test("the network's own word counts at once", async () => {
  begin();
  here.streams[0].open();
  news();
  here.tell("offline");
  assert.deepEqual(news(), [["state", "lost"]]);
  assert.equal(here.streams[0].readyState, EventSource.CLOSED);
  here.tell("online");
  assert.equal(here.streams.length, 2);
  await pass(500); // the timer of the lost one opens no other
  assert.equal(here.streams.length, 2);
});

test("a page that is left lets its stream go, and has it again when it is come back to", () => {
  begin();
  here.streams[0].open();
  here.tell("pagehide");
  assert.equal(here.streams[0].readyState, EventSource.CLOSED);
  assert.equal(localStorage.getItem("streams"), "{}");
  here.tell("pageshow", { persisted: true });
  assert.equal(here.streams.length, 2);
});

test("a page whose stream the browser ends as it is left asks for nothing more", async () => {
  begin();
  here.streams[0].open();
  here.streams[0].fail(true); // before the page is told that it is left
  here.tell("pagehide");
  await pass(20000);
  assert.deepEqual(here.asked, []);
  here.tell("pageshow", { persisted: true });
  assert.equal(here.streams.length, 2);
});
