// The lobby: a card for each game, which starts a match at once; open matches to join or watch.
import { ask } from "./api.js";
import { useBoard } from "./board.js";
import { span } from "./clock.js";
import { announce, by, element, mend, once } from "./dom.js";
import { linkGame } from "./game_links.js";
import { keepInvitation } from "./invite.js";
import { resetStrange, rulingFields, rulingValues } from "./rulings.js";
import { forgetMatch, keptMatches } from "./saved_matches.js";
import { sitDown } from "./seats.js";
import { dayOf, streakOn } from "./streak.js";
import { fitting } from "./strength.js";
import { inside, ownSeat, roundWord } from "./words.js";

const REFRESH_MS = 5000; // how often the list of open matches is looked at
const FRIEND = "friend"; // the opponent of a link that is no computer
const SLOW_MS = 400; // after so long it is said that a match is being opened
const form = by("open");
const [games, opponents] = await Promise.all([ask("/api/games"), ask("/api/opponents")]);
/** @type {any} */
let chosen = games[0]; // the game of the options

const company = () => form.elements.with.value;
const complain = (text) => { by("problem").textContent = by("setup-problem").textContent = text; };

/** The pictures come when they come: the page waits for no board. */
const showPicture = (game) => useBoard(game.name, (board) => by(`scene-${game.name}`)?.replaceChildren(board.picture()));

/** The options of a game, with rulings from an address where given, and with whoever it names: a computer to beat, or a friend. */
function showOptions(game, values = {}) {
  chosen = game;
  const named = opponents.names[values.opponent];
  by("chosen").textContent = named ? `${game.title}: can you beat ${named}?` : game.title;
  by("opponent").value = named ? values.opponent : fitting(game.name, opponents);
  if (named || values.opponent === FRIEND) form.elements.with.value = named ? "computer" : "link";
  by("rulings").replaceChildren(...rulingFields(game, values));
  const { opponent = FRIEND, ...rulings } = values;
  const strange = [...(named || opponent === FRIEND ? [] : ["opponent"]), ...resetStrange(game, by("rulings"), rulings)];
  by("rulings-fold").open = Object.keys(changed()).length > 0;
  complain(strange.length ? `The link asks for what this game does not have (${strange.join(", ")}). The usual is used instead.` : "");
  showCompany();
  by("setup").showModal();
}

/** The rulings of the options that are not the usual ones. */
const changed = () => rulingValues(chosen, by("rulings"), true);

function showCompany() {
  linkGame(chosen.name, changed());
  const alone = company() === "computer";
  by("levels").hidden = !alone;
  by("begins").hidden = chosen.simultaneous;
  form.querySelector(".people").hidden = alone;
  by("sealing").hidden = !chosen.simultaneous;
  const sealed = by("sealed").checked && !by("sealing").hidden; // whoever does not open a pick must run out of time
  by("clock").options[0].disabled = sealed;
  if (sealed && !by("clock").value) by("clock").value = "60";
  showManner();
}

/** How the computer plays under these rulings. */
async function showManner() {
  const asked = new URLSearchParams({ game: chosen.name, ...changed() });
  const { players } = await ask(`/api/opponents?${asked}`).catch(() => opponents);
  by("manner").textContent = players[by("opponent").value] ?? "";
}

/** One open match: to join where a seat is free, to watch anyway; one's own to go back to. */
function matchLine(match) {
  const free = match.joinable;
  const own = keptMatches().includes(match.match);
  const game = games.find((one) => one.name === match.game);
  const host = game.players.includes(match.players[0]) ? "Somebody" : match.players[0];
  const who = free ? `${host} waits for an opponent` : `${match.names[0]} against ${inside(match.names[1])}`;
  const clock = match.clock ? `, ${span(match.clock)} a pick` : "";
  return element("li", { "data-key": match.match },
    element("span", { class: "what" }, element("strong", {}, match.title), `${who}${free ? "" : `, ${roundWord(game)} ${match.round}`}${clock}`),
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
  const stands = !everyone ? "waiting for an opponent" : view.waiting[seat] ? "your pick" : "the other's pick";
  const other = everyone ? ` against ${inside(view.names[1 - seat])}` : "";
  return element("li", { "data-key": view.match },
    element("span", { class: "what" }, element("strong", {}, view.title), `${roundWord(view, true)} ${view.round}${other}, ${stands}`),
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
    complain(refusal.message);
  }
  await Promise.all([showMatches(), showOwn()]);
});

