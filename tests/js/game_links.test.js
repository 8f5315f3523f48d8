// Links to a position: what was played, and what was drawn.
import assert from "node:assert/strict";
import { test } from "node:test";

import { mapLink } from "../../src/evenodds/server/static/game_links.js";

test("a map is of the picks and the draws so far", () => {
  const after = (history, draws) => new URL(mapLink("pig", { history, draws }, null, {}), "http://host").searchParams.get("after");
  assert.equal(after([[3, 1], [null, 4]], []), "3-1 4");
  assert.equal(after([[3, 1], [2, 4]], [[5], [], [6, 1]]), "(5) 3-1 2-4(6)(1)");
  assert.equal(after([], [[]]), null);
});
