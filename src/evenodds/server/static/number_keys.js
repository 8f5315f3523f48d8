// Picks by number keys: the number in the name of a pick, or its own. It is taken when no longer one can be meant, or after a moment.

const MOMENT = 800;

/**
 * What is typed for each pick that has a number of its own.
 * @param {number[]} legal @param {(number: number) => string} name @returns {Map<number, string>}
 */
export function typedNumbers(legal, name) {
  const found = legal.map((number) => name(number).match(/[0-9]+/g) ?? []);
  const digits = found.some((each) => each.length) ? found.map((each) => (each.length === 1 ? String(Number(each[0])) : "")) : legal.map(String);
  const own = digits.map((said) => said && digits.indexOf(said) === digits.lastIndexOf(said));
  return new Map(legal.flatMap((number, place) => own[place] ? [/** @type {[number, string]} */ ([number, digits[place]])] : []));
}

/**
 * @param {() => number[]} legal the numbers that may be picked now
 * @param {(number: number) => void} pick
 * @param {(typed: string) => void} echo what has been typed so far
 * @param {(number: number) => string} name what a pick is called
 */
export function numberKeys(legal, pick, echo, name) {
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
    const keys = typedNumbers(legal(), name);
    const fits = [...keys].filter(([, digits]) => digits.startsWith(typed)).map(([number]) => number);
    const exact = fits.find((number) => keys.get(number) === typed) ?? null;
    if (!fits.length || (fits.length === 1 && exact !== null)) settle(exact);
    else {
      echo(typed);
      timer = setTimeout(() => settle(exact), MOMENT);
    }
  });
}
