// The table: how the match stands, told by the server; picks by click, touch or number keys.
import { ask, by, element } from "./api.js";

const id = location.pathname.split("/").pop();
const base = `/api/matches/${id}`;
let view = null;
let typed = "";

function showBoard() {
  by("board").replaceChildren(...view.board.flatMap((line) => [
    ...line.map(([text, style]) => element("span", style ? { class: style } : {}, text)), "\n"]));
}

function showStatus() {
  const seat = { first: 0, second: 1 }[view.seat];
  const others = view.players.filter((_, place) => place !== seat && view.waiting[place]);
  let status = "";
  if (view.result) status = view.result.told.join(" ");
  else if (!view.joined.every(Boolean)) status = "Waiting for somebody to sit down opposite you.";
  else if (view.legal.length) status = view.simultaneous ? "Pick a number, unseen by the other." : "It is your turn.";
  else if (others.length) status = `Waiting for ${others.join(" and ")}.`;
  by("status").textContent = status;
}

function showChoices() {
  by("choices").replaceChildren(...view.legal.map((number) => element("button",
    { type: "button", "aria-label": `Pick ${number}` }, String(number))));
}

function showHistory() {
  const named = (picks) => picks.map((pick, place) => pick === null ? null
    : `${view.players[place]} ${pick}`).filter(Boolean).join(", ");
  by("history").replaceChildren(...view.history.map((picks) => element("li", {}, named(picks))));
}

function show(next) {
  if (view && next.seq < view.seq) return;
  view = next;
  document.title = `${view.title}: ${view.players.join(" against ")}`;
  by("title").textContent = view.title;
  by("players").textContent = view.players.join(" against ");
  showBoard();
  showStatus();
  showChoices();
  showHistory();
  by("told").replaceChildren(...view.told.map((line) => element("p", {}, line)));
  by("resign").hidden = !view.seat || Boolean(view.result) || !view.joined.every(Boolean);
  const invitation = sessionStorage.getItem(`invitation-${id}`);
  by("invite").hidden = !invitation || view.joined.every(Boolean);
  if (invitation) by("link").value = `${location.origin}/match/${id}#${invitation}`;
}

async function act(path, body) {
  by("problem").textContent = "";
  try {
    show(await ask(`${base}${path}`, body));
  } catch (refusal) {
    if (refusal.body?.view) show(refusal.body.view);
    else by("problem").textContent = refusal.message;
  }
}

const pick = (number) => act("/picks", { round: view.round, number });

by("choices").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) pick(Number(button.textContent));
});

document.addEventListener("keydown", (event) => {
  if (!view || event.target.matches("input") || !/^[0-9]$/.test(event.key)) return;
  typed += event.key;
  const fits = view.legal.filter((number) => String(number).startsWith(typed));
  if (fits.length === 1 && String(fits[0]) === typed) pick(fits[0]);
  if (fits.length !== 1 && view.legal.includes(Number(typed))) {
    const now = typed;
    setTimeout(() => { if (typed === now) { typed = ""; pick(Number(now)); } }, 700);
    return;
  }
  if (fits.length <= 1) typed = "";
});

by("resign").addEventListener("click", () => {
  if (confirm("Give this match up?")) act("/resignation", {});
});
by("copy").addEventListener("click", async () => {
  by("link").select();
  await navigator.clipboard?.writeText(by("link").value);
});

function listen() {
  const events = new EventSource(`${base}/events`);
  events.addEventListener("view", (event) => { by("connection").textContent = "Connected."; show(JSON.parse(event.data)); });
  events.onerror = () => { by("connection").textContent = "The connection is lost; trying again."; };
}

const invitation = location.hash.slice(1);
if (invitation) {
  by("join").hidden = false;
  by("join").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await ask("/api/join", { invitation, name: by("name").value.trim() });
      history.replaceState(null, "", location.pathname);
      by("join").hidden = true;
      listen();
    } catch (refusal) {
      by("problem").textContent = refusal.message;
    }
  });
} else {
  listen();
}
