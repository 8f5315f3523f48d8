// The matches of this browser: none that may be open is forgotten.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { forgetMatch, keepMatch, keptMatches } from "../../src/evenodds/server/static/saved_matches.js";
import { browser } from "./browser.js";

beforeEach(() => { browser(); });

test("the latest comes first, each once", () => {
  for (const id of ["a", "b", "a"]) keepMatch(id);
  assert.deepEqual(keptMatches(), ["a", "b"]);
  forgetMatch("a");
  assert.deepEqual(keptMatches(), ["b"]);
});

test("an open match outlasts any number of those that are over", () => {
  keepMatch("open");
  for (let id = 0; id < 1000; id += 1) {
    keepMatch(`${id}`);
    keepMatch(`${id}`, true);
  }
  assert.equal(keptMatches()[0], "open");
  assert.ok(keptMatches().length <= 100);
});

test("fifty open matches are all kept", () => {
  for (let id = 0; id < 50; id += 1) keepMatch(`${id}`);
  assert.equal(keptMatches().length, 50);
});
