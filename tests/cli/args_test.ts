import { parseArgs } from "../../lib/cli/args.ts";
import { BubError } from "../../lib/errors.ts";
import { assertEquals, assertThrows } from "../assert.ts";

const TABLE = {
  plugin: { kind: "texts", value: "FILE", help: "" },
  model: { kind: "text", short: "m", value: "MODEL", help: "" },
  tools: { kind: "list", value: "NAMES", help: "" },
  output: { kind: "choice", value: "FORMAT", choices: ["text", "json"], help: "" },
  "max-steps": { kind: "whole", value: "N", help: "" },
  timeout: { kind: "positive", value: "SECONDS", help: "" },
  quiet: { kind: "switch", short: "q", help: "" },
  verbose: { kind: "count", short: "v", help: "" },
} as const;

const parse = (...args: string[]) => parseArgs(args, TABLE);

Deno.test("L1 parseArgs() takes flags before, between and behind words, in every form", () => {
  const { flags, words } = parse(
    ..."--model=a:b fix --timeout .5 the -vvq test --output json --max-steps 3".split(" "),
  );
  assertEquals(words, ["fix", "the", "test"]);
  assertEquals(flags, {
    model: "a:b",
    timeout: 0.5,
    verbose: 2,
    quiet: true,
    output: "json",
    "max-steps": 3,
  });
  assertEquals(parse("-mx").flags, { model: "x" });
  assertEquals(parse("-m=x").flags, { model: "x" });
  assertEquals(parse("-qm", "x").flags, { quiet: true, model: "x" });
  assertEquals(parse("--model=a=b").flags, { model: "a=b" });
  assertEquals(parse("--model", "a", "--model", "b").flags, { model: "b" });
});

Deno.test("L1 parseArgs() collects the values of a flag that may be repeated", () => {
  const { flags, words } = parse("--plugin", "a.ts", "word", "--plugin=b,c.ts", "--plugin", "a.ts");
  assertEquals(flags, { plugin: ["a.ts", "b,c.ts", "a.ts"] });
  assertEquals(words, ["word"]);
  assertThrows(() => parse("--plugin"), BubError, "--plugin needs a value: --plugin FILE");
});

Deno.test("L2 parseArgs() keeps words that other parsers would take away", () => {
  assertEquals(parse("-q", "true", "1", "-", ",git status").words, [
    "true",
    "1",
    "-",
    ",git status",
  ]);
  assertEquals(parse("-q", "false", "-v", "2").words, ["false", "2"]);
  assertEquals(parse("a", "--", "-q", "--", "-vv", "-"), {
    flags: {},
    words: ["a"],
    literal: ["-q", "--", "-vv", "-"],
  });
});

Deno.test("L2 parseArgs() takes an empty list, whichever way it is written", () => {
  for (const args of [["--tools="], ["--tools", ""], ["--tools"], ["--tools", "-q"]]) {
    const { flags, words } = parse(...args);
    assertEquals([flags.tools, words], [[], []], args.join(" "));
  }
  assertEquals(parse("--tools", "fs.read, bash,").flags, { tools: ["fs.read", "bash"] });
});

Deno.test("L2 parseArgs() keeps line breaks and equals signs of values", () => {
  assertEquals(parse("--model=a\nb", "c\nd"), {
    flags: { model: "a\nb" },
    words: ["c\nd"],
    literal: [],
  });
  assertEquals(parse("-ma\n=b").flags, { model: "a\n=b" });
  assertEquals(parse("-m=a=b").flags, { model: "a=b" });
});

for (
  const [args, message] of [
    ["--modle x", "--modle is not a flag of this command; did you mean --model?"],
    ["-x", "-x is not a flag of this command"],
    ["-qxv", "-x is not a flag of this command"],
    ["--no-quiet", "--no-quiet is not a flag of this command"],
    ["--__proto__=1", "--__proto__ is not a flag of this command"],
    ["--model", "--model needs a value: --model MODEL"],
    ["--model --quiet", "--model needs a value"],
    ["--model=", "--model needs a value"],
    ["-m", "--model needs a value: --model MODEL"],
    ["-qm", "--model needs a value"],
    ["--quiet=yes", '--quiet takes no value, but got "yes"'],
    ["-v=2", '--verbose takes no value, but got "2"'],
    ["--output xml", '--output must be text or json, not "xml"'],
    ["--max-steps 0", '--max-steps must be a whole number from 1 on, not "0"'],
    ["--max-steps 1e3", "--max-steps must be a whole number"],
    ["--timeout 0", '--timeout must be a number over 0, not "0"'],
    ["--timeout=-1", '--timeout must be a number over 0, not "-1"'],
    ["--timeout Infinity", "--timeout must be a number over 0"],
  ] as const
) {
  Deno.test(`L3 parseArgs() refuses ${args}`, () => {
    const error = assertThrows(() => parse(...args.split(" ")), BubError, message);
    assertEquals(error.kind, "config");
  });
}
