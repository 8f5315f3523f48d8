// The lobby: choose a game, its rulings and somebody to play with, or join a match that is listed.
import { ask } from "./api.js";
import { boardOf } from "./board.js";
import { span } from "./clock.js";
import { by, element, mend, once } from "./dom.js";
import { keepInvitation } from "./invite.js";
import { rulingFields, rulingValues } from "./rulings.js";
import { forgetMatch, keptMatches } from "./saved_matches.js";
import { sitDown } from "./seats.js";
import { ownSeat } from "./words.js";

const AGAIN = 5000; // how often the list of open matches is looked at
const form = by("open");
const [games, opponents] = await Promise.all([ask("/api/games"), ask("/api/opponents")]);

const chosen = () => games.find((game) => game.name === form.elements.game.value);
const company = () => form.elements.with.value;
const titled = (name) => name.replace(/^level:/, "level ").replace(/^./, (letter) => letter.toUpperCase());

function showGames() {
  const wanted = new URLSearchParams(location.search).get("game");
  const first = games.find((game) => game.name === wanted) ?? games[0];
  by("games").replaceChildren(...games.map((game) => element("label", {},
    element("input", { type: "radio", name: "game", value: game.name, checked: game === first }),
    element("span", { class: "scene", id: `scene-${game.name}` }),
    element("span", { class: "text" }, element("strong", {}, game.title), element("small", {}, game.summary)))));
}

/** The pictures come when they come: the page waits for no board. */
async function showPicture(game) {
  const show = (board) => by(`scene-${game.name}`).replaceChildren(board.picture());
  show(await boardOf(game.name, show));
}

function showGame() {
  const game = chosen();
  by("chosen").textContent = game.title;
  by("name").placeholder = game.players[0];
  by("rulings").replaceChildren(...rulingFields(game));
  by("rules-link").href = `/rules/${game.name}`;
  by("explore-link").href = `/explore/${game.name}`;
  by("study-link").href = `/study/${game.name}`;
  showCompany();
}

function showCompany() {
  const alone = company() === "computer";
  by("levels").hidden = !alone;
  by("begins").hidden = chosen().simultaneous;
  form.querySelector(".people").hidden = alone;
  by("sealing").hidden = !chosen().simultaneous;
  const sealed = by("sealed").checked && !by("sealing").hidden; // whoever does not open a pick must run out of time
  by("clock").options[0].disabled = sealed;
  if (sealed && !by("clock").value) by("clock").value = "60";
  by("manner").textContent = opponents.players[by("opponent").value] ?? "";
}

function showOpponents() {
  const levels = Object.keys(opponents.players).filter((name) => name.startsWith("level:"));
  const others = Object.keys(opponents.players).filter((name) => !levels.includes(name));
  const option = (name) => element("option", { value: name, selected: name === opponents.usual }, titled(name));
  by("opponent").replaceChildren(element("optgroup", { label: "Levels" }, levels.map(option)),
    element("optgroup", { label: "Others" }, others.map(option)));
}

/** One open match: to join where a seat is free, to watch anyway; one's own to go back to. */
function matchLine(match) {
  const free = match.joinable;
  const own = keptMatches().includes(match.match);
  const who = free ? `${match.players[0]} waits for somebody` : match.players.join(" against ");
  const clock = match.clock ? `, ${span(match.clock)} a pick` : "";
  return element("li", { "data-key": match.match },
    element("span", { class: "what" }, element("strong", {}, match.title), `${who}${free ? "" : `, round ${match.round}`}${clock}`),
    free && !own ? element("button", { type: "button", class: "main", onclick: () => join(match.match) }, "Join") : null,
    element("a", { class: "button", href: `/match/${match.match}` }, own ? "Go on" : "Watch"));
}

async function showMatches() {
  try {
    const matches = await ask("/api/matches");
    mend(by("matches"), ...(matches.length ? matches.map(matchLine) : [element("li", { class: "none faint", "data-key": "none" }, "None at the moment.")]));
  } catch { /* the list stays as it was, and is asked for again */ }
}

/** One of this browser's own matches that is not over. */
function ownLine(view) {
  const seat = ownSeat(view);
  const everyone = view.joined.every(Boolean);
  const stands = !everyone ? "waiting for somebody" : view.waiting[seat] ? "your pick" : "the other's pick";
  const other = everyone ? ` against ${view.players[1 - seat]}` : "";
  return element("li", { "data-key": view.match },
    element("span", { class: "what" }, element("strong", {}, view.title), `Round ${view.round}${other}, ${stands}`),
    everyone ? null : element("button", { type: "button", class: "plain", onclick: () => cancel(view.match) }, "Cancel"),
    element("a", { class: "button", href: `/match/${view.match}` }, "Go on"));
}

/** The matches that were begun here; those that are over or gone are forgotten. */
async function showOwn() {
  const views = await Promise.all(keptMatches().map((id) => ask(`/api/matches/${id}`).catch((refusal) => {
    if (!refusal.passing) forgetMatch(id);
    return null;
  })));
  const open = views.filter((view) => view?.seat && !view.result);
  views.filter((view) => view && !open.includes(view)).forEach((view) => forgetMatch(view.match));
  by("own-section").hidden = !open.length;
  mend(by("own"), ...open.map(ownLine));
}

/** Give up a match that nobody has joined. */
const cancel = once(async (match) => {
  try {
    await ask(`/api/matches/${match}/cancellation`, {});
  } catch (refusal) {
    by("problem").textContent = refusal.message;
  }
  await Promise.all([showMatches(), showOwn()]);
});

function remember() {
  const name = by("name").value.trim();
  if (name) localStorage.setItem("name", name);
  return name;
}

/** Take the free seat of a match; whoever holds the other one is led back to it. */
const join = once(async (match) => {
  try {
    const found = await ask(`/api/matches/${match}`);
    if (!found.seat) await sitDown(match, { match, name: remember() });
    location.href = `/match/${match}`;
    return true;
  } catch (refusal) {
    by("problem").textContent = refusal.message;
    showMatches();
    return false;
  }
});

const open = once(async () => {
  by("problem").textContent = "";
  const game = chosen();
  const alone = company() === "computer";
  const wish = { game: game.name, rulings: rulingValues(game, by("rulings")), name: remember() };
  if (!game.simultaneous) wish.first = Number(by("first").value);
  if (alone) wish.opponent = by("opponent").value;
  else {
    wish.listed = company() === "listed";
    if (by("clock").value) wish.clock = Number(by("clock").value);
    if (game.simultaneous && by("sealed").checked) wish.sealed = true;
  }
  try {
    const opened = await ask("/api/matches", wish);
    if (opened.invitation) keepInvitation(opened.match, opened.invitation);
    location.href = `/match/${opened.match}`;
    return true;
  } catch (refusal) {
    by("problem").textContent = refusal.message;
    return false;
  }
});

by("rulings-fold").open = matchMedia("(min-width: 42rem)").matches;
by("games").addEventListener("change", showGame);
form.addEventListener("change", showCompany);
form.addEventListener("submit", (event) => { event.preventDefault(); open(); });
by("name").value = localStorage.getItem("name") ?? "";
showGames();
showOpponents();
showGame();
const pictures = Promise.all(games.map(showPicture));
await Promise.all([showMatches(), showOwn()]);
setInterval(() => { if (!document.hidden) showMatches(); }, AGAIN);
await pictures;
document.body.dataset.ready = "yes";
