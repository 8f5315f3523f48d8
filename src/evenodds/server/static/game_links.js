// Links between the pages of a game, which keep its rulings.
import { by } from "./dom.js";

const PAGES = { rules: "/rules/", map: "/map/", study: "/study/" };

/** Point the links of a page at a game under some rulings; only those that differ from the usual need be given. */
export function linkGame(game, rulings) {
  const query = new URLSearchParams(rulings).toString();
  for (const [name, path] of Object.entries(PAGES)) {
    const link = by(`${name}-link`);
    if (link) link.href = `${path}${game}${query ? `?${query}` : ""}`;
  }
  if (by("play-link")) by("play-link").href = `/?${new URLSearchParams({ game, ...rulings })}`;
}

/** The map after some picks, in the eyes of a seat. @returns {string} */
export function mapLink(game, history, seat, rulings) {
  const after = history.map((picks) => picks.filter((pick) => pick !== null).join("-")).join(" ");
  return `/map/${game}?${new URLSearchParams({ ...(after && { after }), ...(seat && { seat }), ...rulings })}`;
}
