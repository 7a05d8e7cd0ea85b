import { type Key, KeyDecoder } from "../../../lib/cli/chat/keys.ts";
import { assertEquals } from "../../assert.ts";

/** Keys as words: names in brackets, text as it is. */
function words(keys: readonly Key[]): string {
  return keys.map((key) => key.type === "key" ? `[${key.name}]` : key.text).join("");
}

function decode(...pieces: (string | Uint8Array)[]): string {
  const decoder = new KeyDecoder();
  const encoder = new TextEncoder();
  return pieces.map((piece) =>
    words(decoder.decode(typeof piece === "string" ? encoder.encode(piece) : piece))
  ).join("");
}

Deno.test("KeyDecoder knows control keys, arrows and the keys of both keypads", () => {
  assertEquals(
    decode("a\x01\x05\x15\x17\x03\x04\x7f\r"),
    "a[home][end][kill-before][kill-word][interrupt][end-of-input][backspace][enter]",
  );
  assertEquals(
    decode("\x1b[A\x1b[D\x1bOC\x1b[1~\x1b[F\x1b[3~\x1b[1;5C\x1bb\x1b\r"),
    "[up][left][right][home][end][delete][word-right][word-left][newline]",
  );
  assertEquals(decode("\x1b[99;99~x\x1b[I\x00y"), "xy", "what it does not know is no text");
});

Deno.test("KeyDecoder puts characters and sequences together that come in pieces", () => {
  const bytes = new TextEncoder().encode("ü日");
  assertEquals(decode(...Array.from(bytes, (byte) => Uint8Array.of(byte))), "ü日");
  assertEquals(decode("\x1b", "[", "A", "b"), "[up]b");
});

Deno.test("KeyDecoder takes a paste as text, with its lines and its control codes", () => {
  assertEquals(decode("\x1b[200~a\rb\r\nc\x03\x1b[2", "01~d"), "a\nb\nc\x03d");
});
