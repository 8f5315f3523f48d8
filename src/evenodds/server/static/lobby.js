// The lobby: choose a game, its rulings and an opponent, or join a match that is listed.
import { ask, by, element } from "./api.js";

const games = await ask("/api/games");
const opponents = await ask("/api/opponents");

function chosen() {
  const name = document.querySelector("input[name=game]:checked").value;
  return games.find((game) => game.name === name);
}

function showGames() {
  by("games").replaceChildren(...games.map((game, place) => element("label", {},
    element("input", { type: "radio", name: "game", value: game.name, checked: place === 0 }),
    element("strong", {}, game.title),
    element("small", {}, game.summary))));
}

function showRulings() {
  const game = chosen();
  by("name").placeholder = game.players[0];
  by("rulings").replaceChildren(...Object.entries(game.rulings).map(([key, ruling]) => {
    const field = ruling.meanings
      ? element("select", { id: `ruling-${key}` }, ...Object.entries(ruling.meanings).map(
        ([word, meaning]) => element("option", { value: word, selected: word === ruling.usual },
          `${word}: ${meaning}`)))
      : element("input", { id: `ruling-${key}`, type: "number", value: String(ruling.usual),
        min: String(ruling.low), ...(Number.isInteger(ruling.high) ? { max: String(ruling.high) } : {}) });
    return element("label", {}, key, field, element("small", {}, ruling.about));
  }));
}

function showOpponents() {
  by("opponent").append(...Object.entries(opponents.players).map(([name, manner]) => element(
    "option", { value: name }, `computer, ${name}: ${manner}`)));
}

async function showMatches() {
  const matches = await ask("/api/matches");
  by("matches").replaceChildren(...(matches.length ? matches.map((match) => element("li", {},
    element("a", { href: `/match/${match.match}` },
      `${match.title}: ${match.players.join(" against ")}, round ${match.round}`)))
    : [element("li", { class: "faint" }, "None at the moment.")]));
}

by("games").addEventListener("change", showRulings);
by("open").addEventListener("submit", async (event) => {
  event.preventDefault();
  by("problem").textContent = "";
  const rulings = Object.fromEntries(Object.entries(chosen().rulings).map(([key, ruling]) => {
    const { value } = by(`ruling-${key}`);
    return [key, ruling.meanings ? value : Number(value)];
  }));
  try {
    const opened = await ask("/api/matches", { game: chosen().name, rulings,
      name: by("name").value.trim(), opponent: by("opponent").value, listed: by("listed").checked });
    if (opened.invitation) sessionStorage.setItem(`invitation-${opened.match}`, opened.invitation);
    location.href = `/match/${opened.match}`;
  } catch (refusal) {
    by("problem").textContent = refusal.message;
  }
});

showGames();
showRulings();
showOpponents();
await showMatches();
