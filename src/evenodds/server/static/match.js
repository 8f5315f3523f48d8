// The match page: how a match stands, told by the server; picks by click, touch or number keys.
import { actions } from "./actions.js";
import { ask } from "./api.js";
import { useBoard } from "./board.js";
import { pickName } from "./boards/kit.js";
import { countdown } from "./clock.js";
import { announce, by, element, mend } from "./dom.js";
import { play } from "./effects.js";
import { finish, showDecision } from "./end.js";
import { invited, showInvitation } from "./invite.js";
import { listen } from "./match_updates.js";
import { numberKeys, typedNumbers } from "./number_keys.js";
import { Outbox, SLOW_MS } from "./outbox.js";
import { showReactions } from "./reactions.js";
import { Reveal } from "./reveal.js";
import { keepMatch } from "./saved_matches.js";
import { Sealer } from "./seal.js";
import { sitAgain } from "./seats.js";
import { keepSeries, seriesText } from "./series.js";
import { SEATS, agreed, drawn, inside, ownSeat, status, summary, toReader, told, winnerHere } from "./words.js";

const id = location.pathname.split("/")[2];
const base = `/api/matches/${id}`;

let seat = new URLSearchParams(location.search).get("seat"); // the one that this tab plays, once it is known
/** @type {any} */
let view = null;
/** @type {any} */
let painted = null; // the view on the screen
/** @type {any} */
let board = null;
/** @type {Promise<any> | null} */
let opening = null; // the board that is on its way
let state = "connecting";
let spoken = ""; // the situation that was announced last
let heard = ""; // the result that was announced last
let finger = false; // whether the board was last pressed with a finger
let touched = 0; // the number that a finger asks about
let watched = false; // whether the match came to its end while this page was open

/** The address of a path of the match, as the seat of this tab asks for it. */
function at(path, query = {}) {
  const asked = new URLSearchParams(seat ? { seat, ...query } : query);
  return `${base}${path}${asked.size ? `?${asked}` : ""}`;
}

const complain = (problem) => { by("problem").textContent = problem; };
const outbox = new Outbox(id, show, complain);
const sealer = new Sealer(id, show, complain);
const reveal = new Reveal(paint);

/** The position as the board draws it; while cards turn, the one before with the new picks. */
function position() {
  const own = ownSeat(view);
  const mine = outbox.picked(view);
  const steady = { ...view, near: Math.max(0, own), own: own >= 0, mine, legal: mine === null ? view.legal : [], turning: false, touched };
  if (reveal.stage !== "turning") return reveal.stage ? { ...steady, chosen: [false, false] } : steady;
  return { ...steady, state: view.before, mine: null, legal: [], chosen: [false, false], waiting: [false, false], turning: true, result: null };
}

/** Whose turn it is, with what only this browser knows. */
function situation() {
  const pending = outbox.pending(view) && (state === "lost" || outbox.isSlow());
  const unsent = pending ? (state === "lost" ? "It is sent as soon as the server can be reached." : "Sending…") : "";
  return status(view, { mine: outbox.picked(view), unsent, sealLost: sealer.isLost(view) });
}

function paint() {
  if (!view || !board) return;
  const here = position();
  painted = view;
  document.title = `${here.legal.length ? "Your pick · " : ""}${view.title}: ${view.players[here.near]} against ${inside(view.players[1 - here.near])}`;
  by("terms").textContent = agreed(view);
  document.body.classList.toggle("swapped", here.near === 1);
  by("play").hidden = false;
  mend(by("board"), board.draw(here));
  if (reveal.stage === "turning") {
    by("status").textContent = "Both have picked.";
    by("summary").textContent = "";
    return;
  }
  by("summary").textContent = summary(view);
  by("goal").dataset.goal = view.goal;
  if (reveal.stage === "settling" && view.result) return;
  by("status").textContent = situation();
  by("rule").textContent = here.own && !view.result ? view.help : "";
  by("keys").hidden = !by("rule").textContent || typedNumbers(here.legal, (number) => pickName(view, ownSeat(view), number)).size < here.legal.length;
  if (!here.legal.length) tellOf(null);
  mend(by("told"), ...told(view).map((line) => element("p", {}, line)));
  mend(by("actions"), ...actions(view, id, act));
  showHistory();
  const draws = sealer.draws(view);
  mend(by("dice"), draws, draws && view.result ? element("a", { href: `${base}/record` }, "Record") : null);
  showInvitation(view);
  showEnd();
  showReactions(view, act);
  countdown(by("clock"), view, paint);
  tell();
}

/** The end takes the place of the turn: what can be done now stands right below what happened. */
function showEnd() {
  by("series").textContent = seriesText(view);
  by("series").hidden = !by("series").textContent;
  if (!view.result || !by("end").hidden) return;
  by("play").dataset.over = winnerHere(view);
  if (watched) play(winnerHere(view));
  by("end").hidden = false;
  by("end").append(by("actions"));
  const elsewhere = document.activeElement !== document.body && !by("board").contains(document.activeElement);
  if (!elsewhere) by("status").focus({ preventScroll: true });
  by("status").scrollIntoView({ block: "nearest" });
  if (view.joined.every(Boolean)) showDecision(view);
}

/** Say what is new to those who listen, once. */
function tell() {
  const result = view.history.length || view.result ? summary(view) : view.summary;
  const now = situation();
  const isNew = heard !== `${view.history.length} ${result}`;
  if (isNew || now !== spoken) announce([isNew ? result : "", now].filter(Boolean).join(" "));
  heard = `${view.history.length} ${result}`;
  spoken = now;
}

