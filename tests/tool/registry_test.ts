import { BubError } from "../../lib/errors.ts";
import { describeTool, ToolRegistry, unknownTool } from "../../lib/tool/registry.ts";
import { defineTool, modelAlias, type Tool } from "../../lib/tool/tool.ts";
import { assert, assertEquals, assertMatch, assertThrows } from "../assert.ts";
import { attach, edit, info, mixed, quit, read } from "./sample_tools.ts";

const ALL = [read, edit, info, mixed, quit, attach];

function named(name: string, description = "A tool.") {
  return defineTool({ name, description, parameters: (z) => z.object({}), run: () => name });
}

Deno.test("T1 find() takes runtime names and aliases in any case", () => {
  const registry = new ToolRegistry(ALL);
  for (const name of ["fs.read", "fs_read", "FS_READ", "Fs.Read", " fs.read "]) {
    assertEquals(registry.find(name), read, name);
  }
  for (const name of ["", "fs", "fsread", "fs.reads", "__proto__"]) {
    assertEquals(registry.find(name), undefined, name);
  }
});

Deno.test("T2 of two tools with one name the later one counts, in the place of the earlier", () => {
  const override = named("fs.read", "Another reader.");
  const registry = new ToolRegistry([...ALL, override]);
  assertEquals(registry.find("fs_read"), override);
  assertEquals(registry.tools.map(({ name }) => name), ALL.map(({ name }) => name));
  assertEquals(registry.tools[0]?.description, "Another reader.");
});

Deno.test("T1 two names with one alias, and names no model can be given, are refused", () => {
  const collision = assertThrows(() => new ToolRegistry([...ALL, named("fs_read")]), BubError);
  assertEquals(collision.kind, "config");
  assertEquals(
    collision.message,
    "the tools fs.read and fs_read would both be fs_read to the model; " +
      "one of them needs another name",
  );
  for (const name of ["", "a b", ".a", "a.", "a..b", "ä", "9a", "a".repeat(65)]) {
    assertEquals(
      assertThrows(() => new ToolRegistry([named(name)]), BubError).kind,
      "config",
      name,
    );
  }
});

Deno.test("T1 suggest() names what was probably meant, at most three, best first", () => {
  const registry = new ToolRegistry(ALL);
  assertEquals(registry.suggest("fs.raed"), ["fs.read", "fs.edit"]);
  assertEquals(registry.suggest("FS_REED")[0], "fs.read");
  assertEquals(registry.suggest("fs.foo").toSorted(), ["fs.edit", "fs.read"]);
  assertEquals(registry.suggest("read_file"), ["fs.read"]);
  assertEquals(registry.suggest("xylophone"), []);
  assertEquals(registry.suggest(""), []);
  const family = ["a", "b", "c", "d"].map((word) => named(`fs.${word}`));
  assertEquals(new ToolRegistry(family).suggest("fs.e").length, 3);
});

