// Invitations: the link to send, and the form of somebody who comes by one.
import { ask } from "./api.js";
import { announce, by, once } from "./dom.js";
import { sitAgain, sitDown } from "./seats.js";
import { agreed } from "./words.js";

const key = (match) => `invitation-${match}`;

/** Keep the invitation of a match that was opened here, until somebody has come. */
export const keepInvitation = (match, invitation) => localStorage.setItem(key(match), invitation);

/** Show the link for as long as somebody is waited for. */
export function showInvitation(view) {
  const kept = localStorage.getItem(key(view.match));
  const everyone = view.joined.every(Boolean);
  if (kept && everyone) localStorage.removeItem(key(view.match));
  by("invite").hidden = !kept || everyone;
  if (kept) by("link").value = `${location.origin}/match/${view.match}#${kept}`;
}

async function copy() {
  by("link").select();
  try {
    await navigator.clipboard.writeText(by("link").value);
  } catch {
    document.execCommand("copy"); // plain http has no clipboard of its own
  }
  by("copy").textContent = "Copied";
  announce("The link is copied.");
}

/** The secret leaves the address as soon as it has served. */
function enter(start) {
  history.replaceState(null, "", location.pathname);
  by("join").hidden = true;
  start();
  by("status").focus();
}

/**
 * Let somebody sit down who comes by a link; whoever has a seat, or comes too late, goes straight in.
 * @param {string} match @param {string} invitation
 * @param {() => void} start @param {(problem: string) => void} complain
 */
export async function invited(match, invitation, start, complain) {
  const sit = once(async () => {
    const name = by("name").value.trim();
    try {
      await sitDown(match, { invitation, name });
      if (name) localStorage.setItem("name", name);
      enter(start);
    } catch (refusal) {
      complain(refusal.message);
      if (refusal.status === 403) enter(start); // taken: watch
    }
  });
  by("join").addEventListener("submit", (event) => { event.preventDefault(); sit(); });
  await sitAgain(match);
  try {
    const found = await ask(`/api/matches/${match}`);
    if (found.seat || found.joined.every(Boolean)) {
      enter(start);
      return;
    }
    by("title").textContent = found.title;
    by("rules-link").href = `/rules/${found.game}?${new URLSearchParams(found.rulings)}`;
    by("terms").textContent = agreed(found);
    const host = found.players.find((_, seat) => found.joined[seat]);
    by("join-told").textContent = `${host} wants to play ${found.title} with you.`;
    by("name").value = localStorage.getItem("name") ?? "";
    by("join").hidden = false;
  } catch (refusal) {
    complain(refusal.message);
  }
}

by("copy")?.addEventListener("click", copy);
