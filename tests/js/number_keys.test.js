// What the number keys pick.
import assert from "node:assert/strict";
import { test } from "node:test";

import { typedNumbers } from "../../src/evenodds/server/static/number_keys.js";

test("the number in a name is typed where names have one, and else that of the pick", () => {
  const bids = { 2: "bid 1", 3: "bid 2", 12: "pass" };
  assert.deepEqual([...typedNumbers([2, 3, 12], (number) => bids[number])], [[2, "1"], [3, "2"]]);
  const signs = { 1: "Rock", 2: "Paper" };
  assert.deepEqual([...typedNumbers([1, 2], (number) => signs[number])], [[1, "1"], [2, "2"]]);
  const heaps = { 1: "1 from A", 16: "1 from B", 17: "2 from B" };
  assert.deepEqual([...typedNumbers([1, 16, 17], (number) => heaps[number])], [[17, "2"]]);
  const spans = { 1: "1 of 2", 2: "2 of 2" };
  assert.deepEqual([...typedNumbers([1, 2], (number) => spans[number])], []);
});