function showHistory() {
  by("rounds").hidden = !view.history.length;
  mend(by("history"), ...view.history.map((picks, place) => element("li", { "data-key": `round-${place}` },
    picks.map((pick, seat) => pick === null ? null : element("span", { class: `chip ${SEATS[seat]}` },
      element("span", { class: "unseen" }, `${view.players[seat]} `), pickName(view, seat, pick))),
    drawn(place ? [] : view.draws[0], view.draws[place + 1]))));
}

/** Take in how the match stands; a new round is a moment of its own. */
async function show(next) {
  if (!board) await (opening ??= useBoard(next.game, (own) => { board = own; paint(); }));
  if (view && next.seq < view.seq) return;
  const refused = view?.seat && view.takeback_asked === view.seat && !next.takeback_asked && next.round === view.round && !next.result;
  if (refused) complain(`${view.players[1 - ownSeat(view)]} does not allow it.`);
  const grew = painted && next.history.length > painted.history.length;
  view = { ...toReader(next), skew: next.now - Date.now() / 1000 };
  if (grew) touched = 0;
  if (grew) complain("");
  const broken = sealer.broken(view);
  if (broken) complain(broken);
  if (grew) play("round");
  if (grew) reveal.begin(view);
  paint();
  sealer.open(view);
}

/** Do something at the table; what the server answers is shown, or why it refuses. */
async function act(path, body, query = {}) {
  complain("");
  try {
    const answer = await ask(at(path, query), body);
    if (answer.seq) show(answer);
    return answer;
  } catch (refusal) {
    if (refusal.body?.view) show(refusal.body.view);
    else complain(refusal.message);
    return null;
  }
}

/** Say what a card would do, right above it; nothing of none. @param {HTMLElement | null} card */
function tellOf(card, text = card?.dataset.tells ?? "") {
  by("tells").textContent = text;
  const { x = 0, y = 0, width = 0 } = card?.getBoundingClientRect() ?? {};
  for (const [name, worth] of [["--x", x + width / 2], ["--y", y + scrollY]]) by("tells").style.setProperty(String(name), `${worth}px`);
}

function pick(number) {
  if (!position().legal.includes(number)) return;
  touched = 0;
  complain("");
  const { round, seat } = view;
  const body = view.sealed ? { round, commitment: sealer.seal(seat, round, number) } : { round, number };
  const sent = outbox.post(seat, number, body);
  paint();
  setTimeout(paint, SLOW_MS);
  sent.then(paint);
}

function connection(next) {
  if (next === state) return;
  const was = state;
  state = next;
  by("connection").textContent = next === "lost" ? "The connection is lost. Trying again…" : "";
  if (next === "lost") announce("The connection is lost.");
  if (next === "connected" && was === "lost") announce("Connected again.");
  paint();
}

/** Begin to listen, as a seat that was just taken or as whoever this tab is. @param {string | null} [taken] */
function start(taken = null) {
  seat ??= taken;
  const hear = {
    state: connection,
    gone: complain,
    presence: (data) => { if (view) { view = toReader({ ...view, ...data }); paint(); } },
    view: async (next) => {
      seat ??= next.seat; // another seat that this browser takes later is none of this tab's business
      if (next.seat) keepMatch(id, Boolean(next.result));
      const ended = view && !view.result && next.result;
      if (ended) finish(next);
      watched ||= Boolean(ended);
      keepSeries(next);
      await show(next);
      if (watched && !next.seat && next.rematch) location.replace(`/match/${next.rematch}`); // spectators come along
      if (ended && next.seat) ask(at("")).catch(() => {}); // the cookie of a seat is not kept for long now
      outbox.flush(next.seat);
    },
  };
  ask(at("")).then(hear.view, () => {}); // the page has preloaded this; the stream takes one more answer
  listen(at, hear);
}

by("board").addEventListener("click", (event) => {
  const button = event.target.closest("[data-pick]");
  if (!button) return;
  const number = Number(button.dataset.pick);
  const { legal } = position();
  if (!finger || !event.detail || legal.length < 2 || !legal.includes(number) || touched === number) {
    pick(number);
    return;
  }
  touched = number; // a first touch asks what the card would do; there is no hovering
  paint();
  tellOf(button, `${button.dataset.tells ?? ""} Tap ${pickName(view, ownSeat(view), number)} again to play it.`.trim());
  announce(by("tells").textContent);
});
by("board").addEventListener("pointerdown", (event) => { finger = event.pointerType === "touch"; });
for (const kind of ["pointerover", "focusin"]) {
  by("board").addEventListener(kind, (event) => tellOf(event.target.closest("[data-tells]")));
}
for (const kind of ["pointerleave", "focusout"]) by("board").addEventListener(kind, () => tellOf(null));
by("rules-link")?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // they open the page
  event.preventDefault();
  by("rules").showModal();
});
by("resign").addEventListener("close", () => { if (by("resign").returnValue === "yes") act("/resignation", {}); });
numberKeys(() => (view ? position().legal : []), pick, (typed) => { if (view) by("status").textContent = typed ? `${typed}…` : situation(); }, (number) => pickName(view, ownSeat(view), number));
addEventListener("storage", paint); // another tab has picked

const invitation = location.hash.slice(1);
if (invitation) invited(id, invitation, start, complain);
else sitAgain(id).then(start);
