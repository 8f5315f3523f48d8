// The end of a match: what decided it, and how near to perfect the player of this browser came.
import { askPatiently } from "./api.js";
import { by, element } from "./dom.js";
import { average, keepAccuracy, percent } from "./perfection.js";
import { adjustLevel } from "./strength.js";
import { SEATS, ownSeat } from "./words.js";

const UNDECIDED = ["time", "forfeit", "void"]; // ends that no pick has decided

let asked = false;

/** Take in a match that ends while it is looked at: the next computer is to fit better. */
export function finish(view) {
  const own = ownSeat(view);
  const winner = SEATS.indexOf(view.result.outcome);
  if (own >= 0) adjustLevel(view.game, view.computers[1 - own], winner < 0 ? 0 : winner === own ? 1 : -1);
}

/** Show what decided the match; nothing where it cannot be solved. */
export async function showDecision(view) {
  if (asked || !view.history.length || UNDECIDED.includes(view.result.reason)) return;
  asked = true;
  const found = await askPatiently(`/api/matches/${view.match}/review`).catch(() => null);
  if (!found) return;
  const round = found.gave_up ? view.history.length : found.turning?.round;
  by("decisive").replaceChildren(round ? element("a", { href: `/match/${view.match}/review#${round}` }, found.said.turning) : found.said.turning);
  const accuracy = found.accuracy[view.seat] ?? null;
  if (accuracy === null || view.result.reason !== "rules") return; // a match that was broken off measures nobody
  keepAccuracy(view.match, view.game, accuracy);
  const { matches, accuracy: mean } = average(view.game);
  by("perfection").textContent = `You against perfection: ${percent(accuracy)}${matches > 1 ? `; on average ${percent(mean)} over ${matches} matches` : ""}.`;
}
