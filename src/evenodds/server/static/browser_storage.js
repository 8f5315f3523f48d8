// What this browser keeps as JSON: what cannot be read counts as nothing.
import { element } from "./dom.js";

try {
  localStorage.getItem("");
} catch { // without it nobody can hold a seat, and the page stops here
  globalThis.document?.querySelector("main")?.prepend(element("p", { class: "panel", role: "alert" }, "Your browser blocks cookies and site data. Allow them for this site to play."));
}

/**
 * What is kept under a key, or the fallback where there is nothing of its kind.
 * @template T @param {string} key @param {T} fallback @returns {T}
 */
export function stored(key, fallback) {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "null");
    const alike = typeof found === "object" && (fallback === null || Array.isArray(found) === Array.isArray(fallback));
    return found && alike ? found : fallback;
  } catch {
    return fallback;
  }
}
