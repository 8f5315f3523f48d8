// The streak of daily puzzles.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { dayOf, keepDaily, resultLine, streakOn } from "../../src/evenodds/server/static/streak.js";
import { browser } from "./browser.js";

beforeEach(() => { browser(); });

test("days in a row count, and only the first answer of a day", () => {
  keepDaily("2026-11-16", true);
  assert.equal(keepDaily("2026-11-17", true).streak, 2);
  assert.equal(keepDaily("2026-11-17", false).streak, 2);
  assert.equal(streakOn("2026-11-18"), 2);
  assert.equal(keepDaily("2026-11-18", false).streak, 0);
  assert.equal(keepDaily("2026-11-19", true).best, 2);
});

test("a day that is left out ends it", () => {
  keepDaily("2026-11-16", true);
  assert.equal(streakOn("2026-11-18"), 0);
  assert.equal(keepDaily("2026-11-18", true).streak, 1);
});

test("the answer of a day is kept, and what cannot be read counts as nothing", () => {
  assert.equal(keepDaily("2026-11-16", false, 7).number, 7);
  assert.equal(keepDaily("2026-11-16", true, 3).number, 7);
  for (const broken of ["{", "5", "[]"]) {
    localStorage.setItem("daily", broken);
    assert.equal(streakOn("2026-11-16"), 0);
  }
});

test("the line to paste gives nothing away", () => {
  const line = resultLine({ day: "2026-11-17", right: true, streak: 3, best: 3 }, "Number Duel");
  assert.equal(line, "Even Odds 2026-11-17 🟩 Number Duel 🔥3");
  assert.equal(dayOf(0), "1970-01-01");
});
