// The curve of expected score: a line, and a button for each round.
import { element, svg } from "./dom.js";

const WIDE = 600;
const HIGH = 200;

/**
 * @param {number[]} curve the expected score before each round and after the last
 * @param {string[]} said the same in words
 * @param {number} here the place that is looked at @param {string} label whose score it is
 * @param {(place: number) => void} go @param {string} step what a step of the match is called
 */
export function drawCurve(curve, said, here, label, go, step) {
  const steps = Math.max(1, curve.length - 1);
  const points = curve.map((score, place) => [place / steps, 1 - score]);
  const line = points.map(([x, y]) => `${x * WIDE},${y * HIGH}`).join(" ");
  const area = `0,${HIGH} ${line} ${curve.length > 1 ? WIDE : 0},${HIGH}`;
  const told = (place) => (place === 0 ? "At the start" : `After ${step} ${place}`);
  return [
    svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      [0, 0.5, 1].map((level) => svg("line", { class: "level", x1: 0, x2: WIDE, y1: level * HIGH, y2: level * HIGH })),
      svg("polygon", { class: "area", points: area }), svg("polyline", { class: "line", points: line })),
    element("span", { class: "mark top", "aria-hidden": "true" }, "100"), element("span", { class: "mark mid", "aria-hidden": "true" }, "50"),
    element("span", { class: "mark low", "aria-hidden": "true" }, "0"),
    element("div", { class: "dots", role: "group", "aria-label": label }, points.map(([x, y], place) => element("button", {
      type: "button", class: `dot-button ${curve.length > 24 ? "tiny" : ""}`, "data-key": `dot-${place}`, "data-round": place, vars: { x, y },
      "aria-current": place === here ? "true" : null, tabindex: place === here ? "0" : "-1",
      "aria-label": `${told(place)}: ${said[place]}`, onclick: () => go(place),
    }))),
  ];
}
