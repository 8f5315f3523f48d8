// What else can be done at the table: claim, take back, resign, cancel, another match, the review.
import { ask, askPatiently } from "./api.js";
import { isLate } from "./clock.js";
import { by, element } from "./dom.js";
import { shareResult } from "./end.js";
import { challengeLink, positionQuery } from "./game_links.js";
import { holdsBoth, keepBoth } from "./saved_matches.js";
import { SEATS, inside, ownSeat } from "./words.js";

const button = (label, onclick, kind = "") => element("button", { type: "button", class: kind, "data-key": label, onclick }, label);

/** Whether the other was away for too long and this seat has picked; where there is a clock it ends the match by itself. */
const mayClaim = (view, own) => !view.deadline && isLate(view) && !view.waiting[own];

/**
 * The buttons that fit how the match stands.
 * @param {any} view @param {string} id @param {(path: string, body: object, query?: Record<string, string>) => Promise<any>} act
 */
export function actions(view, id, act) {
  const own = ownSeat(view);
  const lobby = element("a", { href: "/", class: "button", "data-key": "lobby" }, "All games");
  if (own < 0) return [view.rematch ? element("a", { href: `/match/${view.rematch}`, class: "button main", "data-key": "next" }, "Watch the next match") : null, view.result ? review(view) : null, lobby].filter(Boolean);
  if (!view.result) {
    return [
      holdsBoth(id) ? element("a", { href: `/match/${id}?seat=${SEATS[1 - own]}`, class: "button", "data-key": "other" }, `Play as ${inside(view.players[1 - own])}`) : null,
      mayClaim(view, own) ? button("Claim the win", () => act("/claim", {}), "main") : null,
      view.computers[1 - own] && view.legal.length ? button("Hint", () => showHint(view), "plain") : null,
      ...takeBack(view, own, act),
      view.joined.every(Boolean) ? button("Resign", () => by("resign").showModal(), "plain") : button("Cancel the match", () => act("/cancellation", {}), "plain"),
    ].filter(Boolean);
  }
  if (!view.joined.every(Boolean)) return [lobby];
  return [...again(view, own, id, act), review(view),
    view.result.reason === "void" ? null : button("Share", (event) => shareResult(view, event.target)),
    element("a", { href: challengeLink(view, "friend"), class: "button", "data-key": "friend" }, "Challenge a friend"), lobby].filter(Boolean);
}

/** What to pick here and why, as on the map. */
async function showHint(view) {
  const say = (...lines) => by("hinted").replaceChildren(...lines.map((line) => element("p", {}, line)));
  say("Looking at every pick…");
  by("hint").showModal();
  try {
    const found = await askPatiently(`/api/games/${view.game}/position?${positionQuery(view.history, view.seat, view.rulings)}`);
    const { why, advice } = found.hints[view.seat];
    const best = advice.filter((each) => each.share);
    say(...why, ...best.map((each) => `Pick ${each.name}${best.length > 1 ? `: ${each.often} of the time` : ""}.`));
  } catch (refusal) {
    say(`There is no hint: ${refusal.message}`);
  }
}

/** Take a pick back: a computer agrees, a person is asked and answers. */
function takeBack(view, own, act) {
  const ask = (accept) => () => act("/takeback", { round: view.round, ...accept });
  if (view.takeback_asked === SEATS[1 - own]) return [button("Allow", ask({ accept: true }), "main"), button("Do not allow", ask({ accept: false }))];
  if (!view.takeback) return [];
  if (!view.computers[1 - own]) return [button("Ask to take back", ask(), "plain")];
  return view.waiting[1 - own] ? [] : [button("Take back", ask(), "plain")];
}

function review(view) {
  return view.history.length ? element("a", { href: `/match/${view.match}/review`, class: "button", "data-key": "review" }, "Review") : null;
}

let going = false;
let went = false; // whether it went there: whoever comes back with the browser's button stays
let follows = false; // whether this page saw the end before there was a rematch: it goes there once
addEventListener("pageshow", () => { going = false; }); // come back to with the browser's button

/** Offer another match, accept the other's offer, or wait; when both want it, go there. */
function again(view, own, id, act) {
  const other = view.players[1 - own];
  const go = async () => {
    if (going) return;
    going = true;
    const both = holdsBoth(id);
    if (both) await ask(`/api/matches/${id}/rematch?seat=${SEATS[1 - own]}`, {}).catch(() => {});
    const found = await act("/rematch", {});
    if (found?.match && found.match !== id) {
      if (both) keepBoth(found.match);
      went = true;
      location.href = both ? `/match/${found.match}?seat=${found.seat}` : `/match/${found.match}`;
    } else going = false;
  };
  if (view.rematch) {
    if (follows && !went && view.offers[own]) go();
    follows = false;
    return [button("To the rematch", go, "main")];
  }
  follows = true;
  const note = (text) => element("span", { class: "faint", "data-key": "offered" },
    view.connected[1 - own] === false && !view.computers[1 - own] ? `${text} ${other} has left.` : text);
  if (view.offers[own]) return [note(`Waiting for ${inside(other)} to accept the rematch.`), button("Never mind", () => act("/rematch", {}, { stands: "false" }), "plain")];
  if (view.offers[1 - own]) return [note(`${other} asks for another match on the same rules.`), button("Accept the rematch", go, "main")];
  return [button(view.computers[1 - own] || holdsBoth(id) ? "Play again" : "Ask for a rematch", go, "main")];
}
