import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { isJsonObject } from "../../lib/json.ts";
import { messageEntry } from "../../lib/tape/entry.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { Tape } from "../../lib/tape/tape.ts";
import { runCommand } from "../../lib/tool/command.ts";
import { ToolRegistry } from "../../lib/tool/registry.ts";
import { tapeTools } from "../../tools/tape.ts";
import { temporaryFolder } from "../tape/temporary_folder.ts";
import { Workbench } from "../tool/workbench.ts";

const user = (content: string) => messageEntry({ role: "user", content });

Deno.test("TP6 tape.info returns the seven facts", async () => {
  await using bench = await Workbench.open(new ToolRegistry(tapeTools));
  await bench.context.tape.append(user("one"));
  assertEquals((await bench.call("tape_info", "{}")).value, {
    name: bench.context.tape.name,
    entries: 2,
    anchors: 1,
    last_anchor: "session/start",
    entries_since_last_anchor: 1,
    last_token_usage: null,
    last_token_cache_hit_rate: null,
  });
});

Deno.test("TP7 tape.search takes its defaults, and returns matches and what was left out", async () => {
  await using bench = await Workbench.open(new ToolRegistry(tapeTools));
  const { tape } = bench.context;
  await tape.append(...Array.from({ length: 30 }, (_, n) => user(`needle ${n}`)));
  const { value } = await bench.call("tape_search", '{"query": "needle"}');
  assert(isJsonObject(value) && Array.isArray(value.matches));
  assertEquals(Object.keys(value), ["matches", "filtered"]);
  assertEquals(value.matches.length, 20);
  const [first] = value.matches;
  assert(isJsonObject(first));
  assertEquals(Object.keys(first), ["id", "kind", "date", "payload"]);
  assertEquals(first.payload, { role: "user", content: "needle 29" });
  const anchors = { query: "session", kinds: ["anchor"], limit: 5, start: null, end: null };
  const { value: found } = await bench.call("tape_search", JSON.stringify(anchors));
  assert(isJsonObject(found) && Array.isArray(found.matches));
  assertEquals(found.matches.length, 1);
});

Deno.test("TP7 T3 tape.search says what is wrong with its arguments", async () => {
  await using bench = await Workbench.open(new ToolRegistry(tapeTools));
  for (
    const [args, word] of [
      ['{"query": ""}', "query is empty"],
      ['{"query": "x", "start": "soon"}', "start must be a date"],
      ['{"query": "x", "limit": 0}', "limit"],
      ['{"query": "x", "kinds": "message"}', "kinds"],
      ['{"query": "x", "kinds": []}', "kinds is empty"],
      [
        '{"query": "x", "kinds": ["message", "tool_resutl"]}',
        'tool_result, event, error, got [\\"tool_resutl\\"]',
      ],
      ['{"query": "x", "start": "2026-12-02", "end": "2026-12-01"}', "start must not be after end"],
    ] as const
  ) {
    const { status, text } = await bench.call("tape_search", args);
    assertEquals(status, "error");
    assertStringIncludes(text, "invalid_input");
    assertStringIncludes(text, word);
  }
});

Deno.test("TP8 tape.anchors lists names in recorded order, or says that there are none", async () => {
  await using bench = await Workbench.open(new ToolRegistry(tapeTools));
  const { tape } = bench.context;
  assertEquals((await bench.call("tape_anchors", "{}")).text, "(no anchors)");
  await tape.append(user("one"));
  await bench.call("tape_handoff", '{"name": "phase-1"}');
  await bench.call("tape_handoff", "{}");
  await bench.call("tape_handoff", '{"name": "phase-1", "summary": "again"}');
  assertEquals(
    (await bench.call("tape_anchors", "{}")).text,
    "session/start\nphase-1\nhandoff\nphase-1",
  );
});

