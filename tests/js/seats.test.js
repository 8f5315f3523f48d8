// A seat is asked for with a key that is kept first, so that a lost answer loses no seat.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { sitAgain, sitDown } from "../../src/evenodds/server/static/seats.js";
import { browser } from "./browser.js";

const KEPT = "key-m";
let here;

beforeEach(() => { here = browser(); });

test("a seat is taken with a key of chance, and nothing is left behind", async () => {
  here.answers.push({ body: { seat: "second" } }, { body: { seat: "first" } });
  assert.equal(await sitDown("m", { invitation: "secret", name: "Bob" }), "second");
  assert.equal(localStorage.getItem(KEPT), null);
  await sitDown("m", { match: "m" });
  const [one, two] = here.asked.map(({ body }) => body);
  assert.deepEqual([here.asked[0].path, one.invitation, one.name], ["/api/join", "secret", "Bob"]);
  assert.match(one.key, /^[0-9a-f]{48}$/);
  assert.notEqual(one.key, two.key);
});

test("the key is kept before anything is sent", async () => {
  let kept = null;
  const { fetch } = globalThis;
  globalThis.fetch = (...given) => { kept = localStorage.getItem(KEPT); return fetch(...given); };
  here.answers.push({ body: { seat: "second" } });
  await sitDown("m", { match: "m" });
  assert.equal(kept, here.asked[0].body.key);
});

for (const lost of ["the network is gone", { status: 503 }, { status: 429 }]) {
  test(`a lost answer (${lost.status ?? lost}) loses no seat: the same key asks again`, async () => {
    here.answers.push(lost, { body: { seat: "second" } });
    await assert.rejects(sitDown("m", { invitation: "secret" }));
    assert.equal(await sitAgain("m"), "second");
    const [one, two] = here.asked.map(({ body }) => body);
    assert.equal(one.key, two.key);
    assert.equal(two.match, "m");
    assert.equal(localStorage.getItem(KEPT), null);
  });
}

test("a refusal is an answer: the key is good for nothing any more", async () => {
  here.answers.push({ status: 403, body: { detail: "the seat is taken" } });
  await assert.rejects(sitDown("m", { invitation: "secret" }), /The seat is taken/);
  assert.equal(localStorage.getItem(KEPT), null);
  assert.equal(await sitAgain("m"), null);
  assert.equal(here.asked.length, 1);
});

test("nobody sits down again who never asked, nor in another match", async () => {
  here.answers.push("lost");
  await assert.rejects(sitDown("other", { match: "other" }));
  assert.equal(await sitAgain("m"), null);
  assert.equal(here.asked.length, 1);
});

test("asking again in vain is silent, and may be tried once more", async () => {
  here.answers.push("lost", "lost");
  await assert.rejects(sitDown("m", { match: "m" }));
  assert.equal(await sitAgain("m"), null);
  assert.equal(localStorage.getItem(KEPT), here.asked[1].body.key);
});