/** Take the free seat of a match; whoever holds the other one is led back to it. */
const join = once(async (match) => {
  try {
    const found = await ask(`/api/matches/${match}`);
    if (!found.seat) await sitDown(match, { match, name: localStorage.getItem("name") ?? "" });
    location.href = `/match/${match}`;
    return true;
  } catch (refusal) {
    complain(refusal.message);
    showMatches();
    return false;
  }
});

/** Open a match and go there. @param {any} game @param {object} request @param {HTMLElement} button what was pressed */
const open = once(async (game, request, button) => {
  complain("");
  const face = [...button.childNodes];
  const began = Date.now();
  const slow = setInterval(() => { // rules that nobody has played yet are solved first
    const seconds = Math.round((Date.now() - began) / 1000);
    if (!seconds) announce("Getting ready…");
    button.replaceChildren(`Getting ready…${seconds ? ` ${seconds} s` : ""}`);
  }, SLOW_MS);
  const lot = game.simultaneous ? {} : { first: Math.random() < 0.5 ? 1 : 2 };
  try {
    const opened = await ask("/api/matches", { game: game.name, name: localStorage.getItem("name") ?? "", ...lot, ...request });
    if (opened.invitation) keepInvitation(opened.match, opened.invitation);
    location.href = `/match/${opened.match}`;
    return true;
  } catch (refusal) {
    complain(refusal.message);
    return false;
  } finally {
    clearInterval(slow);
    button.replaceChildren(...face);
  }
});

/** What the options ask for. */
function requested() {
  const name = by("name").value.trim();
  if (name) localStorage.setItem("name", name);
  const alone = company() === "computer";
  return {
    rulings: rulingValues(chosen, by("rulings")),
    name,
    ...(!chosen.simultaneous && by("first").value ? { first: Number(by("first").value) } : {}),
    ...(alone ? { opponent: by("opponent").value } : { listed: company() === "listed" }),
    ...(!alone && by("clock").value ? { clock: Number(by("clock").value) } : {}),
    ...(!alone && chosen.simultaneous && by("sealed").checked ? { sealed: true } : {}),
  };
}

const DOORS = {
  play: (game, button) => open(game, { opponent: fitting(game.name, opponents) }, button),
  variant: (game, button) => open(game, { opponent: fitting(game.name, opponents), rulings: JSON.parse(button.dataset.rulings) }, button),
  friend: (game, button) => open(game, {}, button),
  options: (game) => showOptions(game),
};

by("games").addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  const game = games.find((one) => one.name === event.target.closest("[data-game]")?.dataset.game);
  if (button && game) DOORS[button.dataset.do](game, button);
});
form.addEventListener("change", showCompany);
form.addEventListener("submit", (event) => { event.preventDefault(); open(chosen, requested(), by("start")); });
by("close").addEventListener("click", () => by("setup").close());
by("name").value = localStorage.getItem("name") ?? "";
const days = streakOn(dayOf());
by("streak").textContent = days ? `Daily puzzle: ${days} in a row` : "";
const pictures = Promise.all(games.map(showPicture));
const { game: askedGame, ...asked } = Object.fromEntries(new URLSearchParams(location.search));
const wanted = games.find((game) => game.name === askedGame);
if (wanted) {
  showOptions(wanted, asked);
  by("start").focus(); // whoever comes by a link has chosen already
} else if (askedGame) complain(`There is no game "${askedGame}". Choose one of these.`);
await Promise.all([showMatches(), showOwn()]);
setInterval(() => { if (!document.hidden) showMatches(); }, REFRESH_MS);
await pictures;
document.body.dataset.ready = "yes";
