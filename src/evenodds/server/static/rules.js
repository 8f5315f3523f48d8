// The rules of a game for players, with its rulings as they are agreed or as they are usual.
import { ask } from "./api.js";
import { boardOf } from "./board.js";
import { by, element } from "./dom.js";
import { linkGame } from "./game_links.js";

const game = location.pathname.split("/")[2];

const spans = (parts) => parts.map(([text, kind]) => (kind === "code" ? element("code", {}, text) : text));

function block(part) {
  if (part.list) {
    return element("ul", {}, part.list.map((item) => element("li", {}, item.map((inner, place) => (
      place === 0 && inner.text ? element("span", {}, spans(inner.text)) : block(inner))))));
  }
  if (part.code) return element("pre", { tabindex: "0" }, part.code);
  return element("p", {}, spans(part.text));
}

linkGame(game, Object.fromEntries(new URLSearchParams(location.search)));
try {
  const page = await ask(`/api/games/${game}/rules${location.search}`);
  document.title = `${page.title}: rules · Even Odds`;
  const show = (board) => by("picture").replaceChildren(board.picture());
  show(await boardOf(game, show));
  by("page").replaceChildren(...page.sections.flatMap((section) => [
    element(`h${section.level}`, {}, section.title), ...section.blocks.map(block)]));
} catch (refusal) {
  by("problem").textContent = refusal.message;
}
document.body.dataset.ready = "yes";
