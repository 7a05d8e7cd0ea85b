import { fromFileUrl, join } from "@std/path";
import { SCOPE_FLAGS } from "../../lib/cli/flags.ts";
import { parseConfig } from "../../lib/config/config_file.ts";
import { ROOT } from "../../scripts/import_map.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { bub, COMPILED } from "../cli/spawn.ts";
import { openWorkbench, type Workbench } from "../cli/workbench.ts";
import { RawServer, respond } from "../environment/raw_server.ts";
import { blocks, codes, type Row, sections } from "./markdown.ts";

const windows = Deno.build.os === "windows";
const SOURCE = fromFileUrl(ROOT);
const page = await Deno.readTextFile(new URL("docs/permissions.md", ROOT));

const rowsOf = (title: string): readonly Row[] =>
  sections(page).find((section) => section.title === title)?.rows ?? [];

/** Recipes have a column for each thing that an agent may try. */
const recipes = (title: string) => rowsOf(title).filter((row) => row.flags !== undefined);

/** What an agent tries, by the columns of the recipes; `hosts`: which of two servers answer. */
interface Tries {
  readonly "reads here": string;
  readonly ".env": string;
  readonly "reads elsewhere": string;
  readonly "writes here": string;
  readonly commands: string;
  readonly hosts: readonly [allowed: string, other: string];
}

/** Runs an agent that tries everything at once, with some permissions and some scope. */
async function tryAll(
  bench: Workbench,
  hosts: readonly [string, string],
  { permissions, scope }: {
    readonly permissions?: readonly string[];
    readonly scope: readonly string[];
  },
): Promise<Tries> {
  const outside = join(bench.root, "outside");
  const names = [
    "reads here",
    ".env",
    "reads elsewhere",
    "writes here",
    "commands",
    "allowed",
    "other",
  ];
  const calls = [
    ["fs_read", { path: "a.txt" }],
    ["fs_read", { path: ".env" }],
    ["fs_read", { path: outside }],
    ["fs_write", { path: "new.txt", content: "x" }],
    ["bash", { command: "echo hi" }],
    ["web_fetch", { url: `http://${hosts[0]}/` }],
    ["web_fetch", { url: `http://${hosts[1]}/` }],
  ] as const;
  const recording = await bench.record({ calls }, { text: "done" });
  const file = join(bench.workspace, "recording.jsonl");
  await Deno.rename(recording.slice("replay:".length), file);
  await Deno.writeTextFile(join(bench.workspace, "a.txt"), "hello\n");
  await Deno.writeTextFile(join(bench.workspace, ".env"), "SECRET=1\n");
  await Deno.writeTextFile(outside, "not yours\n");
  const model = ["--model", "replay:recording.jsonl"];
  const { code, stdout, stderr } = await bub(
    ["run", "hi", "--output", "stream-json", ...model, ...scope],
    { cwd: bench.workspace, env: bench.env, ...(permissions === undefined ? {} : { permissions }) },
  );
  assertEquals(code, 0, stderr);
  const ends = stdout.trim().split("\n").map((line) => JSON.parse(line))
    .filter(({ type }) => type === "tool.end");
  assertEquals(ends.length, calls.length);
  const results = new Map(ends.map(({ call_id, status, output }) => {
    if (status !== "ok") {
      const { kind, message } = JSON.parse(output);
      assertEquals(kind, "permission", output);
      assertMatch(message, /--(?:allow|deny)-\w+/);
    }
    return [names[Number(call_id.split("_").at(-1))], status === "ok" ? "yes" : "no"];
  }));
  const result = (name: string) => results.get(name) ?? "";
  return {
    "reads here": result("reads here"),
    ".env": result(".env"),
    "reads elsewhere": result("reads elsewhere"),
    "writes here": result("writes here"),
    commands: result("commands"),
    hosts: [result("allowed"), result("other")],
  };
}

/** What a recipe promises of the same. */
function promised(row: Row): Tries {
  const hosts = { none: ["no", "no"], "every host": ["yes", "yes"] } as const;
  const network = row.network ?? "";
  return {
    "reads here": row["reads here"] ?? "",
    ".env": row.flags?.includes(".env") ? "no" : row["reads here"] ?? "",
    "reads elsewhere": row["reads elsewhere"] ?? "",
    "writes here": row["writes here"] ?? "",
    commands: row.commands ?? "",
    hosts: network === "none" || network === "every host" ? hosts[network] : ["yes", "no"],
  };
}

const server = () => new RawServer(({ connection }) => respond(connection, "200 OK", [], "hi"));

const flagsOf = ({ flags = "" }: Row, names: Readonly<Record<string, string>>) => {
  const text = Object.entries(names).reduce(
    (text, [name, value]) => text.replaceAll(name, value),
    codes(flags)[0] ?? "",
  );
  return text.split(" ");
};

for (const row of recipes("The process")) {
  Deno.test({
    name: `E4 permissions.md: under deno run, ${row.for} may do what the page says`,
    ignore: COMPILED || windows,
    async fn() {
      await using bench = await openWorkbench();
      await using model = server();
      await using other = server();
      const hosts = [new URL(model.url).host, new URL(other.url).host] as const;
      const home = bench.env.BUB_HOME ?? "";
      const permissions = flagsOf(row, { SOURCE, HOME: home, MODEL: hosts[0] });
      assertEquals(await tryAll(bench, hosts, { permissions, scope: [] }), promised(row));
    },
  });
}

for (const row of recipes("Recipes")) {
  Deno.test({
    name: `E3 permissions.md: with a scope, ${row.for} may do what the page says`,
    ignore: windows,
    async fn() {
      await using bench = await openWorkbench();
      await using allowed = server();
      await using other = server();
      const hosts = [new URL(allowed.url).host, new URL(other.url).host] as const;
      const scope = flagsOf(row, { "example.com": hosts[0] });
      assertEquals(await tryAll(bench, hosts, { scope }), promised(row));
    },
  });
}

Deno.test("E3 permissions.md has every scope flag, and its examples are right", async () => {
  const flags = rowsOf("The scope").map(({ flag = "" }) => codes(flag)[0]);
  assertEquals(flags.sort(), Object.keys(SCOPE_FLAGS).map((name) => `--${name}`).sort());
  const files = blocks(page).filter(({ language }) => language === "jsonc");
  assertEquals(files.length, 1);
  for (const { text } of files) await parseConfig(text, "docs/permissions.md");
  assert(recipes("Recipes").length > 4 && recipes("The process").length > 3);
});
