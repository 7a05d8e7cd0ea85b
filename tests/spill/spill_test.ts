import { BubError } from "../../lib/errors.ts";
import { isJsonObject, type JsonValue } from "../../lib/json.ts";
import { createSpill } from "../../lib/spill/spill.ts";
import type { TapeEntry } from "../../lib/tape/entry.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import { sidecarName } from "../../lib/tape/name.ts";
import { Tape } from "../../lib/tape/tape.ts";
import { MediaOutput, type ToolOutput } from "../../lib/tool/output.ts";
import { ToolRegistry } from "../../lib/tool/registry.ts";
import { defineTool } from "../../lib/tool/tool.ts";
import { spillRead } from "../../tools/spill.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { Workbench } from "../tool/workbench.ts";
import { FullStore } from "./full_store.ts";

const NAME = "0123456789abcdef__fedcba9876543210";

/** A tool that does what the test says. */
function giving(run: () => ToolOutput) {
  return defineTool({
    name: "give",
    description: "Gives.",
    parameters: (z) => z.object({}),
    run,
  });
}

interface Setup {
  readonly threshold?: number;
  readonly store?: MemoryTapeStore;
  readonly withReader?: boolean;
}

/** Calls a tool that gives `run()`; also what the sidecar holds then. */
async function give(
  run: () => ToolOutput,
  { threshold = 1000, store = new MemoryTapeStore(), withReader = true }: Setup = {},
) {
  const tape = new Tape(store, NAME);
  const tools = new ToolRegistry([giving(run), ...(withReader ? [spillRead] : [])]);
  await using bench = await Workbench.open(tools, { tape });
  const warnings: string[] = [];
  const spill = createSpill({ tape, tools, threshold, warn: (text) => warnings.push(text) });
  const result = await bench.call("give", "{}", { spill });
  const sidecar = await Array.fromAsync(store.read(sidecarName(NAME, "spill"), "oldest"));
  const read = async (args: Record<string, JsonValue>) => {
    const { value } = await bench.call("spill_read", JSON.stringify(args), { spill });
    assert(isJsonObject(value), "an object");
    return value;
  };
  const [, handle = ""] = /handle ([0-9a-f]{32})/.exec(result.text) ?? [];
  return {
    result,
    sidecar,
    warnings,
    handle,
    whole: handle === "" ? "" : (await read({ handle, count: 4 })).content,
  };
}

/** The data of the events in `entries` with that name. */
function dataOf(entries: readonly TapeEntry[], name: string) {
  return entries.filter(({ payload }) => payload.name === name).map(({ payload }) => payload.data);
}

Deno.test("SP1 a text over the threshold is stored; head, tail and handle stay", async () => {
  const text = `${"a".repeat(3000)}${"😀".repeat(2000)}`;
  const { result, sidecar, whole, handle } = await give(() => text);
  assertEquals(result.value, result.text);
  assertMatch(
    result.text,
    /^a{300}\n\[… .* stored in 1 chunk of up to 16 KiB: spill_read reads it, handle [0-9a-f]{32} …\]\n😀{300}$/u,
  );
  assertEquals(whole, text);
  assertEquals(dataOf(sidecar, "spill.manifest"), [
    { handle, chunks: 1, tool: "give", call_id: "call_1" },
  ]);
});

Deno.test("SP1 the threshold is in tokens of four characters, and what is not over it stays", async () => {
  for (const character of ["a", "😀"]) {
    const kept = await give(() => character.repeat(4000));
    assertEquals([kept.result.value, kept.sidecar], [character.repeat(4000), []]);
    const stored = await give(() => character.repeat(4001));
    assertEquals(stored.whole, character.repeat(4001));
  }
});

Deno.test("SP1 a value is stored as its JSON text, media stay with what is shown", async () => {
  const value = { items: Array.from({ length: 2000 }, (_, index) => index) };
  const { result, whole } = await give(() => value);
  assertEquals(whole, JSON.stringify(value));
  assertEquals(typeof result.value, "string");
  const media = [{ mediaType: "image/png", data: new Uint8Array(1), label: "image" }];
  const shown = await give(() => new MediaOutput("x".repeat(5000), media));
  assertEquals(shown.whole, "x".repeat(5000));
  assertEquals(shown.result.media, media);
});

