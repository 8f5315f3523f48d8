// What this browser keeps as JSON: what cannot be read counts as nothing.

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
