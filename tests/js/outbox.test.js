// A pick is kept until the server has it, sent again with its round, and never asked for twice.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Outbox } from "../../src/evenodds/server/static/outbox.js";
import { browser, pass, settle } from "./browser.js";

const VIEW = { seat: "first", round: 3, chosen: [false, false], players: ["Ann", "Bob"] };
let here, shown, problems, outbox;

beforeEach(() => {
  here = browser();
  shown = [];
  problems = [];
  outbox = new Outbox("m", (view) => shown.push(view), (problem) => problems.push(problem));
});

test("a pick is on its way until it is acknowledged", async () => {
  here.answers.push({ body: { seq: 7 } });
  const sent = outbox.post("first", 5, { round: 3, number: 5 });
  assert.equal(outbox.pending(VIEW), true);
  assert.equal(outbox.picked(VIEW), 5);
  await sent;
  assert.deepEqual(here.asked, [{ path: "/api/matches/m/picks?seat=first", body: { round: 3, number: 5 } }]);
  assert.equal(outbox.pending(VIEW), false);
  assert.equal(outbox.picked({ ...VIEW, chosen: [true, false] }), 5);
  assert.deepEqual(shown, [{ seq: 7 }]);
  await outbox.flush("first"); // as a page does that comes back: the server has it
  assert.equal(here.asked.length, 1);
});

test("a pick that was taken back is gone, and so is one of another round or seat", async () => {
  here.answers.push({ body: {} });
  await outbox.post("first", 5, { round: 3, number: 5 });
  assert.equal(outbox.picked(VIEW), null);
  assert.equal(outbox.picked({ ...VIEW, round: 4, chosen: [true, false] }), null);
  assert.equal(outbox.picked({ ...VIEW, seat: "second", chosen: [true, true] }), null);
  assert.equal(outbox.picked({ ...VIEW, seat: null }), null);
});

test("what did not arrive is sent again, the same with the same round, until it has", async () => {
  here.answers.push("lost", { status: 503 }, { status: 429 }, { body: { seq: 8 } });
  await outbox.post("first", 5, { round: 3, number: 5 });
  for (let times = 2; times <= 4; times += 1) {
    assert.equal(outbox.pending(VIEW), true);
    await pass(1500);
    assert.equal(here.asked.length, times);
  }
  assert.equal(new Set(here.asked.map(({ body }) => JSON.stringify(body))).size, 1);
  assert.deepEqual(shown, [{ seq: 8 }]);
  await pass(60000);
  assert.equal(here.asked.length, 4);
  assert.deepEqual(problems, []);
});

test("a reload loses nothing", async () => {
  here.answers.push("lost");
  await outbox.post("first", 5, { round: 3, number: 5 });
  const reloaded = new Outbox("m", (view) => shown.push(view), () => {});
  assert.equal(reloaded.picked(VIEW), 5);
  here.answers.push({ body: { seq: 9 } });
  await reloaded.flush("first");
  assert.deepEqual(here.asked.at(-1).body, { round: 3, number: 5 });
  assert.equal(reloaded.pending(VIEW), false);
});

test("a refusal is said once, shows how the match stands, and is not sent again", async () => {
  here.answers.push({ status: 409, body: { detail: "the round is over", view: { seq: 10 } } });
  await outbox.post("first", 5, { round: 3, number: 5 });
  assert.deepEqual(problems, ["The round is over."]);
  assert.deepEqual(shown, [{ seq: 10 }]);
  assert.equal(outbox.picked(VIEW), null);
  await outbox.flush("first");
  await pass(60000);
  assert.equal(here.asked.length, 1);
});

test("what is being sent is not sent a second time", async () => {
  here.answers.push({ body: {} }, { body: {} });
  const sent = outbox.post("first", 5, { round: 3, number: 5 });
  await outbox.flush("first");
  await sent;
  await settle();
  assert.equal(here.asked.length, 1);
});
