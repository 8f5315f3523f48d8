// Number Clash, first to three: two hands with spent numbers, and a race of points.
import { element, svg } from "/static/dom.js";
import { SEATS, across, arena, change, gainer, hand, lastPicks, plate, styled } from "/static/boards/kit.js";

styled(`
.underdog-event { font: 700 clamp(.85rem, 4vw, 1.3rem)/1 var(--serif); color: var(--seat); text-transform: uppercase; padding: .3rem .4rem; border: 3px solid; border-radius: .5rem; background: var(--card); animation: stamp .7s .2s both; }
@keyframes stamp { from { opacity: 0; transform: scale(3) rotate(12deg); } 60% { opacity: 1; transform: scale(.92) rotate(-9deg); } to { transform: rotate(-6deg); } }
`);

const scores = (state) => state.scores;

/** What lies between the cards: the point, and the event of a lower number that wins. */
function event(p, winner) {
  if (winner < 0) return null;
  const picks = (lastPicks(p) ?? []).map(Number);
  const underdog = picks[winner] < picks[1 - winner];
  return [underdog ? element("span", { class: `underdog-event ${SEATS[winner]}`, "data-key": `event-${p.history.length}` }, "Underdog!") : null,
    change(p, winner, scores)];
}

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
  const winner = gainer(p, scores);
  return element("div", { class: "mat hands" }, side(far), arena(p, event(p, winner), winner), side(near).reverse());
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
