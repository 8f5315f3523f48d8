// Clash of Numbers: a race track to the target, with what was added and what was taken back.
import { element, svg } from "/static/dom.js";
import { SEATS, across, change, choice, label, lastPicks, plate, styled, upTo } from "/static/boards/kit.js";

styled(`
.factors .track { position: relative; display: grid; gap: .5rem; padding: 1.4rem 1.2rem 1.6rem .4rem; margin: .3rem 0; border-radius: .8rem; background: color-mix(in srgb, var(--card) 65%, var(--mat)); }
.factors .lane { position: relative; height: 2.6rem; border-radius: 1.3rem; background: var(--mat); border: 1px solid var(--line); }
.factors .run { position: absolute; inset: 0 auto 0 0; width: calc(1.3rem + var(--share) * (100% - 2.6rem)); border-radius: 1.3rem 0 0 1.3rem; background: color-mix(in srgb, var(--seat) 30%, transparent); transition: width .6s; }
.factors .ghost, .factors .pawn { position: absolute; top: 50%; left: calc(var(--share) * (100% - 2.6rem)); width: 2.6rem; height: 2.6rem; margin-top: -1.3rem; border-radius: 50%; display: grid; place-items: center; transition: left .6s cubic-bezier(.2, .8, .3, 1); }
.factors .pawn { background: var(--seat); color: var(--on); font: 700 1.1rem/1 var(--serif); box-shadow: 0 .15rem .4rem rgb(var(--shadow) / .35); }
.factors .ghost { border: 2px dashed var(--seat); }
.factors .marks { position: absolute; inset: auto 1.2rem .15rem .4rem; height: 1.3rem; }
.factors .marks span { position: absolute; left: calc(1.3rem + var(--share) * (100% - 2.6rem)); transform: translateX(-50%); font-size: .8rem; color: var(--faint); font-variant-numeric: tabular-nums; }
@media (orientation: landscape) and (max-height: 30rem) {
  .factors .track { gap: .2rem; padding-top: .3rem; padding-bottom: 1.4rem; margin: 0; }
  .factors .deed { min-height: 2.6rem; }
  .factors .held .card { height: 2.6rem; }
}
.factors .deed { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: .3rem .9rem; min-height: 3.4rem; text-align: center; }
.factors .held { display: inline-flex; align-items: center; gap: .6rem; max-width: 100%; overflow-wrap: anywhere; }
.factors .held .card { width: 2.6rem; height: 3.4rem; font-size: 1.5rem; }
.factors .held :not(.faint) { flex: none; }
`);

const scores = (state) => state.scores;

function lane(p, seat) {
  const share = (score) => Math.min(1, score / p.rulings.target);
  const now = p.state.scores[seat];
  const before = p.before?.scores[seat] ?? now;
  return element("div", { class: `lane ${SEATS[seat]}` },
    element("span", { class: "run", vars: { share: share(now) } }),
    before !== now ? element("span", { class: "ghost", "aria-hidden": "true", vars: { share: share(before) } }) : null,
    element("span", { class: "pawn", "data-key": "pawn", vars: { share: share(now) } },
      element("span", { class: "unseen" }, `${p.players[seat]}: `), String(now)));
}

/** The last number, and what it did to both scores. */
function deed(p) {
  const last = lastPicks(p);
  if (!last) return element("div", { class: "deed faint" }, `The first to reach ${p.rulings.target} wins.`);
  const mover = last[0] === null ? 1 : 0;
  const taken = change(p, 1 - mover, scores);
  return element("div", { class: "deed" },
    element("span", { class: "held" }, element("span", { class: "faint" }, `${label(p.players[mover])} picked`),
      element("span", { class: `card ${SEATS[mover]}` }, String(last[mover])), change(p, mover, scores)),
    taken ? element("span", { class: "held", "data-key": "taken" }, element("span", { class: "faint" }, label(p.players[1 - mover])), taken) : null);
}

/** Round numbers along the track, and the target. */
function marks(target) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => target / size <= 6) ?? target;
  return [...upTo(Math.ceil(target / step)).map((place) => (place - 1) * step).filter((mark) => target - mark >= step / 2), target];
}

/** @param {import("/static/boards/kit.js").Position} p */
export function draw(p) {
  const [far, near] = across(p);
  const pool = p.own ? element("div", { class: `hand own ${p.rulings.numbers > 12 ? "many" : ""}` },
    upTo(p.rulings.numbers).map((number) => choice(p, number, { class: `card ${SEATS[near]}` }))) : null;
  return element("div", { class: "mat factors" }, plate(p, far),
    element("div", { class: "track" }, lane(p, far), lane(p, near),
      element("div", { class: "marks", "aria-hidden": "true" }, marks(p.rulings.target).map((mark) => element("span", { vars: { share: mark / p.rulings.target } }, String(mark))))),
    deed(p), pool, plate(p, near));
}

/** A picture for the lobby: two pawns on their way. */
export function picture() {
  const lane = (y, seat, x, score, ghost) => svg("g", { class: seat },
    svg("rect", { class: "trough", x: 26, y, width: 108, height: 26, rx: 13 }),
    ghost ? svg("circle", { class: "gap", cx: ghost, cy: y + 13, r: 12 }) : null,
    svg("circle", { class: "fill", cx: x, cy: y + 13, r: 13 }),
    svg("text", { class: "score-text", x, y: y + 18 }, score));
  return svg("svg", { viewBox: "0 0 160 90", class: "picture", "aria-hidden": "true" },
    lane(12, "second", 64, 18, 88), lane(50, "first", 106, 37));
}
