// Number Clash, first to three: two hands with spent numbers, and a race of points.
import { element, svg } from "/static/dom.js";
import { SEATS, across, arena, hand, plate } from "/static/boards/kit.js";

/** The points of a seat as beads on the way to the target. */
function beads(p, seat) {
  const { target } = p.rulings;
  const points = p.state.scores[seat];
  return element("span", { class: "beads", role: "img", "aria-label": `${points} of ${target} points` },
    Array.from({ length: target }, (_, place) => element("span", { class: `bead ${place < points ? SEATS[seat] : ""}` })));
}

/** @param {import("/static/boards/kit.js").Position} p */
export function draw(p) {
  const [far, near] = across(p);
  const side = (seat) => [plate(p, seat, beads(p, seat)), hand(p, seat, p.state.hands[seat], p.rulings.numbers)];
  return element("div", { class: "mat hands" }, side(far), arena(p), side(near).reverse());
}

/** A picture for the lobby: 7 lies beside 8, and wins. */
export function picture() {
  const card = (x, y, number, seat, more = "") => svg("g", { class: `${seat} ${more}`, transform: `translate(${x} ${y})` },
    svg("rect", { class: "tile", width: 34, height: 46, rx: 5 }),
    svg("text", { x: 17, y: 31, class: "number" }, number));
  return svg("svg", { viewBox: "0 0 160 90", class: "picture", "aria-hidden": "true" },
    card(38, 12, 7, "first", "won"), card(88, 26, 8, "second"),
    [0, 1, 2].map((place) => svg("circle", { class: place < 1 ? "first dot" : "dot", cx: 44 + 11 * place, cy: 74, r: 4 })));
}
