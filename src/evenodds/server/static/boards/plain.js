// The board of any game: the drawing that its words make, and the numbers that may be picked.
import { element, svg } from "/static/dom.js";
import { across, arena, choice, plate } from "/static/boards/kit.js";

/**
 * A piece of the drawing; a number in the colour of a seat, or of a set, is a card.
 * @param {string[]} span its text and style
 */
function piece([text, style]) {
  const isCard = /^[0-9]+$/.test(text) && ["first", "second", "open"].includes(style);
  return element("span", style ? { class: isCard ? `${style} tile` : style } : {}, text);
}

/** @param {import("/static/boards/kit.js").Position} p */
export function draw(p) {
  const [far, near] = across(p);
  const numbers = p.own ? p.legal : [];
  return element("div", { class: "mat plain" }, plate(p, far),
    element("pre", { class: "drawing" }, p.board.flatMap((line) => [
      ...line.map(piece), "\n"])),
    p.simultaneous ? arena(p) : null,
    element("div", { class: "hand own" }, numbers.map((number) => choice(p, number, { class: `card ${near ? "second" : "first"}` }))),
    plate(p, near));
}

/** A picture for the lobby. */
export function picture() {
  const card = (x, number, seat) => svg("g", { class: seat, transform: `translate(${x} 22)` },
    svg("rect", { class: "tile", width: 30, height: 42, rx: 5 }),
    svg("text", { x: 15, y: 28, class: "number" }, number));
  return svg("svg", { viewBox: "0 0 160 90", class: "picture", "aria-hidden": "true" },
    card(25, 1, "first"), card(65, 2, "second"), card(105, 3, "first"));
}
