import { ROOT } from "../scripts/import_map.ts";
import { codeCycles, folderCycles, wideTypeCycles } from "./architecture/cycles.ts";
import { checkFile } from "./architecture/files.ts";
import { checkLayers } from "./architecture/layers.ts";
import { listModules, type ModuleGraph, readGraph } from "./architecture/module_graph.ts";
import { heavyAtStart } from "./architecture/start.ts";
import { assert, assertEquals } from "./assert.ts";

const PRODUCT = ["main.ts", ...await listModules("lib"), ...await listModules("tools")];
const graph = await readGraph(PRODUCT);

/** A graph written as `from to`, `from ~to` for types, `from ?to` for a dynamic import. */
function graphOf(...arrows: string[]): ModuleGraph {
  const kinds = { "~": "type", "?": "dynamic", "": "code" } as const;
  return arrows.map((arrow) => {
    const [, from = "", mark = "", to = ""] = /^(\S+) ([~?]?)(\S+)$/.exec(arrow) ?? [];
    return { from, to, kind: kinds[mark as keyof typeof kinds] };
  });
}

Deno.test("every module of the product is in the graph", () => {
  const known = new Set(graph.flatMap(({ from, to }) => [from, to]));
  const alone = PRODUCT.filter((path) => !known.has(path));
  // Without imports and importers: nothing that the layers could be wrong about.
  assert(alone.length < 5, `not connected: ${alone.join(", ")}`);
  assert(graph.some(({ from, to }) => from === "main.ts" && to.startsWith("lib/")));
});

Deno.test("no arrow points against the layers", () => {
  assertEquals(checkLayers(graph), []);
});

Deno.test("checkLayers() reports an arrow against the layers, and only that", () => {
  const wrong = [
    "lib/tape/query.ts lib/kernel/turn.ts",
    "lib/tape/entry.ts lib/tape/query.ts",
    "lib/kernel/turn.ts ~lib/cli/args.ts",
    "lib/kernel/turn.ts tools/fs.ts",
    "lib/spill/store.ts ?lib/app.ts",
    "tools/fs.ts lib/environment/host.ts",
    "tools/fs.ts ~lib/kernel/turn.ts",
    "lib/json.ts ~lib/event.ts",
    "lib/app.ts scripts/registry.ts",
    "lib/nowhere.ts lib/json.ts",
  ];
  const right = [
    "lib/tool/tool.ts ~lib/tool/registry.ts",
    "lib/tape/query.ts lib/tape/entry.ts",
    "lib/config/schema.ts lib/model/provider.ts",
    "tools/fs.ts lib/content/text.ts",
    "tools/help.ts lib/tool/parameter.ts",
    "lib/app.ts lib/kernel/local_agent.ts",
    "lib/app.ts @std/path",
    "lib/tool/schema.ts ?npm:/zod@4.6.7",
    "main.ts tools/mod.ts",
  ];
  assertEquals(checkLayers(graphOf(...right)), []);
  for (const arrow of wrong) assertEquals(checkLayers(graphOf(arrow, ...right)).length, 1, arrow);
});

Deno.test("no files import each other in a ring", () => {
  assertEquals(codeCycles(graph), []);
});

Deno.test("no folders import each other in a ring", () => {
  assertEquals(folderCycles(graph), []);
});

Deno.test("no ring of types spans two folders", () => {
  assertEquals(wideTypeCycles(graph), []);
});

Deno.test("codeCycles() finds rings of code, dynamic imports included, and no others", () => {
  assertEquals(codeCycles(graphOf("a b", "b c", "a c", "c ~a")), []);
  assertEquals(codeCycles(graphOf("a b", "b ?c", "c a", "c d")), ["a -> b -> c -> a"]);
});

