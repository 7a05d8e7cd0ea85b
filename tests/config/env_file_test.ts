import { loadEnvFile, parseEnvFile } from "../../lib/config/env_file.ts";
import { BubError } from "../../lib/errors.ts";
import { assertEquals, assertRejects, assertThrows } from "../assert.ts";

/** Names and values alone. */
function values(source: string): Record<string, string> {
  const parsed = Object.entries(parseEnvFile(source, ".env"));
  return Object.fromEntries(parsed.map(([name, { value }]) => [name, value]));
}

Deno.test("L4 parseEnvFile() reads names, quotes, comments and export", () => {
  assertEquals(
    values(
      '# head\r\nA=1\r\nexport B = two words # tail\nC=\'#one\' # x\nD="a\\nb \\"c\\" \\$"\nE=\nF=a#b\n',
    ),
    { A: "1", B: "two words", C: "#one", D: 'a\nb "c" \\$', E: "", F: "a#b" },
  );
});

Deno.test("L4 parseEnvFile() takes quoted values over several lines and counts on behind them", () => {
  const parsed = parseEnvFile("A='one\ntwo'\n\nB=3", ".env");
  assertEquals(parsed.A, { value: "one\ntwo", line: 1 });
  assertEquals(parsed.B, { value: "3", line: 4 });
});

Deno.test("L4 parseEnvFile() refuses other lines with file and line", () => {
  assertThrows(() => values("A=1\nnonsense\n"), BubError, ".env:2: a line must be NAME=value");
  assertThrows(() => values("\n\nA='1\n"), BubError, ".env:3: the quotes around the value of A");
});

Deno.test("L4 B73 parseEnvFile() refuses a NUL in a value, which no variable can hold", () => {
  for (const source of ["A=1\nB=a\0b\n", "A=1\nB='a\0b'\n"]) {
    assertThrows(() => values(source), BubError, ".env:2: the value of B has a NUL character");
  }
});

Deno.test("L4 loadEnvFile() says when there is no such file", async () => {
  const error = await assertRejects(() => loadEnvFile("/nowhere/.env"), BubError, "/nowhere/.env");
  assertEquals(error.kind, "config");
});
