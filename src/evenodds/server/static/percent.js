// Shares in per cent; what is neither nothing nor all never looks like it.

const SURE = 1e-9;

/** @param {number} share from 0 to 1 @param {number} digits after the point */
export function percent(share, digits = 1) {
  const least = 10 ** -digits;
  const shown = (100 * share).toFixed(digits);
  if (share > SURE && Number(shown) === 0) return `<${least.toFixed(digits)}`;
  if (share < 1 - SURE && Number(shown) === 100) return `>${(100 - least).toFixed(digits)}`;
  return shown;
}
