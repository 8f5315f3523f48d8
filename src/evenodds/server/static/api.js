// The server's interface.

const PATIENCE = 15000;
const LATER = 202; // the server works on it

/** A refusal of the server: what to mend, in a sentence. Status 0: it was not reached. */
export class Refusal extends Error {
  constructor(status, body) {
    const said = body.detail ?? "The server does not answer.";
    super(`${said.slice(0, 1).toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? "" : "."}`);
    this.status = status;
    this.body = body;
  }

  /** Whether the same may be asked again: the network was lost, or the server is busy. */
  get passing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Ask for what may take long: the server works on while it asks for patience. */
export async function askPatiently(path) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask(path);
    } catch (refusal) {
      if (![LATER, 503].includes(refusal.status) || tries >= 20) throw refusal;
      await new Promise((go) => { setTimeout(go, 1000); });
    }
  }
}

/**
 * Ask the server; an answer that is no is a Refusal.
 * @param {string} path @param {object} [body] sent as JSON by POST @returns {Promise<any>}
 */
export async function ask(path, body) {
  const signal = AbortSignal.timeout(PATIENCE);
  const options = body === undefined ? { signal } : {
    signal,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refusal(0, { detail: "The server cannot be reached. Nothing is lost." });
  }
  const refused = !response.ok || response.status === LATER;
  const answer = await response.json().catch(() => (refused ? {} : null));
  if (refused) throw new Refusal(response.status, answer);
  if (answer === null) throw new Refusal(0, { detail: "The answer was cut off. Nothing is lost." });
  return answer;
}