Deno.test("folderCycles() finds folders that need each other though no files do", () => {
  const arrows = ["lib/a/x.ts lib/b/x.ts", "lib/a/x.ts lib/a/y.ts", "lib/a/y.ts lib/json.ts"];
  assertEquals(folderCycles(graphOf(...arrows, "lib/b/c/z.ts lib/b/x.ts")), []);
  assertEquals(folderCycles(graphOf(...arrows, "lib/b/y.ts lib/a/y.ts")).length, 1);
  assertEquals(folderCycles(graphOf(...arrows, "lib/b/y.ts ~lib/a/y.ts")), []);
});

Deno.test("wideTypeCycles() lets types of one folder speak of each other, not of two", () => {
  assertEquals(wideTypeCycles(graphOf("lib/a/x.ts ~lib/a/y.ts", "lib/a/y.ts ~lib/a/x.ts")), []);
  const wide = wideTypeCycles(graphOf("lib/a/x.ts ~lib/b/y.ts", "lib/b/y.ts ~lib/a/x.ts"));
  assertEquals(wide, ["lib/a/x.ts -> lib/b/y.ts -> lib/a/x.ts"]);
});

Deno.test("starting loads no heavy package", () => {
  for (const entry of ["main.ts", "lib/cli/cli.ts", "lib/app.ts", "tools/mod.ts"]) {
    assert(PRODUCT.includes(entry), entry);
    assertEquals(heavyAtStart(graph, entry), []);
  }
});

Deno.test("heavyAtStart() follows code, not dynamic imports or types", () => {
  const arrows = ["main.ts lib/a.ts", "lib/a.ts ?lib/b.ts", "lib/b.ts npm:/zod@4.6.7"];
  assertEquals(heavyAtStart(graphOf(...arrows, "main.ts ~npm:/zod@4.6.7"), "main.ts"), []);
  const way = "main.ts -> lib/a.ts -> npm:/zod@4.6.7";
  assertEquals(heavyAtStart(graphOf(...arrows, "lib/a.ts npm:/zod@4.6.7"), "main.ts"), [way]);
});

Deno.test("every file has a telling name, a bearable length and no check switched off", async () => {
  const files = [...PRODUCT, ...await listModules("scripts")];
  const found = await Promise.all(
    files.map(async (path) => checkFile(path, await Deno.readTextFile(new URL(path, ROOT)))),
  );
  assertEquals(found.flat(), []);
});

Deno.test("checkFile() reports empty names, other cases, long files and switched-off checks", () => {
  assertEquals(checkFile("lib/tape/file_store.ts", "\n".repeat(400)), []);
  assertEquals(checkFile("lib/code/guest.mts", ""), []);
  for (const name of ["utils", "helpers", "common", "types", "index", "fileStore", "file-store"]) {
    assertEquals(checkFile(`lib/${name}.ts`, "").length, 1, name);
  }
  assertEquals(checkFile("lib/a.ts", "\n".repeat(401)), ["lib/a.ts: 401 lines, at most 400"]);
  for (const comment of ["deno-lint-ignore no-console", "@ts-ignore", "@ts-expect-error"]) {
    assertEquals(checkFile("lib/a.ts", `// ${comment}\n`).length, 1, comment);
  }
});

/** What reaches the machine: Deno itself, and the global `fetch`. */
const MACHINE = /\bDeno\b|(?<![.\w])fetch\(|from "node:/;

Deno.test("E1 tools reach files, processes and the network through the Environment alone", async () => {
  for (const path of await listModules("tools")) {
    const code = (await Deno.readTextFile(new URL(path, ROOT))).replaceAll(
      /\/\*[^]*?\*\/|\/\/.*/g,
      "",
    );
    assertEquals(MACHINE.exec(code)?.[0], undefined, path);
  }
  for (const reach of ["await Deno.stat(path)", "x = fetch(url)", 'import fs from "node:fs"']) {
    assert(MACHINE.test(reach), reach);
  }
  assert(!MACHINE.test("await environment.fetch(url)"));
});

Deno.test("E1 the README says that tools act on the host and that nobody is asked", async () => {
  const readme = await Deno.readTextFile(new URL("README.md", ROOT));
  assert(readme.includes("Tools act on your machine") && readme.includes("nobody is asked"));
});
