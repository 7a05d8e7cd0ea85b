import { BubError } from "../../lib/errors.ts";
import { commandArguments } from "../../lib/tool/command_arguments.ts";
import { parseInbound, splitValues } from "../../lib/tool/command_line.ts";
import { argumentsSchema } from "../../lib/tool/schema.ts";
import { assertEquals, assertThrows } from "../assert.ts";
import { info, mixed, read } from "./sample_tools.ts";

const READ = await argumentsSchema(read);
const MIXED = await argumentsSchema(mixed);
const INFO = await argumentsSchema(info);

/** The arguments of the values in `line`, columns counted from its first character. */
function args(line: string, schema = MIXED) {
  return commandArguments({ line, from: 0, offset: 0 }, schema);
}

function message(line: string, schema = MIXED): string {
  const error = assertThrows(() => args(line, schema), BubError);
  assertEquals(error.kind, "invalid_input");
  return error.message;
}

function texts(line: string) {
  return Array.from(
    splitValues(line, 0),
    ({ key, text }) => key === undefined ? text : `<${key}>${text}`,
  );
}

Deno.test("T6 parseInbound() tells commands from text, by any prefix", () => {
  assertEquals(parseInbound(",help", ","), { kind: "command", line: "help" });
  assertEquals(parseInbound(", git log\n-1", ","), { kind: "command", line: " git log\n-1" });
  assertEquals(parseInbound(",", ","), { kind: "command", line: "" });
  assertEquals(parseInbound(",,hi, there", ","), { kind: "prompt", text: "hi, there" });
  assertEquals(parseInbound(",,,x", ","), { kind: "prompt", text: ",x" });
  assertEquals(parseInbound(" ,help", ","), { kind: "prompt", text: " ,help" });
  assertEquals(parseInbound("hi", ","), { kind: "prompt", text: "hi" });
  assertEquals(parseInbound("", ","), { kind: "prompt", text: "" });
  assertEquals(parseInbound("!help", "!"), { kind: "command", line: "help" });
  assertEquals(parseInbound("!!help", "!"), { kind: "prompt", text: "help" });
  assertEquals(parseInbound(",help", "!"), { kind: "prompt", text: ",help" });
  assertEquals(parseInbound("😀help", "😀"), { kind: "command", line: "help" });
  assertEquals(parseInbound("help", ""), { kind: "prompt", text: "help" });
});

Deno.test("T6 quotes hold values with blanks together, escapes work in double quotes alone", () => {
  assertEquals(texts(" a  b\tc\nd "), ["a", "b", "c", "d"]);
  assertEquals(texts(`'a b' "c d" k='e f' l="g h"`), ["a b", "c d", "<k>e f", "<l>g h"]);
  assertEquals(texts(`'' "" k= l=''`), ["", "", "<k>", "<l>"]);
  assertEquals(texts(String.raw`"\"\\\n\t\d" '\n' \n`), ['"\\\n\t\\d', "\\n", "\\n"]);
  assertEquals(texts(`"it's" 'say "hi"'`), ["it's", 'say "hi"']);
  assertEquals(texts(`"two\nlines"`), ["two\nlines"]);
  assertEquals(texts(`it's 5" a"b`), ["it's", '5"', 'a"b']);
  assertEquals(texts(""), []);
});

Deno.test("T6 only the first = separates, and only behind a name", () => {
  assertEquals(texts("k=a=b k2==c"), ["<k>a=b", "<k2>=c"]);
  assertEquals(texts("https://host/?q=1 =x 1=2 'a=b' \"a=b\""), [
    "https://host/?q=1",
    "=x",
    "1=2",
    "a=b",
    "a=b",
  ]);
});

Deno.test("T6 positional values go by parameter order, then come names", () => {
  assertEquals(args("a.txt", READ), { path: "a.txt" });
  assertEquals(args("a.txt 2 7", READ), { path: "a.txt", offset: 2, limit: 7 });
  assertEquals(args("a.txt limit=7 offset=2", READ), { path: "a.txt", limit: 7, offset: 2 });
  assertEquals(args('path="a b.txt"', READ), { path: "a b.txt" });
  assertEquals(args("", INFO), {});
});

