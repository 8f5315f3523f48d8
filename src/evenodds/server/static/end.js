// The end of a match: what decided it, and what can be sent to a friend.
import { askPatiently } from "./api.js";
import { by, element, send } from "./dom.js";
import { challengeLink } from "./game_links.js";
import { adjustLevel } from "./strength.js";
import { SEATS, capital, ownSeat, roundWord, winnerHere } from "./words.js";

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
  const own = ownSeat(view);
  const said = found.text.headline || (round || own < 0 ? found.text.turning : "");
  by("decisive").replaceChildren(round ? element("a", { href: `/match/${view.match}/review#${round}` }, said) : said);
  if (own >= 0 && view.result.reason === "rules") by("decisive").append(` ${found.text.mistakes[own]}`);
}

/** Send how a match ended, with its score in games that count, and a link to try the same. */
export function shareResult(view, button) {
  const own = ownSeat(view);
  const other = view.players[1 - own].replace(/^Your opponent$/, "a friend");
  const how = { won: `I beat ${other}`, lost: `${capital(other)} beat me`, drawn: `I drew with ${other}` }[winnerHere(view)];
  const rounds = `${view.history.length} ${roundWord(view)}${view.history.length === 1 ? "" : "s"}`;
  const counted = view.result.reason === "rules" && (view.state.wins ?? view.state.scores);
  const score = counted && [...counted].sort((more, less) => less - more).join("-"); // as is said: the winner's first
  const text = `${how}${score ? `, ${score}, at` : ` in ${rounds} of`} ${view.title}. ${winnerHere(view) === "won" ? "Can you?" : "Can you do better?"}`;
  return send(text, challengeLink(view, view.computers[1 - own]), button);
}
