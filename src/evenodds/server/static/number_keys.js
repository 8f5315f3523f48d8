// Picks by number keys: a number is taken when no longer one can be meant, or after a moment.

const MOMENT = 800;

/**
 * @param {() => number[]} legal the numbers that may be picked now
 * @param {(number: number) => void} pick
 * @param {(typed: string) => void} echo what has been typed so far
 */
export function numberKeys(legal, pick, echo) {
  let typed = "";
  let timer = 0;

  function settle(number) {
    typed = "";
    clearTimeout(timer);
    echo("");
    if (number !== null) pick(number);
  }

  document.addEventListener("keydown", (event) => {
    const elsewhere = event.target instanceof Element && event.target.closest("input, select, textarea, dialog[open]");
    if (elsewhere || event.ctrlKey || event.altKey || event.metaKey || !legal().length) return;
    if (event.key === "Escape" && typed) settle(null);
    if (!/^[0-9]$/.test(event.key)) return;
    typed += event.key;
    clearTimeout(timer);
    const fits = legal().filter((number) => String(number).startsWith(typed));
    const exact = fits.find((number) => String(number) === typed) ?? null;
    if (!fits.length || (fits.length === 1 && exact !== null)) settle(exact);
    else {
      echo(typed);
      timer = setTimeout(() => settle(exact), MOMENT);
    }
  });
}
