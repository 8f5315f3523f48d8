// Number Circle Duel: a ring on which claimed numbers stay as gaps, with the reach allowed now.
import { element, svg } from "/static/dom.js";
import { SEATS, across, choice, label, lastPicks, plate, styled, upTo } from "/static/boards/kit.js";

styled(`
.circle { --size: min(86vw, 27rem); }
.circle .ring { position: relative; width: min(100%, var(--size)); aspect-ratio: 1; margin: 0 auto; }
@media (orientation: landscape) and (max-height: 30rem) {
  .circle { --size: calc(100dvh - 5.2rem); grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr); align-items: center; }
  .circle .ring { width: var(--size); }
  .circle .plate { padding: .2rem; }
  .circle .plate .name { font-size: 1rem; }
}
.circle .ring > svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.circle .band { fill: none; stroke: color-mix(in srgb, var(--card) 60%, var(--mat)); stroke-width: 15; }
.circle .reach { fill: none; stroke: var(--glow); stroke-width: 15; opacity: .55; stroke-linecap: round; }
.circle .ring ol { list-style: none; margin: 0; padding: 0; }
.circle .ring li { position: absolute; left: 50%; top: 50%; width: 0; height: 0;
  transform: rotate(calc(var(--turn) * 1turn)) translateY(calc(var(--size) * -.405)) rotate(calc(var(--turn) * -1turn)); }
.circle .place { position: absolute; display: grid; place-items: center; width: var(--wide); height: var(--wide); left: calc(var(--wide) / -2); top: calc(var(--wide) / -2);
  min-height: 0; padding: 0; border-radius: 50%; background: var(--card); border: 1px solid var(--line); font: 700 1.15rem/1 var(--serif); color: var(--ink); }
.circle .ring { --wide: clamp(2.4rem, 11.5vw, 3.4rem); }
.circle .ring.many { --wide: clamp(1.75rem, 8.2vw, 2.75rem); }
.circle .ring.many .place { font-size: 1rem; }
.circle .place.open { border: 3px solid var(--seat); color: var(--seat); }
.circle .place.gone { background: var(--mat); border: 2px dashed var(--seat); color: var(--seat); box-shadow: none; font-weight: 400; text-decoration: line-through; }
.circle .place.last { background: var(--seat); color: var(--on); border-style: solid; font-weight: 700; text-decoration: none; }
.circle .place.last { animation: claim .5s both; }
@keyframes claim { from { transform: scale(1.7); opacity: 0; } }
.circle .closed { fill: none; stroke: var(--seat); stroke-width: 4; stroke-dasharray: 255; animation: close 1.3s both; }
@keyframes close { from { stroke-dashoffset: 255; } }
.circle .heart { position: absolute; inset: 28%; display: grid; grid-template-columns: minmax(0, 1fr); place-content: center; justify-items: center; text-align: center; pointer-events: none; }
.circle .heart > span { max-width: 100%; }
.circle .heart b { font: 700 3rem/1 var(--serif); color: var(--seat); }
`);

/** Who claimed a number: the seat, or -1. */
function claimant(p, number) {
  for (const picks of p.history) for (const seat of [0, 1]) if (picks[seat] === number) return seat;
  return -1;
}

function place(p, number) {
  const size = p.rulings.numbers;
  const attributes = { "data-key": `place-${number}`, vars: { turn: (number - 1) / size } };
  if (p.state.free.includes(number)) {
    const mover = SEATS[p.state.turn];
    return element("li", attributes, p.own ? choice(p, number, { class: `place ${mover}` }) : element("span", { class: "place" }, String(number)));
  }
  const by = SEATS[claimant(p, number)] ?? "";
  const last = number === p.state.last;
  return element("li", attributes, element("span", { class: `place gone ${by} ${last ? "last" : ""}`, "data-gone": true, tabindex: -1 },
    element("span", { class: "unseen" }, last ? "claimed last: " : "claimed: "), String(number)));
}

/** The part of the ring that lies within reach of the last number. */
function reach(p) {
  const { numbers, reach: far } = p.rulings;
  if (!p.state.last || p.result) return null;
  if (2 * far + 1 >= numbers) return svg("circle", { class: "reach", cx: 50, cy: 50, r: 40.5 });
  const at = (number) => {
    const angle = (2 * Math.PI * (number - 1)) / numbers;
    return `${50 + 40.5 * Math.sin(angle)} ${50 - 40.5 * Math.cos(angle)}`;
  };
  const wide = 2 * far > numbers / 2 ? 1 : 0;
  return svg("path", { class: "reach", d: `M${at(p.state.last - far)} A40.5 40.5 0 ${wide} 1 ${at(p.state.last + far)}` });
}

/** The ring closes in the winner's colour when somebody cannot move. */
function closed(p) {
  if (!["first", "second"].includes(p.result?.outcome)) return null;
  return svg("circle", { class: `closed ${p.result.outcome}`, cx: 50, cy: 50, r: 40.5, transform: "rotate(-90 50 50)" });
}

/** The leaps that a player has left, in games with leaps. */
function leaps(p, seat) {
  return p.rulings.leaps ? element("span", { class: "leaps" }, `Leaps left: ${p.state.leaps[seat]}`) : null;
}

/** @param {import("/static/boards/kit.js").Position} p */
export function draw(p) {
  const [far, near] = across(p);
  const mover = p.state.turn;
  const last = lastPicks(p);
  const heart = element("div", { class: `heart ${last ? SEATS[1 - mover] : ""}` },
    last ? [element("span", { class: "faint" }, element("span", { class: "who" }, label(p.players[1 - mover])), " claimed"), element("b", {}, String(p.state.last))]
      : element("span", { class: "faint" }, "Claim any number to begin."));
  return element("div", { class: "mat circle" }, plate(p, far, leaps(p, far)),
    element("div", { class: `ring ${p.rulings.numbers > 14 ? "many" : ""}` },
      svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, svg("circle", { class: "band", cx: 50, cy: 50, r: 40.5 }), reach(p), closed(p)),
      element("ol", { "aria-label": "The ring" }, upTo(p.rulings.numbers).map((number) => place(p, number))), heart),
    plate(p, near, leaps(p, near)));
}

/** A picture for the lobby: a ring with gaps. */
export function picture() {
  const claimed = { 3: "first", 4: "second", 5: "first" };
  const spot = (number) => {
    const angle = (2 * Math.PI * (number - 1)) / 10;
    const [x, y] = [80 + 34 * Math.sin(angle), 45 - 34 * Math.cos(angle)];
    const seat = claimed[number] ?? "";
    return svg("g", { class: seat }, svg("circle", { class: seat ? "gap" : "tile", cx: x, cy: y, r: 9 }),
      svg("text", { class: "number small", x, y: y + 4 }, number));
  };
  return svg("svg", { viewBox: "0 0 160 90", class: "picture", "aria-hidden": "true" }, upTo(10).map(spot));
}
