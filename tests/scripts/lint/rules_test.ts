/**
 * `deno lint` takes the name of a rule that it does not know without a word, and a rule may leave
 * the recommended set. So every rule this house relies on is seen to fail here, by the
 * configuration that `deno task lint` uses.
 */
import { ROOT } from "../../../scripts/import_map.ts";
import { assertEquals } from "../../assert.ts";

/** For each rule a text that breaks it, and no other. */
const BREAKING: Readonly<Record<string, string>> = {
  "no-console": 'console.log("x");',
  "no-sync-fn-in-async-fn": 'export async function f() {\n  await Deno.statSync("x");\n}',
  "no-explicit-any": "export const f = (x: any) => x;",
  "no-unused-vars": "const x = 1;",
  "ban-ts-comment": "// @ts-ignore\nexport {};",
  "require-await": "export async function f() {\n  return 1;\n}",
  "prefer-const": "let x = 1;\nexport { x };",
  "no-import-prefix": 'import "npm:zod@4";',
  "verbatim-module-syntax": 'import { Tape } from "./tape.ts";\nexport type T = Tape;',
};

interface Report {
  readonly diagnostics: readonly { readonly code: string }[];
}

Deno.test("deno lint knows each rule relied on and fails its example", async () => {
  for (const [rule, text] of Object.entries(BREAKING)) {
    assertEquals(await lint(text), [rule], text);
  }
});

Deno.test("every rule that deno.json includes has an example here", async () => {
  const { lint } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const included: readonly string[] = lint.rules.include;
  assertEquals(included.filter((rule) => !(rule in BREAKING)), []);
});

/** The rules that `deno lint` sees broken in a text. */
async function lint(text: string): Promise<string[]> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["lint", "--json", "-"],
    cwd: ROOT,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { stdout } = await child.output();
  const report: Report = JSON.parse(new TextDecoder().decode(stdout));
  return [...new Set(report.diagnostics.map(({ code }) => code))];
}
