// The rules of a match in a dialog, so that nobody has to leave the table.
import { ask } from "./api.js";
import { by, element } from "./dom.js";

/** Show the rules under the rulings of a match. */
async function show(view, query) {
  by("rules-title").textContent = view.title;
  by("rules-page").href = by("rules-link").href;
  by("rules").showModal();
  const page = await ask(`/api/games/${view.game}/rules?${query}`).catch(() => ({ short: [view.goal] }));
  const lines = page.short.length ? page.short : [view.goal];
  by("rules-lines").replaceChildren(...lines.map((line) => element("li", {}, line)));
}

/** Let the link to the rules open the dialog; with another button or key it opens the page. */
export function showRulesOf(view) {
  const query = new URLSearchParams(view.rulings).toString();
  by("rules-link").href = `/rules/${view.game}?${query}`;
  by("rules-link").onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(view, query);
  };
}
