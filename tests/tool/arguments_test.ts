import { checkArguments, parseArguments } from "../../lib/tool/arguments.ts";
import { BubError } from "../../lib/errors.ts";
import type { JsonObject } from "../../lib/json.ts";
import { argumentsSchema } from "../../lib/tool/schema.ts";
import { defineTool, type Tool } from "../../lib/tool/tool.ts";
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "../assert.ts";
import { mixed, read } from "./sample_tools.ts";

function check(tool: Tool, args: JsonObject) {
  return checkArguments(tool, args, () => argumentsSchema(tool));
}

async function message(tool: Tool, args: JsonObject): Promise<string> {
  const error = await assertRejects(() => check(tool, args), BubError);
  assertEquals(error.kind, "invalid_input");
  return error.message;
}

Deno.test("T3 B24 parseArguments() takes nothing, in every form providers send it, as {}", () => {
  for (const raw of ["", "  \n", "{}", "null", null, undefined, {}]) {
    assertEquals(parseArguments("tape.info", raw), {}, JSON.stringify(raw));
  }
});

Deno.test("T3 B28 parseArguments() quotes what is no JSON object and says what is right", () => {
  const cases: [raw: string, text: string][] = [
    ["[1]", "must be a JSON object, got [1]"],
    ['"x"', 'must be a JSON object, got "x"'],
    ["7", "must be a JSON object, got 7"],
    ['{"path": ', 'got text that is no JSON (Unexpected end of JSON input): {"path":'],
    [
      '{"path": "a"}}',
      'is no JSON (Unexpected non-whitespace character after JSON at position 13): {"path": "a"}}',
    ],
    ["path=ok.txt", "is no JSON (Unexpected token 'p'): path=ok.txt"],
  ];
  for (const [raw, text] of cases) {
    const error = assertThrows(() => parseArguments("fs.read", raw), BubError, text);
    assertEquals(error.kind, "invalid_input");
    assertStringIncludes(error.message, "the arguments of fs.read must be a JSON object");
  }
});

Deno.test("T3 B28 parseArguments() shortens long text and splits no character", () => {
  const error = assertThrows(() => parseArguments("fs.read", "😀".repeat(5000)), BubError);
  assertStringIncludes(error.message, `${"😀".repeat(200)}…`);
  assertEquals(error.message.isWellFormed(), true);
  assertEquals(error.message.length < 600, true);
});

Deno.test("T3 checkArguments() fills in the defaults", async () => {
  assertEquals(await check(read, { path: "a" }), { path: "a", offset: 0, limit: null });
  assertEquals(await check(read, { path: "a", limit: 3 }), { path: "a", offset: 0, limit: 3 });
});

Deno.test("T3 checkArguments() names every wrong parameter, what it must be and what came", async () => {
  assertEquals(
    await message(read, { offset: -1, limit: "x" }),
    "bad arguments for fs.read: path must be text, got nothing; " +
      "offset must be a whole number of at least 0, got -1; " +
      'limit must be a whole number of at least 0 or null, got "x"',
  );
  assertEquals(
    await message(mixed, { kinds: ["a", 5], headers: { accept: 1 }, prompt: 5, mode: "slw" }),
    "bad arguments for mixed: kinds[1] must be text, got 5; headers.accept must be text, got 1; " +
      'prompt must be text or a list of text, got 5; mode must be "fast" or "slow", got "slw"',
  );
});

Deno.test("T3 B28 a number past the safe integers is an error, not another number", async () => {
  const args = parseArguments("fs.read", '{"path":"a","limit":9007199254740993}');
  assertEquals(
    await message(read, args),
    "bad arguments for fs.read: limit must be a whole number of at least 0 or null up to " +
      "9007199254740991, got 9007199254740992",
  );
});

Deno.test("T3 an unknown parameter is an error that names the close one or all", async () => {
  assertEquals(
    await message(read, { path: "a", ofset: 3 }),
    'bad arguments for fs.read: unknown parameter "ofset", did you mean offset?',
  );
  assertEquals(
    await message(read, { path: "a", recursive: true }),
    'bad arguments for fs.read: unknown parameter "recursive", there are path, offset, limit',
  );
});

Deno.test("T3 checkArguments() says Infinity of a number that is too large for one, not null", async () => {
  const args = parseArguments("fs.read", '{"path": "a", "limit": 1e999, "offset": -1e999}');
  const text = await message(read, args);
  assertStringIncludes(text, "offset must be a whole number of at least 0, got -Infinity");
  assertStringIncludes(text, "limit must be a whole number of at least 0 or null, got Infinity");
});

Deno.test("T3 B28 __proto__ and constructor keys touch no prototype", async () => {
  const args = parseArguments("fs.read", '{"__proto__":{"polluted":1},"path":"ok.txt"}');
  assertStringIncludes(await message(read, args), 'unknown parameter "__proto__"');
  assertEquals(Reflect.get({}, "polluted"), undefined);
  const open = defineTool({
    name: "open",
    description: "Takes anything.",
    parameters: (z) => z.looseObject({}),
    run: () => "",
  });
  const raw = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
  await check(open, parseArguments("open", raw));
  assertEquals(Reflect.get({}, "polluted"), undefined);
  await message(mixed, parseArguments("mixed", '{"headers":{"__proto__":{"polluted":1},"a":1}}'));
  assertEquals(Reflect.get({}, "polluted"), undefined);
});

Deno.test("T3 checkArguments() passes on what the author's own rule says", async () => {
  const tool = defineTool({
    name: "even",
    description: "Takes even numbers.",
    parameters: (z) =>
      z.object({
        n: z.number().refine((n) => n % 2 === 0, "must be even").describe("Even"),
        url: z.url().optional().describe("Address"),
      }),
    run: () => "",
  });
  assertEquals(
    await message(tool, { n: 3, url: "nowhere" }),
    'bad arguments for even: n: must be even, got 3; url: Invalid URL, got "nowhere"',
  );
});

Deno.test("T3 a schema is built once for all calls of its tool", async () => {
  let built = 0;
  const tool = defineTool({
    name: "counted",
    description: "Counts.",
    parameters: (z) => (built++, z.object({})),
    run: () => "",
  });
  await check(tool, {});
  await check(tool, {});
  assertEquals(built, 1);
});
