// The review of a match: the curve of expected score, and each round with what was better.
import { ask, askPatiently } from "./api.js";
import { useBoard } from "./board.js";
import { label, pickName } from "./boards/kit.js";
import { by, element, mend } from "./dom.js";
import { mapLink, linkGame } from "./game_links.js";
import { drawCurve } from "./score_curve.js";
import { SEATS, capital, drawn, ending, roundWord, toReader } from "./words.js";

const id = location.pathname.split("/")[2];
by("match-link").href = `/match/${id}`;

/** @type {any} */
let found = null;
/** @type {any} */
let board = null;
let here = 0;

const name = (seat) => found.text.players[SEATS.indexOf(seat)];

/** What a pick is called, as the position that it was made in names it. */
const named = (pick) => pickName(found.stands[pick.round - 1], SEATS.indexOf(pick.seat), pick.number);

/** The address of the position before a round, on the map. */
const mapBefore = (round) => mapLink(found.game, found.stands[round - 1], found.text.seat, found.rules);

/** One pick of a round: what it was, what it gave away, and what was better. */
function judged(pick, place) {
  const gave = pick.gave > 0;
  return element("div", { class: `judged ${pick.seat}` },
    element("p", {}, element("strong", { class: "name" }, name(pick.seat)), " picked ", element("span", { class: "chip" }, named(pick)),
      gave ? ": a mistake." : ": no mistake."),
    gave ? element("p", {}, found.text.picks[place]) : null,
    element("p", { class: "faint" }, "Best play, and how often:"),
    element("div", { class: "mix" }, Object.entries(pick.best).map(([number, share]) => element("div", { class: "best" },
      element("span", { class: "chip" }, named({ ...pick, number })), element("span", { class: "barred" }, element("span", { class: "bar-line", vars: { share } })),
      element("span", { class: "share" }, found.text.best[place][number])))));
}

function showRound() {
  mend(by("curve"), ...drawCurve(found.text.scores, found.text.curve, here, found.text.label, go, roundWord(found.stands[0])));
  mend(by("board"), board.draw({ ...found.stands[here], players: found.text.players, near: Math.max(0, SEATS.indexOf(found.text.seat)), own: false, legal: [], mine: null }));
  by("back").disabled = here === 0;
  by("on").disabled = here === found.stands.length - 1;
  by("round-title").textContent = here ? `${roundWord(found.stands[0], true)} ${here}` : "Start";
  const picks = found.picks.map((pick, place) => [pick, place]).filter(([pick]) => pick.round === here);
  mend(by("round"), ...(here ? [
    element("p", {}, capital(drawn(found.stands[here - 1].draws.at(-1), found.stands[here].draws.at(-1)))),
    ...picks.map(([pick, place]) => judged(pick, place)),
    element("p", {}, element("a", { href: mapBefore(here) }, "This position on the map")),
  ] : [element("p", {}, `${found.text.label} with best play by both: ${found.text.curve[0]}.`)]));
}

function go(place) {
  here = Math.max(0, Math.min(found.stands.length - 1, place));
  history.replaceState(null, "", `#${here}`);
  showRound();
}

function showPicks() {
  const heads = [roundWord(found.stands[0], true), "Player", "Pick", "Before", "After", "Cost", "Guess", "Draw"]
    .slice(0, 3 + (found.text.figures[0]?.length ?? 0)); // without chance nothing is drawn
  by("picks").replaceChildren(
    element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, found.picks.map((pick, place) => {
      const [before, after, gave, ...causes] = found.text.figures[place];
      return element("tr", {}, [
        pick.round, element("span", { class: `name ${pick.seat}` }, label(name(pick.seat))), named(pick), before, after,
        pick.gave ? element("strong", {}, gave) : gave, ...causes,
      ].map((cell) => element("td", {}, cell)));
    })));
}

by("back").addEventListener("click", () => go(here - 1));
by("on").addEventListener("click", () => go(here + 1));
by("curve").addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  go(here + step);
  by("curve").querySelector("[aria-current]").focus();
});

try {
  const view = toReader(await ask(`/api/matches/${id}`));
  document.title = `${view.title}: review · Even Odds`;
  by("title").textContent = view.title;
  linkGame(view.game, view.rulings);
  found = await askPatiently(`/api/matches/${id}/review`);
  document.body.classList.toggle("swapped", found.text.seat === "second");
  await useBoard(found.game, (own) => { board = own; showRound(); });
  const step = roundWord(found.stands[0]);
  by("back").ariaLabel = `The ${step} before`;
  by("on").ariaLabel = `The next ${step}`;
  by("status").textContent = ending(view);
  by("meaning").textContent = found.text.meaning;
  by("turning").textContent = [found.text.headline, found.text.turning].filter(Boolean).join(" ");
  by("accuracy").textContent = found.text.accuracy;
  by("curve-about").textContent = `${found.text.label} before each ${step}, in per cent. Pick a point to see that ${step}.`;
  by("lessons").replaceChildren(...found.text.lessons.map((line) => element("li", {}, line)));
  by("learn").hidden = !found.text.lessons.length;
  showPicks();
  by("found").hidden = false;
  go(Number(location.hash.slice(1)) || (found.gave_up ? found.stands.length - 1 : found.turning?.round) || 0);
} catch (refusal) {
  by("status").textContent = "";
  by("problem").textContent = refusal.message;
}
document.body.dataset.ready = "yes";
