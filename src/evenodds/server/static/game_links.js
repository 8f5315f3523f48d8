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

/** The query of a position: what was played and drawn, in the eyes of a seat, under some rulings. @returns {string} */
export function positionQuery({ history, draws }, seat, rulings) {
  const rounds = ["", ...history.map((picks) => picks.filter((pick) => pick !== null).join("-"))];
  const after = rounds.map((picks, place) => picks + (draws[place] ?? []).map((number) => `(${number})`).join("")).join(" ").trim();
  return String(new URLSearchParams({ ...(after && { after }), ...(seat && { seat }), ...rulings }));
}

/** The map of a position. @returns {string} */
export const mapLink = (game, position, seat, rulings) => `/map/${game}?${positionQuery(position, seat, rulings)}`;

/** The lobby with a match on the same terms to be started: against a computer, or with a friend. @returns {string} */
export const challengeLink = (view, opponent) => `${location.origin}/?${new URLSearchParams({ game: view.game, ...(opponent && { opponent }), ...view.rulings })}`;
