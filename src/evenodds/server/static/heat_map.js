// What each pair of picks is worth, as a heat map; walked with the arrow keys.
import { pickName } from "./boards/kit.js";
import { element } from "./dom.js";

const named = (position, pair) => pair.map((pick, seat) => (pick ? `${position.players[seat]} ${pickName(position, seat, pick)}` : null)).filter(Boolean).join(", ");

/** One field: its colour says for whom, and how much. */
function field(position, pair, [y, x], place, show) {
  const { payoff, text, short } = position.matrix;
  const worth = payoff[y][x] + (position.points ?? 0);
  const label = `${named(position, pair)}: you score ${text[y][x]}`;
  return element("td", {}, element("button", {
    type: "button", class: `heat ${worth < 0 ? "second" : "first"}`, "aria-label": label,
    "data-pair": pair.map((pick) => pick || "").filter(Boolean).join("-"), "data-place": place.join(","),
    tabindex: place[0] === 0 && place[1] === 0 ? "0" : "-1", vars: { strength: Math.abs(worth) }, onclick: () => show(pair),
  }, short[y][x].replace("%", "")));
}

/**
 * The map: a row for each number of the first seat, a column for each of the second; in games of
 * turns one row for whoever is to pick.
 * @param {any} position @param {(pair: number[]) => void} walk
 */
export function heatMap(position, walk) {
  const { first, second } = position.matrix;
  const turn = !position.simultaneous;
  const pairs = first.map((one, y) => second.map((two, x) => [[one, two], [y, x]]));
  const rows = turn ? [pairs.flat()] : pairs;
  const columns = turn ? rows[0].map(([pair]) => Math.max(...pair)) : second; // whoever is not to pick has 0
  const head = element("tr", {}, turn ? null : element("td", { class: "corner", "aria-hidden": "true" }),
    columns.map((pick) => element("th", { scope: "col", class: turn && first[0] ? "first" : "second" }, pickName(position, Number(!(turn && first[0])), pick))));
  const body = rows.map((row, y) => element("tr", {}, turn ? null : element("th", { scope: "row", class: "first" }, pickName(position, 0, first[y])),
    row.map(([pair, at], x) => field(position, pair, at, [y, x], walk))));
  return element("table", { class: "heatmap", vars: { columns: columns.length + 1 }, "aria-label": "What each pair of picks is worth" }, element("thead", {}, head), element("tbody", {}, body));
}

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Let the arrow keys walk over the map, with one stop for the tab key. */
export function arrows(place) {
  place.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const here = event.target.closest("[data-place]");
    if (!step || !here) return;
    const [y, x] = here.dataset.place.split(",").map(Number);
    const next = place.querySelector(`[data-place="${y + step[0]},${x + step[1]}"]`);
    event.preventDefault();
    if (!next) return;
    here.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
