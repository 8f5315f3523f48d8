// What boards are made of: cards, hands, plates with names, and the place where cards are turned.
import { element } from "/static/dom.js";

/**
 * A position as a board draws it.
 * @typedef {object} Position
 * @property {any} state the fields of the position
 * @property {any} before the position before the last round, or null
 * @property {Record<string, any>} rulings
 * @property {string[]} players by seat: first, second
 * @property {(number | null)[][]} history
 * @property {number[]} legal the numbers that may be picked here and now
 * @property {Record<string, string>[]} [pick_names] what picks are called, by seat and number, where they have names
 * @property {string[][]} [previews] for each of them a mark, and what it would do at once
 * @property {0 | 1} near the seat at the lower edge
 * @property {boolean} [own] whether somebody sits there who picks
 * @property {number | null} [mine] what the near seat has picked in this round
 * @property {number} [touched] the number that a finger asks about: touched again it is picked
 * @property {boolean} [asked] whether the pick answers a puzzle, and is no secret
 * @property {number | null} [reply] what the other picks in a puzzle, where that is told
 * @property {number | null} [likely] what they most likely pick, once it is answered
 * @property {number | null} [answer] the right answer of a puzzle, once it is answered
 * @property {boolean} [trap] whether that is the only mistake, and not the best number
 * @property {boolean} [simultaneous] whether both pick at once
 * @property {boolean[]} [chosen] @property {boolean[]} [waiting] @property {string[]} [computers]
 * @property {(boolean | null)[]} [connected] @property {boolean[]} [joined]
 * @property {boolean} [turning] whether the last round is being revealed
 * @property {any} [result] @property {string[][][]} board the drawing in text
 */

export const SEATS = ["first", "second"];

/** The seats from the far edge to the near one. @param {Position} p @returns {number[]} */
export const across = (p) => [1 - p.near, p.near];

/** A name where there is little room: of those that describe a player the word that tells. */
export function label(name) {
  const [, word] = name.match(/^(?:Your|The) (opponent|first|second)(?: player)?$/) ?? [];
  return word ? word[0].toUpperCase() + word.slice(1) : name;
}

/** Numbers from 1. */
export const upTo = (size) => Array.from({ length: size }, (_, place) => place + 1);

/** What a pick is called. @param {any} p @param {number} seat @param {number} number */
export const pickName = (p, seat, number) => p.pick_names?.[seat]?.[number] ?? String(number);

/** The picks of the last round, or null. @param {Position} p */
export const lastPicks = (p) => p.history.at(-1) ?? null;

/**
 * A number that may be picked: a button; one that may not now stays one, so that focus stays too.
 * @param {Position} p @param {number} number @param {Record<string, any>} [attributes]
 */
export function choice(p, number, attributes = {}, ...inside) {
  const open = p.legal.includes(number);
  const mine = p.mine === number;
  const name = pickName(p, p.near, number);
  const [preview, tells] = p.previews?.[p.legal.indexOf(number)] ?? [];
  const right = p.answer === number;
  const mark = right ? (p.trap ? "✗" : "✓") : p.answer && mine && !p.trap ? "✗" : preview?.replace(/^-/, "them −");
  const known = [name, mine ? "your pick" : "", right ? (p.trap ? "the mistake" : "the right answer") : ""];
  return element("button", {
    type: "button",
    "data-pick": number,
    "data-key": `pick-${number}`,
    "aria-disabled": open ? null : "true",
    "aria-pressed": mine ? "true" : null,
    tabindex: p.result || p.answer ? -1 : null, // nothing is left to pick
    "aria-label": mine || right ? known.filter(Boolean).join(", ") : `Pick ${name}${tells ? `: ${tells}` : ""}`,
    "data-tells": tells,
    ...attributes,
    class: `choice ${attributes.class ?? ""} ${fitted(name)} ${open ? "open" : ""} ${mine ? "mine" : ""} ${right && !p.trap ? "right" : ""} ${open && p.touched === number ? "touched" : ""}`,
  }, ...(inside.length ? inside : [name]), mark ? element("small", { class: `mark ${SEATS[1 - p.near]}`, "aria-hidden": "true" }, mark) : null);
}

/** A name takes more room than a number. */
const fitted = (name) => (name.length > 3 ? "named" : "");

/** A card with its face up. */
export function card(number, seat, more = "", name = String(number)) {
  return element("span", { class: `card ${SEATS[seat]} ${fitted(name)} ${more}` }, name);
}

/**
 * A hand from 1 to its size; numbers that are gone stay as empty places.
 * @param {Position} p @param {number} seat @param {number[]} held @param {number} size
 */
export function hand(p, seat, held, size) {
  const own = p.own && seat === p.near;
  const cards = upTo(size).map((number) => {
    if (!held.includes(number)) {
      return element("li", { "data-key": `card-${number}` }, element("span", { class: "card gone", "data-gone": true, tabindex: -1 },
        element("span", { class: "unseen" }, "spent: "), pickName(p, seat, number)));
    }
    return element("li", { "data-key": `card-${number}` },
      own ? choice(p, number, { class: `card ${SEATS[seat]}` }) : card(number, seat, "", pickName(p, seat, number)));
  });
  return element("ol", { class: `hand ${own ? "own" : ""} ${size > 12 ? "many" : ""}`, "aria-label": own ? "Your numbers" : `${p.players[seat]}'s numbers` }, cards);
}

/** What a player is doing, in a word or two. @param {Position} p */
function doing(p, seat) {
  if (p.result || !p.chosen) return "";
  if (p.joined && !p.joined[seat]) return "has not come yet";
  const own = p.own && seat === p.near;
  if (p.chosen[seat] || (seat === p.near && (p.mine ?? null) !== null)) return own ? "have picked" : "has picked";
  if (!p.waiting?.[seat]) return "";
  return own ? "your pick" : "is thinking";
}

