// Puzzles: one a day, the same for everybody, and practice near one's own strength.
import { ask, askPatiently } from "./api.js";
import { useBoard } from "./board.js";
import { pickName } from "./boards/kit.js";
import { by, element, mend, once, send } from "./dom.js";
import { mapLink, linkGame } from "./game_links.js";
import { numberKeys } from "./number_keys.js";
import { dayOf, keepDaily, lastDaily, resultLine, streakOn } from "./streak.js";

const STEP = 0.3; // how far the strength moves with an answer
const game = location.pathname.split("/")[2] ?? "";
const strengthKey = `strength-${game}`;
const today = dayOf();
let key = game ? "" : new URLSearchParams(location.search).get("day") ?? today; // whoever was challenged solves that day's
/** @type {any} */
let found = null;
/** @type {any} */
let board = null;
/** @type {number | null} */
let mine = null;
/** @type {any} */
let judged = null; // what the server says of the answer

const strength = () => Number(localStorage.getItem(strengthKey) ?? 1.5);
const query = () => (game ? `?strength=${strength().toFixed(1)}` : "");
let asked = ""; // the strength for which the puzzle was chosen

function paint() {
  const near = found.seat === "first" ? 0 : 1;
  document.body.classList.toggle("swapped", near === 1);
  mend(by("board"), board.draw({ ...found, near, own: true, asked: true, legal: mine === null ? found.legal : [], mine, chosen: [false, false], waiting: [false, false], turning: false, answer: judged?.answer, trap: judged?.trap, likely: judged?.reply }));
}

function showStreak() {
  const days = game ? 0 : streakOn(today);
  by("streak").hidden = !days;
  by("streak").textContent = `Streak: ${days} ${days === 1 ? "day" : "days"}`;
}

async function load() {
  if (game) key = `${game}-${Math.floor(Math.random() * 1e9)}`;
  asked = query();
  mine = judged = null;
  try {
    found = await askPatiently(`/api/puzzles/${key}${asked}`);
  } catch (refusal) {
    by("problem").textContent = refusal.message;
    return;
  }
  if (!board) await useBoard(found.game, (own) => { board = own; paint(); });
  by("game").textContent = game ? found.title : `${found.title} · ${key}`;
  by("about").textContent = found.about;
  linkGame(found.game, found.rulings);
  by("map-link").href = mapLink(found.game, found, found.seat, found.rulings);
  by("status").textContent = found.question;
  by("told").replaceChildren();
  by("actions").hidden = true;
  by("next").hidden = !game;
  by("play").hidden = false;
  showStreak();
  paint();
  const daily = game ? null : lastDaily();
  if (daily?.day === key && daily.number !== undefined) await answer(daily.number); // it was answered before
}

const answer = once(async (number) => {
  if (mine !== null || !found.legal.includes(number)) return;
  mine = number;
  paint();
  try {
    const told = await ask(`/api/puzzles/${key}/answers/${number}${asked}`);
    if (game) localStorage.setItem(strengthKey, String(strength() + (told.right ? STEP : -STEP)));
    else if (key === today) keepDaily(key, told.right, number);
    judged = told;
    paint();
    show(told);
  } catch (refusal) {
    mine = null;
    by("problem").textContent = refusal.message;
    paint();
  }
});

function show({ told: [verdict, ...why] }) {
  by("status").textContent = verdict;
  by("told").replaceChildren(...why.map((line) => element("p", {}, line)));
  by("actions").hidden = false;
  by("share").hidden = key !== today;
  showStreak();
  by("status").focus();
}

async function copy() {
  const daily = lastDaily();
  if (!daily) return;
  await send(resultLine(daily, found.title), `${location.origin}/daily?day=${daily.day}`, by("share"));
}

by("board").addEventListener("click", (event) => {
  const button = event.target.closest("[data-pick]");
  if (button) answer(Number(button.dataset.pick));
});
by("next").addEventListener("click", load);
by("share").addEventListener("click", copy);
numberKeys(() => (found && mine === null ? found.legal : []), answer, () => {}, (number) => pickName(found, found.seat === "first" ? 0 : 1, number));
await load();
document.body.dataset.ready = "yes";
