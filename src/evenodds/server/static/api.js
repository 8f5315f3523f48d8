// The server's interface, and small helpers that every page needs.

/** A refusal of the server: what to mend, in one line. */
export class Refusal extends Error {
  constructor(status, body) {
    super(body.detail ?? "the server does not answer");
    this.status = status;
    this.body = body;
  }
}

/** Ask the server; an answer that is no is a Refusal. */
export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refusal(0, { detail: "the server cannot be reached; nothing is lost" });
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}

/** An element with attributes and children; text is never read as markup. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in made && typeof value !== "string") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export const by = (id) => document.getElementById(id);
