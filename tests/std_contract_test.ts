/**
 * What this program relies on in `@std`. It passes with the modules of JSR and with the adapters of
 * `scripts/npm_std` alike, so that neither can drift from the other.
 */
import { parseArgs } from "@std/cli/parse-args";
import { parse } from "@std/jsonc";
import {
  basename,
  dirname,
  extname,
  fromFileUrl,
  isAbsolute,
  join,
  normalize,
  relative,
  resolve,
  SEPARATOR,
  toFileUrl,
} from "@std/path";
import { assert, assertEquals, assertThrows } from "./assert.ts";

const WINDOWS = Deno.build.os === "windows";

/** A path in the spelling of this system. */
function local(path: string): string {
  return WINDOWS ? path.replace(/^\//, "C:\\").replaceAll("/", "\\") : path;
}

Deno.test("parseArgs() types flags by their declaration and keeps the last value", () => {
  const args = parseArgs(["--name", "007", "--name=8", "--deep", "rest", "-v", "1"], {
    string: ["name"],
    boolean: ["deep", "v", "absent"],
  });
  const name: string | undefined = args.name;
  const deep: boolean = args.deep;
  assertEquals({ name, deep, v: args.v, absent: args.absent, _: args._ }, {
    name: "8",
    deep: true,
    v: true,
    absent: false,
    _: ["rest", 1],
  });
});

Deno.test("parseArgs() never takes a flag for the value of the flag before it", () => {
  const { name, w, other } = parseArgs(["--name", "--other", "-w", "-5"], {
    string: ["name", "w"],
    boolean: ["other"],
  });
  assertEquals({ name, w, other }, { name: "", w: "", other: true });
});

Deno.test("parseArgs() splits a value at its first equals sign and keeps an empty one", () => {
  const args = parseArgs(["--env=A=B=C", "--empty=", "--text=a\nb", "-k=v"], {
    string: ["env", "empty", "text", "k"],
  });
  assertEquals([args.env, args.empty, args.text, args.k], ["A=B=C", "", "a\nb", "v"]);
});

Deno.test("parseArgs() reads true and false behind a boolean, with = or a space", () => {
  const options = { boolean: ["a", "b", "c"] } as const;
  const { a, b, c, _ } = parseArgs(["--a=false", "--b", "false", "--c", "no"], options);
  assertEquals({ a, b, c, _ }, { a: false, b: false, c: true, _: ["no"] });
});

Deno.test("parseArgs() collects what is declared so, and gives an empty list for none", () => {
  const options = { string: ["file", "none"], collect: ["file", "none"] } as const;
  const { file, none } = parseArgs(["--file", "a", "--file=1"], options);
  const files: string[] = file;
  assertEquals({ files, none }, { files: ["a", "1"], none: [] });
});

Deno.test("parseArgs() negates only what is declared negatable", () => {
  const options = { boolean: ["color", "check"], negatable: ["color"] } as const;
  const args = parseArgs(["--no-color", "--no-check"], { ...options, default: { check: true } });
  assertEquals([args.color, args.check, args["no-check"]], [false, true, true]);
});

Deno.test("parseArgs() gives an alias and its name the same value", () => {
  const args = parseArgs(["-w", "folder", "--quiet", "-hv"], {
    string: ["workspace"],
    boolean: ["quiet", "help", "version"],
    alias: { w: "workspace", q: "quiet", h: "help", v: "version" },
  });
  assertEquals([args.w, args.workspace, args.q, args.quiet], ["folder", "folder", true, true]);
  assertEquals([args.h, args.help, args.v, args.version], [true, true, true, true]);
});

Deno.test("parseArgs() collects what comes under a name and its alias, empty and in order", () => {
  const args = parseArgs(["-w", "a", "--work=b", "-w=c=d", "--quiet=true", "-w", "--", "-w"], {
    "--": true,
    string: ["_", "work", "quiet", "none"],
    collect: ["work", "quiet", "none"],
    alias: { w: "work", q: "quiet" },
    unknown: () => false,
  });
  assertEquals([args.work, args.quiet, args.none], [["a", "b", "c=d", ""], ["true"], []]);
  assertEquals([args._, args["--"]], [[], ["-w"]]);
});

Deno.test("parseArgs() uses defaults for what is not written, and only then", () => {
  const options = { string: ["a", "b"], default: { a: "1", b: "2" } } as const;
  const args = parseArgs(["--a="], options);
  assertEquals([args.a, args.b], ["", "2"]);
});

Deno.test("parseArgs() leaves everything behind the first word alone with stopEarly", () => {
  const args = parseArgs(["-q", "run", "--max-steps", "3", "-q"], {
    boolean: ["q"],
    string: ["_"],
    stopEarly: true,
  });
  assertEquals([args.q, args._], [true, ["run", "--max-steps", "3", "-q"]]);
});

Deno.test("parseArgs() hands unknown() what it does not know, and drops it on false", () => {
  const seen: unknown[] = [];
  const args = parseArgs(["--known", "word", "--bad=1", "-x", "--late", "v"], {
    boolean: ["known"],
    unknown: (arg, key, value) => {
      seen.push([arg, key, value]);
      return key === undefined;
    },
  });
  assertEquals(seen, [
    ["word", undefined, undefined],
    ["--bad=1", "bad", "1"],
    ["-x", "x", true],
    ["--late", "late", "v"],
  ]);
  assertEquals(args, { _: ["word"], known: true });
});

Deno.test("parseArgs() keeps what stands behind -- apart, or adds it to the words", () => {
  const argv = ["a", "--", "-b", "7", "--"];
  const apart = parseArgs(argv, { "--": true });
  const rest: string[] = apart["--"];
  assertEquals([apart._, rest], [["a"], ["-b", "7", "--"]]);
  assertEquals(parseArgs(argv)._, ["a", "-b", "7", "--"]);
});

Deno.test("parseArgs() takes a lone dash for a word and numbers for numbers unless told", () => {
  assertEquals(parseArgs(["-", "1e3", "0x10", " "])._, ["-", 1000, 16, " "]);
  const { _ }: { _: unknown } = parseArgs(["-", "1e3"], { string: ["_"] });
  assertEquals(_, ["-", "1e3"]);
});

Deno.test("parseArgs() never reaches the prototype of its result", () => {
  const args = parseArgs(["--__proto__=1", "--constructor=2"]);
  assert(Object.getPrototypeOf(args) === Object.prototype);
  assert(args.constructor === Object);
});

Deno.test("parse() reads comments and trailing commas", () => {
  const text = '// first\n{ "a": [1, 2,], /* in\nside */ "b": "// no comment", }\n// last';
  assertEquals(parse(text), { a: [1, 2], b: "// no comment" });
});

Deno.test("parse() reads every kind of value as JSON.parse() does", () => {
  const values = ["null", "true", "-0", "1.5e3", '"\\u0041\\n\\""', "[]", "{}", "[[1],{}]"];
  for (const text of values) assertEquals(parse(` ${text} `), JSON.parse(text));
});

Deno.test("parse() makes __proto__ a member like any other", () => {
  const value = parse('{"__proto__": {"x": 1},}');
  assert(typeof value === "object" && value !== null);
  assert(Object.hasOwn(value, "__proto__") && Object.getPrototypeOf(value) === Object.prototype);
});

Deno.test("parse() throws a SyntaxError that gives the position of the wrong token", () => {
  const wrong: [text: string, token: string, position: number][] = [
    ['{"a": 1 "b": 2}', '"b"', 8],
    ['{\n  "a": tru\n}', "tru", 9],
    ["[,]", ",", 1],
    ['{"a": 1,, }', ",", 8],
    ["{a: 1}", "a", 1],
    ["[1] 2", "2", 4],
    ['{"a" 1}', "1", 5],
    ['["open', '"open', 1],
    ["[01]", "01", 1],
    [`[${"x".repeat(40)}]`, `${"x".repeat(30)}...`, 1],
  ];
  for (const [text, token, position] of wrong) {
    const { message } = assertThrows(() => parse(text), SyntaxError);
    const expected = `unexpected token "${token}" in JSONC at position ${position}`;
    assertEquals(message, `Cannot parse JSONC: ${expected}`);
  }
});

Deno.test("parse() says when the text ends too soon", () => {
  for (const text of ["", " // only\n", "{", '{"a":', "[1,", "[1] /* open"]) {
    assertThrows(() => parse(text), SyntaxError, "unexpected end of JSONC input");
  }
});

Deno.test("join(), normalize() and resolve() take out dots and doubled separators", () => {
  assertEquals(SEPARATOR, WINDOWS ? "\\" : "/");
  assertEquals(join("a", "..", "b//c", "./d"), local("b/c/d"));
  assertEquals([join(""), normalize("")], [".", "."]);
  assertEquals(join(toFileUrl(local("/x y")), "z"), local("/x y/z"));
  assertEquals(normalize("./a/./b/../c/"), local("a/c/"));
  assertEquals(resolve(local("/a"), "b", "../c"), local("/a/c"));
  assertEquals(resolve(local("/a"), local("/b")), local("/b"));
  assertEquals(resolve("x"), join(Deno.cwd(), "x"));
});

Deno.test("dirname(), basename() and extname() take a path apart", () => {
  assertEquals([dirname(local("/a/b/")), dirname("a"), dirname(local("a//b"))], [
    local("/a"),
    ".",
    "a",
  ]);
  assertEquals([basename(local("/a/b.ts/")), basename(""), basename(local("a/b"))], [
    "b.ts",
    "",
    "b",
  ]);
  assertEquals([basename("b.ts", ".ts"), basename(".ts", ".ts"), basename("b.ts", ".js")], [
    "b",
    ".ts",
    "b.ts",
  ]);
  assertEquals([".a", "a.tar.gz", "a.", "a/.b.c", "a"].map(extname), ["", ".gz", ".", ".c", ""]);
});

Deno.test("isAbsolute() and relative() know where a path starts", () => {
  assertEquals([isAbsolute(local("/a")), isAbsolute("a"), isAbsolute("~/a"), isAbsolute("")], [
    true,
    false,
    false,
    false,
  ]);
  assertEquals(relative(local("/a/b"), local("/a/c/d")), local("../c/d"));
  assertEquals(relative(local("/a"), local("/a/")), "");
});

Deno.test("toFileUrl() and fromFileUrl() give back any path", () => {
  const paths = ["/a b", "/100%", "/%41", "/ü/日本", "/a#b?c", "/x\ty"];
  if (!WINDOWS) paths.push("/back\\slash");
  for (const path of paths.map(local)) {
    assertEquals(fromFileUrl(toFileUrl(path)), path);
    assertEquals(fromFileUrl(toFileUrl(path).href), path);
  }
  assertEquals(toFileUrl(local("/a b%#?")).pathname.endsWith("/a%20b%25%23%3F"), true);
});

Deno.test("toFileUrl() and fromFileUrl() refuse what has no counterpart", () => {
  assertThrows(() => toFileUrl("a"), TypeError, 'Path must be absolute: received "a"');
  const { message } = assertThrows(() => fromFileUrl("http://localhost/a"), TypeError);
  assertEquals(message, 'URL must be a file URL: received "http:"');
});
