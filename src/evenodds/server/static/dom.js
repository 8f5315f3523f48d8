// Elements made and mended: text is never read as markup, and what has focus keeps it.

const SVG = "http://www.w3.org/2000/svg";

/** Give an element attributes and children; `vars` are custom properties, which the style sheets read. */
function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "vars") {
      for (const [name, worth] of Object.entries(value)) made.style.setProperty(`--${name}`, String(worth));
    } else if (key === "onclick") made.onclick = value;
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/**
 * An element with attributes and children; children that are null or false are left out.
 * @param {string} name @param {Record<string, any>} [attributes]
 * @param {...any} children @returns {HTMLElement}
 */
export const element = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/** The same for drawings. @returns {SVGElement} */
export const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

/** @param {string} id @returns {any} */
export const by = (id) => document.getElementById(id);

/** Put text into the page for those who hear it rather than see it. */
export function announce(text) {
  const said = by("said");
  if (said && text) said.append(element("p", {}, text));
  while (said && said.children.length > 6) said.firstChild.remove();
}

/** Put text on the clipboard. @returns {Promise<boolean>} whether it is there */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { // plain http has no clipboard of its own
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    const area = /** @type {HTMLTextAreaElement} */ (element("textarea", { class: "unseen" }, text));
    document.body.append(area);
    area.focus({ preventScroll: true });
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    before?.focus({ preventScroll: true });
    return copied;
  }
}

/** Send a text with a link: as the device does it, else by the clipboard, which the button says, else by hand. */
export async function send(text, url, button) {
  if (navigator.share) return navigator.share({ text, url }).catch(() => {}); // whoever changes their mind is not told
  if (!await copyText(`${text}\n${url}`)) return prompt("This browser does not let pages copy. Copy the text from here:", `${text} ${url}`);
  button.textContent = "Copied";
  return announce("Copied: a text with a link.");
}

/**
 * Make the children of a place look like the new ones, and keep every element that can stay:
 * so bars glide, cards turn, and focus is where it was; never on another card, which Enter would pick.
 */
export function mend(place, ...children) {
  const before = document.activeElement;
  const around = before !== place && place.contains(before) ? before?.parentElement : null;
  mendChildren(place, children.flat(Infinity).filter(Boolean));
  if (!around || document.activeElement !== document.body) return;
  /** @type {HTMLElement} */ (around.querySelector("[data-gone]") ?? place).focus({ preventScroll: true });
}

function mendChildren(place, wanted) {
  const keyed = new Map([...place.children].filter((child) => child.dataset?.key).map((child) => [child.dataset.key, child]));
  let next = place.firstChild;
  for (let want of wanted) {
    if (!(want instanceof Node)) want = document.createTextNode(String(want));
    const key = want.dataset?.key;
    const kept = key ? keyed.get(key) : next;
    if (kept && kept.parentNode === place && isAlike(kept, want)) {
      if (kept !== next) place.insertBefore(kept, next);
      mendOne(kept, want);
      next = kept.nextSibling;
    } else place.insertBefore(want, next);
  }
  while (next) {
    const gone = next;
    next = next.nextSibling;
    gone.remove();
  }
}

function isAlike(kept, want) {
  return kept.nodeName === want.nodeName && kept.dataset?.key === want.dataset?.key;
}

function mendOne(kept, want) {
  if (kept.nodeType === Node.TEXT_NODE) {
    if (kept.data !== want.data) kept.data = want.data;
    return;
  }
  for (const { name } of [...kept.attributes]) if (name !== "style" && !want.hasAttribute(name)) kept.removeAttribute(name);
  for (const { name, value } of [...want.attributes]) if (name !== "style" && kept.getAttribute(name) !== value) kept.setAttribute(name, value);
  for (const name of [...kept.style]) if (!want.style.getPropertyValue(name)) kept.style.removeProperty(name);
  for (const name of [...want.style]) kept.style.setProperty(name, want.style.getPropertyValue(name));
  kept.onclick = want.onclick;
  mendChildren(kept, [...want.childNodes]);
}

/**
 * An action that is not begun again while it is under way, nor once it leads to another page.
 * @param {(...given: any[]) => Promise<boolean | void>} action true when it does
 */
export function once(action) {
  let busy = false;
  addEventListener("pageshow", () => { busy = false; }); // come back to with the browser's button
  return async (...given) => {
    if (busy) return;
    busy = true;
    let leaving = false;
    try {
      leaving = Boolean(await action(...given));
    } finally {
      busy = leaving;
    }
  };
}

/** Whether this person wants things to stand still. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
globalThis.addEventListener?.("load", () => navigator.serviceWorker?.register("/offline_worker.js").catch(() => {})); // there is none without HTTPS
