// Sound and vibration at a reveal: off until somebody asks for them, made here without any file.
import { by } from "./dom.js";

const KEY = "effects";
/** @type {AudioContext | null} */
let audio = null;

const areOn = () => localStorage.getItem(KEY) === "on";

/** A short tone. @param {number} hertz @param {number} after seconds */
function tone(hertz, after) {
  if (!audio) return;
  const [sound, volume] = [audio.createOscillator(), audio.createGain()];
  const begin = audio.currentTime + after;
  sound.frequency.value = hertz;
  volume.gain.setValueAtTime(0.12, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.35);
  sound.connect(volume).connect(audio.destination);
  sound.start(begin);
  sound.stop(begin + 0.35);
}

const TONES = { round: [392], won: [523, 659, 784], lost: [330, 262], drawn: [392, 392], watched: [440, 523] };

/** Let a moment be heard and felt. @param {keyof typeof TONES} moment */
export function play(moment) {
  if (!areOn()) return;
  audio ??= new AudioContext();
  TONES[moment].forEach((hertz, place) => tone(hertz, 0.16 * place));
  navigator.vibrate?.(moment === "round" ? 30 : [40, 60, 80]);
}

function show() {
  by("effects").setAttribute("aria-pressed", String(areOn()));
  by("effects").textContent = areOn() ? "Sound: on" : "Sound: off";
}

by("effects").addEventListener("click", () => {
  localStorage.setItem(KEY, areOn() ? "off" : "on");
  show();
  play("round");
});
show();
