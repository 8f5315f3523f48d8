// The map of a game: what each pick is worth at any position. The address says where you are.
import { ask, askPatiently } from "./api.js";
import { useBoard } from "./board.js";
import { by, element, mend } from "./dom.js";
import { linkGame } from "./game_links.js";
import { SEATS } from "./boards/kit.js";
import { arrows, heatMap } from "./heat_map.js";
import { rulingFields, rulingValues } from "./rulings.js";

const name = location.pathname.split("/")[2];
let asked = 0;
/** @type {any} */
let found = null;
/** @type {any} */
let board = null;

const wanted = () => new URLSearchParams(location.search);
const near = () => (wanted().get("seat") === "second" ? 1 : 0);

/** An address with other picks, and the same rulings. */
function address(after, rulings = null) {
  const query = new URLSearchParams(rulings ?? wanted());
  query.delete("after");
  if (near()) query.set("seat", "second");
  if (after) query.set("after", after);
  const text = query.toString();
  return `${location.pathname}${text ? `?${text}` : ""}`;
}

function go(after, rulings = null) {
  history.pushState(null, "", address(after, rulings));
  look();
}

const rounds = () => (found.after ? found.after.split(" ") : []);
const walk = (pair) => go([...rounds(), pair.filter(Boolean).join("-")].join(" "));

function showPath() {
  const steps = ["", ...rounds()];
  by("path").hidden = !found.after; // alone it would look like a button that starts a match
  by("path").replaceChildren(...steps.map((step, place) => {
    const label = step || "Start";
    const here = place === steps.length - 1;
    const after = steps.slice(1, place + 1).join(" ");
    return element("a", { href: address(after), class: "step", "aria-current": here ? "step" : null, "data-after": after }, label);
  }));
}

function bars(seat) {
  const hint = found.hints[seat];
  const place = seat === "first" ? 0 : 1;
  if (!hint) return null;
  const rows = hint.advice.map((advice) => {
    const walkable = !found.simultaneous;
    const number = walkable
      ? element("button", { type: "button", class: "chip", onclick: () => walk([advice.number]) }, element("span", { class: "unseen" }, "Pick "), advice.name)
      : element("span", { class: "chip" }, advice.name);
    return element("tr", {}, element("th", { scope: "row" }, number),
      element("td", { class: "barred" }, element("span", { class: "bar-line", vars: { share: advice.share } })),
      element("td", { class: "share" }, advice.often || "–"),
      element("td", { class: "faint" }, advice.text));
  });
  return element("div", { class: `mix ${seat}` }, element("h3", {}, found.players[place]),
    element("table", { "aria-label": `${found.only[seat] ? "The best mix" : "A best mix"} of ${found.players[place]}` },
      element("thead", { class: "unseen" }, element("tr", {}, ["Number", "", "How often", "What it comes to"].map((head) => element("th", { scope: "col" }, head || "Bar")))),
      element("tbody", {}, rows)),
    hint.why.map((line) => element("p", {}, line)));
}

function showWorth() {
  const over = found.over;
  by("heat-title").parentElement.hidden = over;
  by("mix-title").parentElement.hidden = over;
  if (over) return;
  by("heat").replaceChildren(heatMap(found, walk));
  mend(by("mixes"), ...SEATS.map(bars).filter(Boolean));
}

document.body.classList.toggle("swapped", near() === 1);
const drawBoard = () => mend(by("board"), board.draw({ ...found, near: near(), own: false, legal: [], mine: null }));

async function show() {
  if (board) drawBoard();
  else await useBoard(name, (own) => { board = own; drawBoard(); });
  document.title = `${found.title}: map · Even Odds`;
  by("title").textContent = found.title;
  by("status").textContent = `${found.verdict[0].toUpperCase()}${found.verdict.slice(1)}.${found.points ? ` ${found.summary}` : ""}`;
  by("unit").textContent = found.matrix.text[0]?.[0]?.endsWith("%") === false ? "points" : "%";
  const { after, seat, ...rulings } = Object.fromEntries(wanted());
  linkGame(name, rulings);
  showPath();
  showWorth();
  by("sure").textContent = `${found.positions.toLocaleString("en")} positions, ${found.sure}.`;
  by("study").hidden = false;
}

async function look() {
  asked += 1;
  const mine = asked;
  by("problem").textContent = "";
  by("status").textContent = "Solving. The first time takes a moment…";
  document.body.dataset.ready = "";
  try {
    const query = new URLSearchParams({ seat: "first", ...Object.fromEntries(wanted()) });
    const answer = await askPatiently(`/api/games/${name}/position?${query}`); // the page has preloaded the first
    if (mine !== asked) return;
    found = answer;
    await show();
  } catch (refusal) {
    if (mine !== asked) return;
    by("status").textContent = "";
    by("problem").textContent = refusal.message;
    by("study").hidden = !found;
  }
  document.body.dataset.ready = "yes";
}

const say = (event) => { const cell = event.target.closest(".heat"); if (cell) by("cell").textContent = cell.getAttribute("aria-label"); };
by("heat").addEventListener("pointerover", say);
by("heat").addEventListener("focusin", say);
by("path").addEventListener("click", (event) => {
  const step = event.target.closest("[data-after]");
  if (!step || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(step.dataset.after);
});
arrows(by("heat"));
addEventListener("popstate", look);

const looked = look();
const game = (await ask("/api/games")).find((one) => one.name === name);
by("rulings").replaceChildren(...rulingFields(game, Object.fromEntries(wanted())));
by("form").addEventListener("submit", (event) => {
  event.preventDefault();
  go("", rulingValues(game, by("rulings"), true));
});
await looked;