Deno.test("TP9 tape.handoff adds an anchor with the summary and its event; old entries stay", async () => {
  await using bench = await Workbench.open(new ToolRegistry(tapeTools));
  const { tape } = bench.context;
  await tape.append(user("one"));
  const { text } = await bench.call("tape.handoff", '{"name": "phase-1", "summary": "one done"}');
  assertEquals(text, "anchor added: phase-1");
  assertEquals(await tape.context(), []);
  await tape.append(user("two"));
  const entries = await Array.fromAsync(tape.read("oldest"));
  assertEquals(entries.map(({ kind, payload }) => [kind, payload]).slice(1), [
    ["message", { role: "user", content: "one" }],
    ["anchor", { name: "phase-1", state: { summary: "one done" } }],
    [
      "event",
      { name: "handoff", data: { name: "phase-1", state: { summary: "one done" } } },
    ],
    ["message", { role: "user", content: "two" }],
  ]);
  assertEquals(await tape.context(), [{ role: "user", content: "two" }]);
  const { text: byDefault } = await bench.call("tape.handoff", "");
  assertEquals(byDefault, "anchor added: handoff");
});

Deno.test("TP9 TP8 tape.handoff refuses names that are no line of text", async () => {
  await using bench = await Workbench.open(new ToolRegistry(tapeTools));
  for (const name of ["", " ", "a\nb", "a\u2028b", "\u001b[31m"]) {
    const { status, text } = await bench.call("tape_handoff", JSON.stringify({ name }));
    assertEquals(status, "error", JSON.stringify(name));
    assertStringIncludes(text, "one line of text");
  }
  assertEquals(await bench.context.tape.anchors(), []);
});

Deno.test("TP9 TP8 tape.handoff refuses names that are long or mean something else", async () => {
  await using bench = await Workbench.open(new ToolRegistry(tapeTools));
  for (const name of ["x".repeat(201), "none", "last"]) {
    const { status, text } = await bench.call("tape_handoff", JSON.stringify({ name }));
    assertEquals(status, "error", name);
    assertStringIncludes(text, "name must be up to 200 characters and none of none, last, got");
    assert(text.length < 500);
  }
  const { status } = await bench.call("tape_handoff", JSON.stringify({ name: "x".repeat(200) }));
  assertEquals(status, "ok");
});

Deno.test("TP10 tape.reset empties the tape; with archive it says where everything is", async () => {
  await using folder = await temporaryFolder();
  const store = new FileTapeStore(folder.path);
  const tape = new Tape(store, "t");
  await using bench = await Workbench.open(new ToolRegistry(tapeTools), { tape });
  await tape.append(user("one"));
  await tape.sidecar("spill").append(user("long"));
  assertMatch(
    (await bench.call("tape_reset", '{"archive": true}')).text,
    /^tape reset\narchived as t\.jsonl\.\d{8}T\d{6}Z\.bak\narchived as t__sidecar__spill\.jsonl\.\S+$/,
  );
  await tape.append(user("two"));
  assertEquals((await bench.call("tape_reset", "{}")).text, "tape reset");
  assertEquals((await tape.info()).entries, 1);
  store.close();
});

Deno.test("TP7 TP10 T6 the tape tools are text commands", async () => {
  const tools = new ToolRegistry(tapeTools);
  await using bench = await Workbench.open(tools, { caller: "command" });
  const { tape } = bench.context;
  await tape.append(user("a needle in hay"));
  const options = { tools, context: bench.context };
  const run = async (line: string) => (await runCommand(line, options)).output.trim();
  assertEquals(await run("tape.handoff phase-1 'all done'"), "anchor added: phase-1");
  assertEquals(await run("tape.anchors"), "session/start\nphase-1");
  const found = JSON.parse(await run('tape.search "in hay" 5 kinds=["message"]'));
  assertEquals(found.matches.length, 1);
  assertEquals(JSON.parse(await run("tape.info")).anchors, 2);
  assertEquals(await run("tape.reset archive=false"), "tape reset");
});
