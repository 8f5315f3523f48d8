// Number Duel: two health bars that take the blow.
import { element, svg } from "/static/dom.js";
import { SEATS, across, arena, change, choice, gainer, gauge, plate, styled, upTo } from "/static/boards/kit.js";

styled(`
.duel .health { display: grid; grid-template-columns: 1fr 6.6rem; white-space: nowrap; align-items: center; gap: .2rem .8rem; padding: 0 .4rem; }
.duel .health b { font: 700 1.3rem/1 var(--serif); color: var(--seat); }
.duel .health .gauge { height: 1.8rem; border-radius: .9rem; }
.duel .struck { animation: struck .5s .1s both; }
@keyframes struck { 20% { transform: translateX(-.5rem); } 40% { transform: translateX(.5rem); } 60% { transform: translateX(-.3rem); } 80% { transform: translateX(.2rem); } }
`);

const health = (state) => state.health;
const shown = (left) => Math.max(0, left);

function bar(p, seat) {
  const now = shown(health(p.state)[seat]);
  const before = p.before && !p.turning ? shown(health(p.before)[seat]) : now;
  return element("div", { class: `health ${SEATS[seat]} ${before > now ? "struck" : ""}`, "data-key": `health-${seat}-${before > now ? p.history.length : 0}` },
    gauge(seat, now, p.rulings.hp, before),
    element("span", {}, element("b", {}, String(now)), ` of ${p.rulings.hp} HP`));
}

/** @param {import("/static/boards/kit.js").Position} p */
export function draw(p) {
  const [far, near] = across(p);
  const blows = [near, far].map((seat) => change(p, seat, health, " HP"));
  const own = p.own ? element("div", { class: "hand own" },
    upTo(p.rulings.numbers).map((number) => choice(p, number, { class: `card ${SEATS[near]}` }))) : null;
  return element("div", { class: "mat duel" }, plate(p, far), bar(p, far), arena(p, blows, gainer(p, health)), bar(p, near), own, plate(p, near));
}

/** A picture for the lobby: 3 strikes, and a bar is shorter. */
export function picture() {
  const bar = (y, seat, share, x) => svg("g", { class: seat },
    svg("rect", { class: "trough", x: 20, y, width: 120, height: 12, rx: 6 }),
    svg("rect", { class: "fill", x: 20, y, width: 120 * share, height: 12, rx: 6 }),
    svg("text", { class: "number", x, y: 53 }, seat === "first" ? 3 : 2));
  return svg("svg", { viewBox: "0 0 160 90", class: "picture", "aria-hidden": "true" },
    bar(12, "second", 0.5, 105), bar(66, "first", 0.85, 55), svg("path", { class: "line first", d: "M72 45 H90 M84 39 L91 45 L84 51" }));
}
