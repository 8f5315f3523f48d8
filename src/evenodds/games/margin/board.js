// Number Clash, five rounds: two hands with spent numbers, points, and rounds won.
import { element, svg } from "/static/dom.js";
import { across, arena, change, gainer, hand, plate } from "/static/boards/kit.js";

const points = (state) => state.points;

function score(p, seat) {
  const won = p.state.wins[seat];
  return [
    element("span", {}, element("span", { class: "score" }, String(won)), ` ${won === 1 ? "round" : "rounds"}`, element("span", { class: "unseen" }, " won,")),
    element("span", { class: "faint" }, `${p.state.points[seat]} ${p.state.points[seat] === 1 ? "point" : "points"}`),
  ];
}

/** @param {import("/static/boards/kit.js").Position} p */
export function draw(p) {
  const [far, near] = across(p);
  const side = (seat) => [plate(p, seat, score(p, seat)), hand(p, seat, p.state.hands[seat], p.rulings.numbers)];
  const gained = [near, far].map((seat) => change(p, seat, points));
  return element("div", { class: "mat hands" }, side(far), arena(p, gained, gainer(p, points)), side(near).reverse());
}

/** A picture for the lobby: 5 against 3 gains 2. */
export function picture() {
  const card = (x, number, seat) => svg("g", { class: seat, transform: `translate(${x} 20)` },
    svg("rect", { class: "tile", width: 34, height: 46, rx: 5 }),
    svg("text", { x: 17, y: 31, class: "number" }, number));
  return svg("svg", { viewBox: "0 0 160 90", class: "picture", "aria-hidden": "true" },
    card(22, 5, "first"), card(104, 3, "second"),
    svg("g", { class: "first" }, svg("text", { x: 80, y: 51, class: "number" }, "+2")));
}