Deno.test("T1 unknownTool() names close and known tools in the reader's form", () => {
  assertEquals(
    unknownTool("fs.raed", [read, info], modelAlias),
    'unknown tool "fs.raed", did you mean fs_read? known tools: fs_read, tape_info',
  );
  assertEquals(
    unknownTool(" ", [read]),
    "a call without a tool name; known tools: fs.read",
  );
  const many = Array.from({ length: 25 }, (_, index) => named(`tool${index}`));
  assertMatch(unknownTool("x".repeat(500), many), /^unknown tool "x{199}…; .* and 5 more$/);
});

Deno.test("A4 L2 scope() keeps only the named tools, and names close ones for an unknown", () => {
  const registry = new ToolRegistry(ALL);
  const scope = registry.scope(["TAPE_INFO", "fs.read"]);
  assertEquals(scope.tools, [read, info]);
  assertEquals(scope.find("fs.edit"), undefined);
  assertEquals(registry.scope([]).tools, []);
  const error = assertThrows(() => registry.scope(["fs.raed"]), BubError, "did you mean fs.read");
  assertEquals(error.kind, "config");
});

Deno.test("S3 forModel() offers the tools of exposure default", () => {
  assertEquals(new ToolRegistry(ALL).forModel(), [read, edit, info, mixed]);
});

Deno.test("S3 load() marks deferred tools as offered, in scopes too; without a loader all are", () => {
  const rare: Tool = { ...named("rare.one"), exposure: "deferred" };
  const other: Tool = { ...named("rare.two"), exposure: "deferred" };
  const registry = new ToolRegistry([read, quit, rare, other, named("tool.describe")]);
  const offered = (tools: ToolRegistry) => tools.forModel().map(({ name }) => name);
  assertEquals(offered(registry), ["fs.read", "tool.describe"]);
  assertEquals(registry.deferred(), [rare, other]);
  const loaded = registry.load(["RARE_ONE", "no.such", "quit"]);
  assertEquals(offered(loaded), ["fs.read", "rare.one", "tool.describe"]);
  assertEquals(loaded.deferred(), [rare, other]);
  assertEquals(offered(loaded.scope(["rare.one", "tool.describe"])), ["rare.one", "tool.describe"]);
  const alone = registry.scope(["rare.one", "fs.read"]);
  assertEquals([offered(alone), alone.deferred()], [["fs.read", "rare.one"], []]);
});

Deno.test("C1 in code mode the model is offered run_code alone, and code the other tools", () => {
  const rare: Tool = { ...named("rare.one"), exposure: "deferred" };
  const runner = named("run_code");
  const plain = new ToolRegistry([...ALL, rare, named("tool.describe"), runner]);
  const names = (tools: readonly Tool[]) => tools.map(({ name }) => name);
  const others = ["fs.read", "fs.edit", "tape.info", "mixed"];
  assertEquals(names(plain.forModel()), [...others, "tool.describe"]);
  assertEquals([plain.codeMode, plain.offers(runner), plain.offers(attach)], [false, false, false]);
  const tools = plain.inCodeMode(true);
  assertEquals([tools.codeMode, tools.offers(runner), tools.offers(attach)], [true, true, true]);
  assertEquals(names(tools.forModel()), ["run_code"]);
  const callable = [...others, "attach_image", "tool.describe"];
  for (const { forCode } of [{ forCode: plain.forCode() }, { forCode: tools.forCode() }]) {
    assertEquals(names(forCode), callable, "never commands, run_code, or what is not loaded");
  }
  assertEquals(names(plain.forTurn()), [...others, "rare.one", "tool.describe"]);
  assertEquals(names(tools.forTurn()), [
    "run_code",
    ...others,
    "attach_image",
    "rare.one",
    "tool.describe",
  ]);
  const loaded = tools.load(["rare_one"]);
  assert(loaded.codeMode && loaded.forCode().includes(rare), "loading leaves the mode as it is");
  assert(tools.knownTo("code").includes(rare), "and names what can be loaded before that");
  assertEquals(names(tools.inCodeMode(false).forModel()), names(plain.forModel()));
});

Deno.test("C1 L2 a scope in code mode keeps run_code, but where the list is empty", () => {
  const tools = new ToolRegistry([...ALL, named("run_code")]).inCodeMode(true);
  const scope = tools.scope(["fs.read"]);
  assertEquals(scope.forModel().map(({ name }) => name), ["run_code"]);
  assertEquals(scope.forCode(), [read]);
  assertEquals(scope.scope(["fs.read"]).codeMode, true);
  const none = tools.scope([]);
  assertEquals([none.tools, none.forModel(), none.forCode()], [[], [], []]);
  const without = new ToolRegistry(ALL).inCodeMode(true);
  assertEquals([without.codeMode, without.forModel().length], [false, 4], "no tool that runs code");
});

Deno.test("L1 describeTool() gives both names, the exposure and the schema", async () => {
  const registry = new ToolRegistry(ALL);
  const described = await describeTool(registry, edit);
  assertEquals(described, {
    name: "fs.edit",
    alias: "fs_edit",
    exposure: "default",
    description: "Edits a file.",
    parameters: await registry.schema(edit),
  });
  assert(described.parameters === await registry.schema(edit), "made once");
});