Deno.test("T6 a value is converted only as its schema asks", () => {
  assertEquals(args("text=true"), { text: "true" });
  assertEquals(args("text=5 prompt=[1]"), { text: "5", prompt: "[1]" });
  assertEquals(args("text=null"), { text: "null" });
  assertEquals(args("mode=fast"), { mode: "fast" });
  assertEquals(args("count=-1.5e2"), { count: -150 });
  assertEquals(args("count=null headers=null"), { count: null, headers: null });
  assertEquals(args("flag=true"), { flag: true });
  assertEquals(args("flag=false level=2"), { flag: false, level: 2 });
  assertEquals(args('kinds=["a","b"]'), { kinds: ["a", "b"] });
  assertEquals(args(`kinds='["a", "b"]'`), { kinds: ["a", "b"] });
  assertEquals(args(String.raw`kinds="[\"a\", \"b\"]"`), { kinds: ["a", "b"] });
  assertEquals(args(`headers='{"accept": "x/y"}'`), { headers: { accept: "x/y" } });
  assertEquals(args("1.5", { ...READ, properties: { n: { type: "integer" } } }), { n: 1.5 });
});

Deno.test("T6 a value its parameter cannot take is an error that shows the column", () => {
  const cases: [line: string, message: string][] = [
    ["flag=yes", 'flag must be true or false, got "yes" at column 6'],
    ["flag=1", 'flag must be true or false, got "1" at column 6'],
    ["text=a count=ten", 'count must be a number or null, got "ten" at column 14'],
    ["count=", 'count must be a number or null, got "" at column 7'],
    ["count=0x10", 'count must be a number or null, got "0x10" at column 7'],
    [
      "kinds=event",
      'kinds must be a list of text as JSON, in quotes where it has blanks, got "event" at column 7',
    ],
    [
      `kinds=["a", "b"]`,
      'kinds must be a list of text as JSON, in quotes where it has blanks, got "[\\"a\\"," at column 7',
    ],
    [
      "kinds={}",
      'kinds must be a list of text as JSON, in quotes where it has blanks, got "{}" at column 7',
    ],
    [
      "kinds=null",
      'kinds must be a list of text as JSON, in quotes where it has blanks, got "null" at column 7',
    ],
  ];
  for (const [line, text] of cases) assertEquals(message(line), text);
});

Deno.test("T6 misplaced, doubled, unknown and unclosed values are errors that show the column", () => {
  const cases: [line: string, message: string][] = [
    ["path=a 5", "a value without a name behind a key=value at column 8"],
    ["a path=b", "a second value for path at column 3"],
    ["path=a path=b", "a second value for path at column 8"],
    ["😀 path=b", "a second value for path at column 3"],
    [
      "a ofset=1",
      'unknown parameter "ofset", did you mean offset? (or quote the whole value) at column 3',
    ],
    [
      "a=b",
      'unknown parameter "a", there are path, offset, limit (or quote the whole value) at column 1',
    ],
    [
      "a 1 2 3",
      "one value too many (at most 3 values; quote text with spaces) at column 7",
    ],
    ["'a b", "no closing ' for the one at column 1"],
    ['path="a', 'no closing " for the one at column 6'],
    ['"a\\"', 'no closing " for the one at column 1'],
    ['"a"b', 'text right behind the closing " at column 4'],
    ["a\n  b\nc d", 'offset must be a whole number of at least 0, got "b" at line 2, column 3'],
  ];
  for (const [line, text] of cases) assertEquals(message(line, READ), text);
  assertEquals(
    message("x", INFO),
    "one value too many (no values; quote text with spaces) at column 1",
  );
});

Deno.test("T6 columns count the prefix and the name", () => {
  const command = { line: "fs.read a b", from: "fs.read".length, offset: 1 };
  assertThrows(() => commandArguments(command, READ), BubError, "at column 12");
});

Deno.test("T6 __proto__ as a key is an unknown parameter and touches no prototype", () => {
  assertThrows(() => args("__proto__=1", READ), BubError, 'unknown parameter "__proto__"');
  assertEquals(Reflect.get({}, "polluted"), undefined);
});
