// Invitations: the link to send, and the form of somebody who comes by one.
import { ask } from "./api.js";
import { useBoard } from "./board.js";
import { announce, by, copyText, once, send, svg } from "./dom.js";
import { qrCode } from "./qr.js";
import { holdsBoth, keepBoth } from "./saved_matches.js";
import { sitAgain, sitDown } from "./seats.js";
import { agreed } from "./words.js";

const key = (match) => `invitation-${match}`;

/** Keep the invitation of a match that was opened here, until somebody has come. */
export const keepInvitation = (match, invitation) => localStorage.setItem(key(match), invitation);

const isLocal = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
let origin = ""; // under which others reach the server

/** Find the address for others: where this page has one that only this machine knows, the server's in its network. */
async function findOrigin() {
  origin = location.origin;
  if (!isLocal()) return;
  const { address } = await ask("/api/address").catch(() => ({ address: null }));
  origin = address ?? origin;
  by("reach").textContent = address ? "The link works for everybody in your network."
    : "This link works on this machine only. To invite others, start the server with: evenodds serve --host 0.0.0.0";
}

/** A QR code as a drawing, with the quiet zone that readers need. */
function drawCode(text) {
  const grid = qrCode(text);
  if (!grid) return null;
  const path = grid.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  const size = grid.length + 8;
  return svg("svg", { viewBox: `-4 -4 ${size} ${size}`, "aria-hidden": "true" }, svg("path", { d: path }));
}

/** Show the link for as long as somebody is waited for. */
export async function showInvitation(view) {
  const kept = localStorage.getItem(key(view.match));
  const waited = !view.result && !view.joined.every(Boolean);
  if (kept && !waited) localStorage.removeItem(key(view.match));
  if (!kept || !waited) by("invite").hidden = true;
  if (!kept || !waited) return;
  if (!origin) await findOrigin();
  const link = `${origin}/match/${view.match}#${kept}`;
  if (by("link").value === link || !localStorage.getItem(key(view.match))) return;
  by("link").value = link;
  by("qr").replaceChildren(drawCode(link) ?? "");
  by("share").hidden = !navigator.share;
  by("share").onclick = () => send(`Play ${view.title} with me`, link, by("share"));
  by("invite").hidden = false;
}

async function copy() {
  const copied = await copyText(by("link").value);
  if (!copied) by("link").select();
  by("copy").textContent = copied ? "Copied" : "Copy by hand";
  announce(copied ? "The link is copied." : "This browser does not let pages copy. The link is selected: copy it by hand.");
}

/** The secret leaves the address as soon as it has served. @param {(seat?: string | null) => void} start @param {string | null} [seat] */
function enter(start, seat = null) {
  history.replaceState(null, "", location.pathname);
  by("join").hidden = true;
  by("held").hidden = true;
  start(seat);
  by("status").focus();
}

/** Lead somebody back to the seat that they hold, unless they want the other one as well. */
function showHeld(view, start) {
  by("held-back").onclick = () => enter(start, view.seat);
  by("held-both").onclick = () => {
    by("held").hidden = true;
    by("join").hidden = false;
    by("name").focus();
  };
  by("held").hidden = false;
  by("held-back").focus();
}

/** Whether a seat that is taken was taken by this browser, in another tab. @param {boolean} held whether it held the other one before */
async function isOwn(match, held) {
  if (held) return holdsBoth(match);
  const found = await ask(`/api/matches/${match}`).catch(() => null);
  return Boolean(found?.seat);
}

/**
 * Let somebody sit down who comes by a link; whoever has a seat is led back to it, and who comes too late watches.
 * @param {string} match @param {string} invitation
 * @param {(seat?: string | null) => void} start @param {(problem: string) => void} complain
 */
export async function invited(match, invitation, start, complain) {
  let held = false;
  const sit = once(async () => {
    const name = by("name").value.trim();
    try {
      const seat = await sitDown(match, { invitation, name });
      if (held) {
        keepBoth(match);
        location.replace(`/match/${match}?seat=${seat}`);
        return true;
      }
      if (name) localStorage.setItem("name", name);
      enter(start, seat);
    } catch (refusal) {
      const taken = refusal.status === 403;
      if (!taken || !(await isOwn(match, held))) complain(refusal.message);
      if (taken) enter(start); // whoever sits there now, in another tab, is led to their seat; others watch
    }
    return false;
  });
  by("join").addEventListener("submit", (event) => { event.preventDefault(); sit(); });
  const again = await sitAgain(match);
  try {
    const asked = ask("/api/invitations", { match, invitation }).catch((refusal) => refusal);
    const found = await ask(`/api/matches/${match}`);
    if (again || found.result || found.joined.every(Boolean)) {
      enter(start, again);
      if (!again && !found.seat && !found.result) complain("Somebody else has joined already. You can watch.");
      return;
    }
    const { host, status } = await asked;
    if (status === 403) {
      complain("This invitation is not valid. Perhaps the link was cut off: ask for it again. You can watch meanwhile.");
      enter(start);
      return;
    }
    by("terms").textContent = agreed(found);
    useBoard(found.game, (board) => by("join-picture").replaceChildren(board.picture()));
    held = Boolean(found.seat);
    if (held) by("join-title").textContent = "Play both seats";
    by("join-told").textContent = held ? "You hold the other seat, too, in this browser." : `${host ?? "A friend"} wants to play ${found.title} with you.`;
    by("name").value = held ? "" : localStorage.getItem("name") ?? "";
    if (held) showHeld(found, start);
    else by("join").hidden = false;
  } catch (refusal) {
    complain(refusal.message);
  }
}

by("copy")?.addEventListener("click", copy);
