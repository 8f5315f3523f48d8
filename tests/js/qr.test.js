// QR codes: grids that other implementations make of the same text with the same mask.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { qrCode } from "../../src/evenodds/server/static/qr.js";

const drawn = (text) => (qrCode(text) ?? []).map((row) => row.map((dark) => (dark ? 1 : 0)).join(""));
const LONG = `http://192.168.1.5:8000/match/abcdefgh#${"x7Kq".repeat(80)}`;

test("a short text, place by place", () => {
  assert.deepEqual(drawn(LONG.slice(0, 10)), [
    "111111101111101111111",
    "100000101101101000001",
    "101110100111001011101",
    "101110100101101011101",
    "101110101000101011101",
    "100000101010001000001",
    "111111101010101111111",
    "000000001111000000000",
    "111001101111111110011",
    "111101000100000111011",
    "111010101010001111101",
    "010110011110100111000",
    "001010100110000000010",
    "000000001111001011001",
    "111111100001101111101",
    "100000101101000111001",
    "101110100101100000010",
    "101110100110000010000",
    "101110101100010111111",
    "100000101010100010000",
    "111111101110011100001",
  ]);
});

test("every version up to the tenth, and nothing beyond", () => {
  const digests = {"10": "5ee04de30e68917a", "30": "ede14cf369848c47", "60": "6068d6a238249217", "90": "cbd00836ea9c4c22", "130": "20e2c66a1aaff46e", "150": "5a908e45ea2d559b", "190": "be39b9b3c515f874", "229": "b1e7270c4e1d9504", "260": "7c797ae9b98e8b41", "271": "66af645951894537"};
  for (const [length, digest] of Object.entries(digests)) {
    const text = drawn(LONG.slice(0, Number(length))).join("\n");
    assert.equal(createHash("sha256").update(text).digest("hex").slice(0, 16), digest);
  }
  assert.equal(qrCode(LONG), null);
});
