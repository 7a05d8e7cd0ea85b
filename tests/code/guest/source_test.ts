import { compile } from "../../../lib/code/guest/source.mts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../../assert.ts";

/** What the code returns; it must compile. */
async function returned(code: string): Promise<unknown> {
  const compiled = compile(code);
  assert("run" in compiled, `${code}: ${"problem" in compiled ? compiled.problem : ""}`);
  const { run } = compiled;
  return await run();
}

function problem(code: string): string {
  const compiled = compile(code);
  assert("problem" in compiled, `${code} compiles`);
  return compiled.problem;
}

Deno.test("C2 B62 ordinary scripts run, whatever stands around or at the end of them", async () => {
  const fence = "```";
  const scripts: readonly (readonly [code: string, value: unknown])[] = [
    ["return 1 // note", 1],
    ["1+1", undefined],
    ["", undefined],
    [`${fence}js\nreturn 1\n${fence}`, 1],
    [`\n${fence}typescript\r\nconst x: number = 1;\r\nreturn x\r\n${fence}\n\n`, 1],
    [`${fence}\nreturn "${fence}"\n  ${fence} `, fence],
    ["async () => { return 1 }", 1],
    ["  async () => { return 1 };\n", 1],
    ["() => 1", 1],
    ["x => 1", 1],
    ["async function main(): Promise<number> {\n  return 1 // one\n}", 1],
    ["// It's one.\n\n/* async *//* () */ async () => 1 // one", 1],
    ["/** Gives one. */\nasync function main() { return 1 }\n// one\n", 1],
    ["(() => 1)()\nreturn 2", 2],
    ["async function f() { return 1 }\nreturn await f()", 1],
    ["const x: number = 1; return x", 1],
    ["interface A { a: string }\ntype B = A;\nreturn 1", 1],
    ["return [1, 2].map((x?: number): any => x! as unknown)[0] satisfies number", 1],
    ["const m = new Map<string, number>([['a', 1]]); return m.get('a')", 1],
    ["const f = <T>(x: T) => x; return f<number>(1)", 1],
    ["import type { A } from './a.ts'; return 1", 1],
    ['"use strict"; return this === undefined', true],
    ["return this === undefined", true],
    ["const tools = 5; return tools", 5],
    ["const print = 5, console = 6; return print", 5],
    ["return 1\n<!-- x", 1],
    ["#!shebang\nreturn 1", 1],
    ["\uFEFFreturn 1", 1],
    ["const a = 1\r\nreturn a\r\n", 1],
    ['return "a\u2028b".length', 3],
    ["return '` ${'", "` ${"],
    ["return await Promise.resolve(1)", 1],
    ["for await (const x of [1]) return x", 1],
    ["await using x = { async [Symbol.asyncDispose]() {} }; return 1", 1],
  ];
  for (const [code, value] of scripts) assertEquals(await returned(code), value, code);
});

Deno.test("C2 B62 code that only begins with a function runs as it is written", async () => {
  const scripts: readonly (readonly [code: string, said: unknown[]])[] = [
    ["async function main(x) { said.push(x) }\n(async () => { await main(3); })();", [3]],
    ["function dbl(x){return x*2}\n[1,2].forEach(x=>said.push(dbl(x)))", [2, 4]],
    ["function a(){ said.push(1) }\n(a)();", [1]],
    ["function a(){ said.push(1) }\n(a(), x => {})", [1]],
    ["function a(){ said.push(1) }\n(a()), x => {}", [1]],
    ["function a(){ said.push(1); return {} }\n[a().b] = [x => {}]", [1]],
    ["function a(x){ said.push(x) }\n`${a(1)}`", [1]],
    ["function a(x){ said.push(x); return '' }\n/a/g.test(a(1))", [1]],
    ["function a(x){ said.push(x) }\n/a/g", []],
    ["function a(){ said.push(1) }\n-a()", [1]],
    ["async function x(){ said.push(1) } +1", []],
    ["async function x(){ said.push(1) }\nif (1) { await x() }", [1]],
    ["function a(){ said.push(1) }\nfunction b(){ said.push(2) }", []],
    ["x => said.push(1), said.push(2)", [2]],
    ["async () => { said.push(1) }, said.push(2);", [2]],
    ["() => { said.push(1) }\nsaid.push(2)", [2]],
    ["() => { said.push(1) }\n(said.push(2))", [2]],
  ];
  for (const [code, expected] of scripts) {
    const said: unknown[] = [];
    Object.assign(globalThis, { said });
    await returned(code);
    assertEquals(said, expected, code);
  }
  Reflect.deleteProperty(globalThis, "said");
});

Deno.test("C2 B62 what cannot run says why, with line, column and the line itself", () => {
  const mistakes = {
    "let a = 1\nconst x = ;":
      /^SyntaxError: Expression expected \(line 2, column 11: const x = ;\)$/,
    "let x: number = 5;\n  let y: = 1": /^SyntaxError: .+ \(line 2, column \d+: let y: = 1\)$/,
    "const a = [1,\n": /^SyntaxError: .+\(line \d/,
    "print(`a": /^SyntaxError: Unterminated template \(line 1, column 7: print\(`a\)$/,
    "enum A { B }": /^SyntaxError: TypeScript enum is not supported .+\(line 1, column 1: enum A/,
    "1\nnamespace A { export const x = 1 }": /namespace declaration is not supported .+\(line 2, /,
    "class A { constructor(private x: number) {} }": /parameter property is not supported/,
    "let a = 1\nlet b = 2\nlet a = 3\nlet c":
      /^SyntaxError: .*'a'.*declared \(line 3, column 5: let a = 3\)$/,
    "1\n  export default 5":
      /^SyntaxError: code cannot export: .+ \(line 2, column 3: export default 5\)$/,
    "1\r\nimport a from 'b'":
      /^SyntaxError: code cannot import: .+ \(line 2, column 1: import a from 'b'\)$/,
    "print(import.meta.url)": /^SyntaxError: code cannot import: .+ \(line 1, column 14: print/,
    "class A { @dec m() {} }":
      /^SyntaxError: decorators are not supported \(line 1, column 11: class A/,
    "let a = 1\n@dec class A {}":
      /^SyntaxError: decorators are not supported \(line 2, column 1: @dec class/,
    "} print(1); {": /^SyntaxError: .+\(line 1, column 1: } print/,
    "}, print(1), async () => {": /^SyntaxError: .+\(line 1, column \d+: }, print/,
    "1\n/* open": /^SyntaxError: .+ \(line 2, column 1: \/\* open\)$/,
    "function () { return 1 }": /^SyntaxError: Expected ident \(line 1, column 10: function \(\)/,
    "let x: number = 1; with (a) {}": /^SyntaxError: .+with.+\(line 1, column 20: let x: number/,
    "return 08": /^SyntaxError: .+\(line 1, column 8: return 08\)$/,
    "  break\n//# sourceURL=other": /^SyntaxError: .+\(line 1, column 3: break\)$/,
    "1\nif (a) {": /^SyntaxError: .+\(line 2, column \d: if \(a\) {\)$/,
  };
  for (const [code, expected] of Object.entries(mistakes)) assertMatch(problem(code), expected);
});

Deno.test("a long line is cut where its mistake is shown", () => {
  const said = problem(`const x = "${"a".repeat(1000)}" = ;`);
  assert(said.length < 300, said);
  assertStringIncludes(said, "aaa…)");
});
