// Signs that two people send each other: a few, and not too often.
import { announce, by, element, mend } from "./dom.js";
import { ownSeat } from "./words.js";

const SIGNS = { "👍": "Good", "👏": "Bravo", "😮": "Wow", "😅": "Phew", "🤔": "Hm", "🙏": "Thanks" };
const SHOWN_MS = 4000;
/** @type {(number | null)[] | null} */
let seen = null; // when the signs were sent that were shown last
let timer = 0;

/** Show the signs to send and the one that has just come. @param {any} view @param {(path: string, body: object) => Promise<any>} act */
export function showReactions(view, act) {
  const own = ownSeat(view);
  const people = own >= 0 && view.joined.every(Boolean) && !view.computers.some(Boolean);
  by("reactions").hidden = !people;
  if (people) {
    mend(by("reactions"), ...Object.entries(SIGNS).map(([sign, label]) => element("button", {
      type: "button", class: "plain", "data-key": sign, "aria-label": label, onclick: () => act("/reactions", { sign }) }, sign)));
  }
  const sent = view.reactions ?? [null, null];
  sent.forEach((reaction, seat) => {
    if (!reaction || !seen || reaction[1] === seen[seat]) return;
    by("toast").textContent = `${view.players[seat]}: ${reaction[0]}`;
    if (seat !== own) announce(`${view.players[seat]}: ${SIGNS[reaction[0]] ?? reaction[0]}`);
    clearTimeout(timer);
    timer = setTimeout(() => { by("toast").textContent = ""; }, SHOWN_MS);
  });
  seen = sent.map((reaction) => reaction?.[1] ?? null);
}