Deno.test("SP1 of a failed call the output is stored and the rest stays", async () => {
  const output = "line\n".repeat(2000);
  const { result, whole } = await give(() => {
    throw new BubError("tool", "command exited with code 3", { details: { exit_code: 3, output } });
  });
  assertEquals(whole, output);
  assertEquals(result.status, "error");
  assert(isJsonObject(result.value) && isJsonObject(result.value.details));
  const { kind, message, details } = result.value;
  assertEquals([kind, message, details.exit_code], ["tool", "command exited with code 3", 3]);
  assertMatch(String(details.output), /^(line\n)+\n\[… .*spill_read.* …\]\n(line\n)+$/);
  assertEquals(result.text, JSON.stringify(result.value));
});

Deno.test("SP1 B44 a failed call with much besides its output leaves a short record too", async () => {
  const { result, whole } = await give(() => {
    const details = { status: 500, body: "b".repeat(50_000) };
    throw new BubError("tool", `HTTP 500 ${"m".repeat(5000)}`, { details });
  });
  assert(result.text.length < 2000, `${result.text.length} characters`);
  assertStringIncludes(result.text, '"kind":"tool","message":"HTTP 500 mmm');
  const report = JSON.parse(String(whole));
  assertEquals(report.details, { status: 500, body: "b".repeat(50_000) });
});

Deno.test("SP1 nothing is stored with threshold 0, and without spill.read", async () => {
  const text = "a".repeat(1_000_000);
  for (const setup of [{ threshold: 0 }, { withReader: false }]) {
    const { result, sidecar } = await give(() => text, setup);
    assertEquals([result.value === text, sidecar], [true, []], JSON.stringify(setup));
  }
});

Deno.test("SP1 what a hook put in the place of a result is what is stored", async () => {
  const tape = new Tape(new MemoryTapeStore(), NAME);
  const tools = new ToolRegistry([giving(() => "short"), spillRead]);
  await using bench = await Workbench.open(tools, { tape });
  const spill = createSpill({ tape, tools, threshold: 1000, warn: () => {} });
  const long = "h".repeat(10_000);
  const hooks = [{ afterToolCall: () => ({ action: "replace", result: long }) as const }];
  const { text } = await bench.call("give", "{}", { spill, hooks });
  const [, handle] = /handle ([0-9a-f]{32})/.exec(text) ?? [];
  const read = await bench.call("spill_read", JSON.stringify({ handle }), { spill });
  assertEquals(read.value, { content: long, next_cursor: 1, complete: true });
});

Deno.test("SP2 results of spill.read are never stored themselves", async () => {
  const text = "x".repeat(100_000);
  const { whole } = await give(() => text);
  assertEquals(whole, text.slice(0, 4 * 16 * 1024));
});

Deno.test("SP1 B43 a result that cannot be stored says so and keeps head and tail", async () => {
  const text = `${"a".repeat(9000)}${"z".repeat(9000)}`;
  const { result, warnings } = await give(() => text, { store: new FullStore(0) });
  assertMatch(
    result.text,
    /^a{2000}\n\[… the middle is lost, as it could not be stored: no space left …\]\nz{2000}$/,
  );
  assert(!result.text.includes("spill_read"), "claims nothing");
  assertEquals(warnings, [
    "a long result of give could not be stored and was cut: no space left",
  ]);
});

Deno.test("SP1 B43 of a failed call that cannot be stored too is warned once", async () => {
  const output = "line\n".repeat(5000);
  const { result, warnings } = await give(() => {
    throw new BubError("tool", "command exited with code 3", { details: { output } });
  }, { store: new FullStore(0) });
  assertEquals(warnings, [
    "a long result of give could not be stored and was cut: no space left",
  ]);
  assert(result.text.length < 8000, `${result.text.length} characters`);
  assertStringIncludes(result.text, "command exited with code 3");
});
