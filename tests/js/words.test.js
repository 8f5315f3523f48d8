// What the table says of a match.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ending, status, summary, toReader } from "../../src/evenodds/server/static/words.js";

const here = { mine: 7, unsent: false, sealLost: false };
const view = {
  seat: "first", players: ["Ann", "Level 4"], joined: [true, true], waiting: [false, true], legal: [],
  phase: "pick", simultaneous: true, result: null, delay: null,
};

test("why a computer is late stands beside who is waited for", () => {
  assert.equal(status(view, here), "Waiting for Level 4.");
  const said = (delay) => status({ ...view, delay }, here);
  assert.equal(said("solving"), "Waiting for Level 4. The computer waits until this game is solved.");
  assert.match(said("search"), /moves ahead/);
  assert.match(said("trouble"), /tries again/);
  assert.equal(said("whatever"), "Waiting for Level 4.");
});

test("a player without a name is described inside a sentence", () => {
  const waited = (name) => status({ ...view, players: ["You", name] }, here);
  assert.equal(waited("Your opponent"), "Waiting for your opponent.");
  assert.equal(waited("The second player"), "Waiting for the second player.");
  assert.equal(waited("The Second"), "Waiting for The Second.");
});

test("who wins is said once", () => {
  const ended = (why) => ending({ ...view, result: { outcome: "first", reason: "rules", told: [], why } });
  assert.equal(ended("You win with more rounds."), "You win with more rounds.");
  assert.equal(ended("You have 3 points."), "You win! You have 3 points.");
});

test("what is drawn before the first round stands beside what the game is about", () => {
  assert.equal(summary({ ...view, history: [], goal: "Roll.", summary: "Drawn: 3." }), "Roll. Drawn: 3.");
  assert.equal(summary({ ...view, history: [], goal: "Roll.", summary: "" }), "Roll.");
});

test("what is over is not late", () => {
  const result = { outcome: "first", reason: "", told: [] };
  assert.equal(status({ ...view, delay: "search", result }, here), "You win!");
});

test("nobody is away to themselves", () => {
  const told = { ...view, players: ["Player 1", "Player 2"], names: ["You", "Your opponent"], connected: [false, false] };
  assert.deepEqual(toReader(told).players, ["You", "Your opponent"]);
  assert.deepEqual(toReader(told).connected, [true, false]);
  assert.deepEqual(toReader({ ...told, seat: null }).connected, [false, false]);
});
