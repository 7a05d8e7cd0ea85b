import { readSession, sessionCopy, type SessionRecord } from "../../lib/kernel/session_settings.ts";
import { type EntryDraft, eventEntry, messageEntry } from "../../lib/tape/entry.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import { Tape } from "../../lib/tape/tape.ts";
import { assertEquals } from "../assert.ts";

const NAME = "0123456789abcdef__fedcba9876543210";

const modelSwitch = (model: string) => eventEntry("model_switch", { model });
const effort = (reasoning_effort: string) =>
  eventEntry("reasoning_effort_switch", { reasoning_effort });
const codeMode = (enable: boolean) => eventEntry("code_mode_switch", { enable });
const loaded = (...names: string[]) => eventEntry("tool.loaded", { names });
const chatter = messageEntry({ role: "user", content: "model_switch" });

/** The first event of a turn that begins with `record`. */
const turn = (record: SessionRecord) => eventEntry("loop.start", { session: sessionCopy(record) });

function newTape(): Tape {
  return new Tape(new MemoryTapeStore(), NAME);
}

/** Settings and tools of a record, in a comparable form. */
async function read(tape: Tape) {
  const { model, reasoningEffort, codeMode, loadedTools } = await readSession(tape);
  return [model, reasoningEffort, codeMode, loadedTools.toSorted()];
}

Deno.test("SC2 SC3 SC4 readSession() takes the newest of each setting", async () => {
  const tape = newTape();
  assertEquals(await read(tape), [undefined, undefined, undefined, []]);
  await tape.append(modelSwitch("a:1"), effort("low"), chatter, codeMode(true), modelSwitch("a:2"));
  assertEquals(await read(tape), ["a:2", "low", true, []]);
  await tape.append(codeMode(false), effort("high"), loaded("x", "y"), loaded("z"));
  assertEquals(await read(tape), ["a:2", "high", false, ["x", "y", "z"]]);
});

Deno.test("SC2 readSession() knows the form of Python Bub, and passes over odd data", async () => {
  const tape = newTape();
  await tape.append(
    eventEntry("loop.start", { model: "openrouter:x", allowed_tools: null }),
    modelSwitch("openai:gpt-4o"),
    eventEntry("loop.start", { model: "openrouter:x" }),
    eventEntry("loop.start"),
    eventEntry("model_switch", { model: null }),
    eventEntry("code_mode_switch", { enable: "yes" }),
    eventEntry("tool.loaded", { names: "all" }),
    { kind: "message", payload: { name: "model_switch", data: { model: "no:event" } } },
  );
  assertEquals(await read(tape), ["openai:gpt-4o", undefined, undefined, []]);
});

Deno.test("SC2 S3 a turn repeats what was recorded before, and later events count on top", async () => {
  const tape = newTape();
  await tape.append(modelSwitch("a:1"), codeMode(true), loaded("x"));
  await tape.append(turn(await readSession(tape)), chatter);
  assertEquals(await read(tape), ["a:1", undefined, true, ["x"]]);
  await tape.append(codeMode(false), loaded("y"));
  assertEquals(await read(tape), ["a:1", undefined, false, ["x", "y"]]);
  await tape.append(turn(await readSession(tape)));
  assertEquals(await read(tape), ["a:1", undefined, false, ["x", "y"]]);
});

Deno.test("SC2 a setting that came while a turn was beginning is not lost to its copy", async () => {
  const tape = newTape();
  await tape.append(modelSwitch("a:1"), effort("low"));
  const early = await readSession(tape);
  await tape.append(chatter, modelSwitch("a:2"), chatter);
  await tape.append(turn(early), chatter);
  assertEquals(await read(tape), ["a:2", "low", undefined, []]);
});

Deno.test("S3 SC2 a reset forgets settings and loaded tools", async () => {
  const tape = newTape();
  await tape.append(modelSwitch("a:1"), loaded("x"));
  await tape.append(turn(await readSession(tape)));
  await tape.store.reset(NAME, []);
  assertEquals(await read(tape), [undefined, undefined, undefined, []]);
});

Deno.test("SC2 readSession() reads no further back than the last turn", async () => {
  const folder = await Deno.makeTempDir();
  const store = new FileTapeStore(folder);
  const tape = new Tape(store, NAME);
  const filler: EntryDraft[] = Array.from({ length: 2_000 }, () => chatter);
  await tape.append(modelSwitch("a:1"));
  await tape.append(turn(await readSession(tape)));
  const path = `${folder}/${NAME}.jsonl`;
  // Were the first turn looked at, this would be it.
  await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replaceAll("a:1", "a:0"));
  await tape.append(...filler, turn({ ...(await readSession(tape)), model: "a:1" }), ...filler);
  assertEquals(await read(tape), ["a:1", undefined, undefined, []]);
  store.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("A9 readSession() knows the tasks without an end, over turns and until they have one", async () => {
  const tape = newTape();
  const task = (task_id: string) => eventEntry("subagent.task", { task_id, owner: "o" });
  const end = (id: string) => eventEntry("steering.message", { id, content: "over" });
  const open = async () => (await readSession(tape)).openTasks.map(({ task_id }) => task_id);
  await tape.append(task("a"), task("b"), task("c"), end("b"));
  const early = await readSession(tape);
  assertEquals(await open(), ["a", "c"]);
  await tape.append(end("a"), task("d"), turn(early), chatter);
  assertEquals(await open(), ["c", "d"]);
  await tape.append(turn(await readSession(tape)), eventEntry("steering.read", { ids: ["d"] }));
  assertEquals(await open(), ["c"]);
});
