// Sealed picks: the hash is SHA-256, salts stay here until they are asked for, a broken promise is seen.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { beforeEach, test } from "node:test";

import { Sealer, sha256 } from "../../src/evenodds/server/static/seal.js";
import { browser, pass } from "./browser.js";

const hashed = (text) => createHash("sha256").update(text).digest("hex");
let here, shown, problems, sealer;

beforeEach(() => {
  here = browser();
  shown = [];
  problems = [];
  sealer = new Sealer("m", (view) => shown.push(view), (problem) => problems.push(problem));
});

/** A view in which the first seat is to open what it has promised. */
function asked(commitment, more = {}) {
  return {
    sealed: true, phase: "reveal", result: null, seat: "first", round: 2, waiting: [true, true],
    commitments: [commitment, "theirs"], history: [], players: ["Ann", "Bob"], ...more,
  };
}

test("the hash is SHA-256 of the text in UTF-8, whatever its length", () => {
  for (let length = 0; length < 200; length += 1) {
    const text = "é7:x".repeat(50).slice(0, length);
    assert.equal(sha256(text), hashed(text), `${length} characters`);
  }
  for (const text of ["", "abc", "🂡🂢", "a".repeat(100000), "m:first:2:5:00ff"]) assert.equal(sha256(text), hashed(text));
});

test("a promise holds the match, the seat, the round, the number and a salt of chance", () => {
  const promises = [1, 2].map(() => sealer.seal("first", 2, 5));
  assert.notEqual(promises[0], promises[1]);
  for (const promise of promises) {
    const { number, salt } = JSON.parse(localStorage.getItem(`seal-m-first-2-${promise}`));
    assert.equal(number, 5);
    assert.match(salt, /^[0-9a-f]{64}$/);
    assert.equal(promise, hashed(`m:first:2:5:${salt}`));
  }
});

test("a number is shown when both have promised, and only then", async () => {
  const mine = sealer.seal("first", 2, 5);
  await sealer.open(asked(mine, { phase: "commit" }));
  await sealer.open(asked(mine, { waiting: [false, true] }));
  await sealer.open(asked(mine, { result: { outcome: "draw" } }));
  assert.deepEqual(here.asked, []);
  await sealer.open(asked(mine, { commitments: [mine, null] }));
  assert.deepEqual(here.asked, []);
  assert.match(problems[0], /before the other has promised one. It is not sent/);
  here.answers.push({ body: { seq: 4 } });
  await sealer.open(asked(mine));
  const { path, body } = here.asked[0];
  assert.equal(path, "/api/matches/m/reveals?seat=first");
  assert.deepEqual([body.round, body.number, hashed(`m:first:2:5:${body.salt}`)], [2, 5, mine]);
  assert.deepEqual(shown, [{ seq: 4 }]);
});

test("a number that did not arrive is shown again, a refusal is said", async () => {
  const mine = sealer.seal("first", 2, 5);
  here.answers.push("lost", { status: 422, body: { detail: "that is not what was promised" } });
  await sealer.open(asked(mine));
  assert.deepEqual(problems, []);
  await pass(1500);
  assert.equal(here.asked.length, 2);
  assert.deepEqual(here.asked[1], here.asked[0]);
  assert.deepEqual(problems, ["That is not what was promised."]);
});

test("another browser has not the salt, and says so", () => {
  assert.equal(sealer.isLost(asked("made elsewhere")), true);
  assert.equal(sealer.isLost(asked(sealer.seal("first", 2, 5))), false);
  assert.equal(sealer.isLost(asked("made elsewhere", { phase: "commit" })), false);
});

test("salts of rounds that are over are forgotten, others are kept", async () => {
  sealer.seal("first", 1, 4);
  const mine = sealer.seal("first", 2, 5);
  sealer.seal("second", 1, 6);
  await sealer.open(asked(mine, { phase: "commit" }));
  const kept = Object.keys(localStorage).map((name) => name.split("-").slice(0, 4).join("-"));
  assert.deepEqual(kept.sort(), ["seal-m-first-2", "seal-m-second-1"]);
});

test("whoever does not show what was promised is named", async () => {
  const salts = ["a".repeat(64), "b".repeat(64)];
  const seals = [[hashed(`m:first:1:3:${salts[0]}`), salts[0]], [hashed(`m:second:1:1:${salts[1]}`), salts[1]]];
  const view = { sealed: true, history: [[3, 1]], seals, players: ["Ann", "Bob"] };
  assert.equal(sealer.broken(view), "");
  assert.equal(sealer.broken({ ...view, sealed: false, history: [[9, 9]] }), "");
  const broken = "Bob did not promise 2 in round 1. Do not trust this match.";
  assert.equal(sealer.broken({ ...view, history: [[3, 2]] }), broken);
  localStorage.setItem("seen-m-1", JSON.stringify([seals[0][0], "something else"]));
  assert.equal(sealer.broken(view), "Bob did not promise 1 in round 1. Do not trust this match.");
});

test("what is promised of the draws is shown, and a broken promise is seen", () => {
  const dice = hashed("m:ab");
  const view = (more) => sealer.draws({ draws: [[3]], dice, seed: null, result: null, ...more });
  assert.equal(sealer.draws({ draws: [] }), "");
  assert.match(view(), new RegExp(`shown at the end. Its SHA-256: ${dice}`));
  assert.match(view({ result: {}, seed: "ab" }), /is the one that was promised/);
  for (const lie of [{ result: {}, seed: "cd" }, { dice: null }, { dice: hashed("m:cd") }]) assert.match(view(lie), /Do not trust this match/);
  localStorage.removeItem("dice-m");
  assert.match(view({ dice: null }), /nobody can check/);
  assert.match(view(), /Do not trust this match/);
});
