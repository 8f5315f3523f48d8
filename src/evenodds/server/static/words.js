// What the table says of a match: whose turn it is, what was agreed, how it ended.
import { awaySeat, isLate, span } from "./clock.js";

export const SEATS = ["first", "second"];

/** The place of the seat that a view is for; -1 for a spectator. */
export const ownSeat = (view) => SEATS.indexOf(view.seat);

/** A view in the eyes of its reader, who has names for both, and is never away. */
export function toReader(view) {
  return { ...view, players: view.names, connected: view.connected.map((here, seat) => here || seat === ownSeat(view)) };
}

/** A name inside a sentence, not at its start: "your opponent", but "Ann". */
export const inside = (name) => (/^(Your opponent|The (first|second) player)$/.test(name) ? name[0].toLowerCase() + name.slice(1) : name);

export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** What rule books call a step: a turn where one player picks, a round where both do. */
export function roundWord(game, asHead = false) {
  const word = game?.simultaneous === false ? "turn" : "round";
  return asHead ? capital(word) : word;
}

/** What was agreed: the rulings that are not the usual ones, the time for a pick, and whether picks are sealed. */
export function agreed(view) {
  return [...view.changed, view.clock ? `${span(view.clock)} a pick` : null, view.sealed ? "sealed picks" : null].filter(Boolean).join(" · ");
}

/** What the last round meant and why the match is over, in a line; before the first what the game is about, and what was drawn. */
export function summary(view) {
  if (!view.history.length && !view.result) return [view.goal, view.summary].filter(Boolean).join(" ");
  const played = view.history.length && (!view.result || view.result.reason === "rules") ? view.summary : "";
  const why = view.joined.every(Boolean) ? view.result?.why : ""; // of a cancelled match the verdict says all
  return [played, why].filter(Boolean).join(" ");
}

/** What chance drew before a round and after it. @param {number[]} [before] @param {number[]} [after] */
export const drawn = (before = [], after = []) => [before.length ? `drawn before: ${before.join(", ")}` : "", after.length ? `drawn after: ${after.join(", ")}` : ""].filter(Boolean).join("; ");

/** How the match ended for whoever looks at it. @returns {"won" | "lost" | "drawn" | "watched"} */
export function winnerHere(view) {
  const winner = SEATS.indexOf(view.result.outcome);
  if (winner < 0) return "drawn";
  if (ownSeat(view) < 0) return "watched";
  return winner === ownSeat(view) ? "won" : "lost";
}

/** What the rule book says of the last round, and of the end. @returns {string[]} */
export const told = (view) => [...(view.history.length ? view.told : []), ...(view.result?.told ?? [])];

/** The result in a word; the reason stands in what is told. */
export function verdict(view) {
  const winner = SEATS.indexOf(view.result.outcome);
  if (!view.joined.every(Boolean)) return "The match is cancelled.";
  if (view.result.reason === "void") return "Nobody wins.";
  return { won: "You win!", lost: "You lose.", drawn: "A draw.", watched: `${view.players[winner]} wins!` }[winnerHere(view)];
}

/** The result and the reason; the reason alone where it says who wins. */
export function ending(view) {
  const { why } = view.result;
  return why.startsWith(verdict(view).slice(0, -1)) ? why : `${verdict(view)} ${why}`;
}

// Why a computer is late, or not itself.
const DELAYS = {
  solving: "The computer waits until this game is solved.",
  search: "The exact solution is still being computed; until then the computer looks a few moves ahead.",
  unsolved: "This game could not be solved, so the computer looks a few moves ahead.",
  trouble: "Something went wrong on the server. The computer tries again.",
};

/**
 * Whose turn it is, what is to be done, and why somebody keeps everyone waiting.
 * @param {any} view
 * @param {{mine: number | null, unsent: string, sealLost: boolean}} here what only this browser knows; `unsent` tells of a pick that the server does not have
 */
export function status(view, here) {
  const delay = view.result ? "" : DELAYS[view.delay] ?? "";
  return [asked(view), turn(view, here), delay, away(view)].filter(Boolean).join(" ");
}

/** Who asks to take back a pick. */
function asked(view) {
  const who = SEATS.indexOf(view.takeback_asked);
  if (who < 0) return "";
  return who === ownSeat(view) ? "You ask to take back your last pick." : `${view.players[who]} asks to take back their last pick.`;
}

/** Who is away, and what may be done about it. */
function away(view) {
  const who = view.result ? -1 : awaySeat(view);
  if (who < 0) return "";
  const own = ownSeat(view);
  const then = view.waiting[own] ? "Once you have picked" : "Now";
  if (own < 0 || (view.waiting[own] && !isLate(view))) return `${view.players[who]} is away.`;
  return `${view.players[who]} is away. ${isLate(view) ? then : "When the time is up"} you can claim the win.`;
}

/** Whose turn it is, and what is to be done. */
function turn(view, { mine, unsent, sealLost }) {
  const own = ownSeat(view);
  const others = view.players.filter((_, seat) => seat !== own && view.waiting[seat]);
  if (view.result) return verdict(view);
  if (!view.joined.every(Boolean)) return own >= 0 ? "Waiting for an opponent." : "Waiting for a second player.";
  if (sealLost) return "This browser no longer has the salt of your sealed pick, so it cannot be opened. You can resign.";
  if (view.phase === "reveal") return "Both picks are sealed. Now they are opened.";
  if (unsent) return `You picked ${view.pick_names?.[own]?.[mine] ?? mine}. ${unsent}`;
  const invite = Object.keys(view.pick_names?.[own] ?? {}).length ? "Make your pick." : "Pick a number.";
  if (view.legal.length && mine === null) return view.simultaneous ? `${invite} It stays secret.` : `It is your turn. ${invite}`;
  if (others.length === 2) return "Both players are picking.";
  return others.length ? `Waiting for ${inside(others[0])}.` : "";
}