/**
 * A player's plate: the name, whether they are there, what they are doing, and what a game adds.
 * @param {Position} p @param {number} seat
 */
export function plate(p, seat, ...more) {
  const here = p.joined?.[seat] ?? true;
  const away = p.connected?.[seat] === false && !p.computers?.[seat] && (p.own || !p.result); // a rematch may wait for them
  const told = here && away && !p.chosen?.[seat] ? "" : doing(p, seat);
  const winner = p.result && p.result.outcome === SEATS[seat];
  return element("div", { class: `plate ${SEATS[seat]} ${p.waiting?.[seat] && !p.result ? "awaited" : ""} ${winner ? "winner" : ""}` },
    element("span", { class: `dot ${away ? "away" : ""}`, "aria-hidden": "true" }),
    element("strong", { class: "name who" }, p.players[seat]),
    p.computers?.[seat] ? element("span", { class: "faint" }, "computer") : null,
    here && away ? element("span", { class: "faint away" }, "away") : null,
    winner ? element("span", { class: "told" }, p.own && seat === p.near ? "win" : "wins") : null,
    told ? element("span", { class: "told" }, told) : null,
    element("span", { class: "more" }, more));
}

/** One place of the arena: empty, a card lying face down, or one that shows its number. */
function slot(p, seat, number, hidden, note, result = "") {
  const up = number !== null && number !== undefined;
  return element("div", { class: `slot ${SEATS[seat]} ${result}`, "data-key": `slot-${seat}` },
    element("div", { class: `turn ${up ? "up" : ""} ${up || hidden ? "" : "empty"} ${p.turning ? "turning" : ""}` },
      element("span", { class: "card back", "aria-hidden": "true" }),
      element("span", { class: `card face ${SEATS[seat]} ${up ? fitted(pickName(p, seat, number)) : ""}` }, up ? pickName(p, seat, number) : "")),
    element("span", { class: "note" }, note));
}

/**
 * Whose figure rose in the last round while the other's did not; -1 for nobody, or while cards turn.
 * @param {Position} p @param {(state: any) => number[]} of the figures of both seats
 */
export function gainer(p, of) {
  if (!p.before || p.turning) return -1;
  const gained = of(p.state).map((now, seat) => now - of(p.before)[seat]);
  return gained[0] === gained[1] ? -1 : Number(gained[1] > gained[0]);
}

/** The last round, small, while the next one lies on the table. */
const recalled = (p, last, winner) => element("span", { class: "recalled" }, element("span", { class: "faint" }, "last"), [p.near, 1 - p.near].map((seat) =>
  element("span", { class: `chip ${SEATS[seat]} ${seat === winner ? "won" : ""}` }, pickName(p, seat, last[seat]))));

/**
 * The middle of the table, where both cards lie: those of the last round until somebody has picked again.
 * @param {Position} p @param {any} [middle] what lies between them: text, or elements
 * @param {number} [winner] the seat whose card wins the round, -1 for neither
 */
export function arena(p, middle = "", winner = -1) {
  const picked = p.own && (p.mine !== null || p.chosen?.[p.near]);
  const begun = picked || (!p.result && p.chosen?.some(Boolean));
  const last = p.asked ? null : lastPicks(p); // in a puzzle nobody is to think that it is the one to beat
  const seats = [p.near, 1 - p.near];
  const slots = seats.map((seat) => {
    if (last && !begun) return slot(p, seat, last[seat], false, label(p.players[seat]), winner < 0 ? "" : seat === winner ? "won" : "lost");
    if (seat === p.near && picked) return p.trap ? slot(p, seat, p.answer, false, "the mistake") : slot(p, seat, p.mine, true, p.asked ? "your pick" : "your secret");
    if (seat === p.near && p.asked) return slot(p, seat, null, false, "your pick?");
    const reply = p.reply ?? p.likely;
    if (reply) return slot(p, seat, reply, false, p.reply ? "their pick" : "likely reply");
    const hidden = p.asked || Boolean(p.chosen?.[seat]);
    return slot(p, seat, null, hidden, hidden ? "face down" : "");
  });
  const played = p.own && !p.turning && !p.result ? "Last round" : `Round ${p.history.length}`;
  const caption = last && !begun ? played : `Round ${p.history.length + 1}`;
  return element("div", { class: `arena ${picked ? "secret" : ""}` }, slots[0],
    element("div", { class: "middle" }, element("span", { class: "faint" }, caption), begun && last ? recalled(p, last, winner) : last ? middle : null), slots[1]);
}

/** What changed for a seat in the last round, with its sign; nothing where nothing did. */
export function change(p, seat, of, unit = "") {
  const gained = p.before ? of(p.state)[seat] - of(p.before)[seat] : 0;
  if (!gained || p.turning) return null;
  return element("span", { class: `change ${SEATS[seat]} ${seat === p.near ? "near" : "far"}`, "data-key": `change-${seat}-${p.history.length}` },
    `${gained > 0 ? "+" : "−"}${Math.abs(gained)}${unit}`);
}

/** A bar from nothing to full, with what was lost just now behind it. */
export function gauge(seat, value, full, before = value) {
  const share = (worth) => Math.max(0, Math.min(1, worth / full));
  return element("div", { class: `gauge ${SEATS[seat]}`, "aria-hidden": "true", vars: { share: share(value), before: share(before) } },
    element("span", { class: "lost" }), element("span", { class: "left" }));
}

const adopted = new Set();

/** Add a board's own style; a style sheet made here is no inline style. */
export function styled(text) {
  if (adopted.has(text)) return;
  adopted.add(text);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}
