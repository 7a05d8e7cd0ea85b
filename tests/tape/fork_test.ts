import { assertEquals, assertRejects } from "../assert.ts";
import { all } from "../contract/tape_store.ts";
import { BubError } from "../../lib/errors.ts";
import { eventEntry, messageEntry } from "../../lib/tape/entry.ts";
import { forkTape } from "../../lib/tape/fork.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import { Tape } from "../../lib/tape/tape.ts";

const user = (content: string) => messageEntry({ role: "user", content });

/** A store that refuses to append to one tape. */
class RefusingStore extends MemoryTapeStore {
  refused = "";

  override append(...args: Parameters<MemoryTapeStore["append"]>) {
    if (args[0] !== this.refused) return super.append(...args);
    return Promise.reject(new BubError("storage", `no room for ${args[0]}`));
  }
}

async function forked() {
  const store = new RefusingStore();
  const tape = new Tape(store, "t");
  await tape.append(user("one"));
  await tape.sidecar("spill").append(eventEntry("chunk 1"));
  const fork = await forkTape(tape);
  await fork.tape.append(user("two"));
  await fork.tape.sidecar("spill").append(eventEntry("chunk 2"));
  await fork.tape.sidecar("notes").append(eventEntry("note"));
  return { store, tape, fork };
}

const names = async (tape: Tape) =>
  (await all(tape.store, tape.name)).map(({ payload }) => payload.content ?? payload.name);

Deno.test("TP10 sidecars fork with their main tape, and a dropped fork leaves no trace", async () => {
  const { tape, fork, store } = await forked();
  assertEquals(await names(fork.tape), ["session/start", "one", "two"]);
  assertEquals(await names(fork.tape.sidecar("spill")), ["session/start", "chunk 1", "chunk 2"]);
  assertEquals((await fork.tape.context()).map(({ content }) => content), ["one", "two"]);
  assertEquals(await names(tape), ["session/start", "one"]);
  assertEquals((await store.list()).map(({ name }) => name), ["t", "t__sidecar__spill"]);
});

Deno.test("TP10 sidecars merge with their main tape", async () => {
  const { tape, fork } = await forked();
  await fork.merge();
  assertEquals(await names(tape), ["session/start", "one", "two"]);
  assertEquals(await names(tape.sidecar("spill")), ["session/start", "chunk 1", "chunk 2"]);
  assertEquals(await names(tape.sidecar("notes")), ["session/start", "note"]);
});

Deno.test("TP10 a sidecar that cannot be merged is recorded and does not stop the main tape", async () => {
  const { tape, fork, store } = await forked();
  store.refused = "t__sidecar__notes";
  await fork.merge();
  assertEquals(await names(tape), ["session/start", "one", "two", "sidecar.error"]);
  assertEquals((await all(store, "t")).at(-1)?.payload.data, {
    sidecar: "notes",
    operation: "merge",
    message: "no room for t__sidecar__notes",
  });
  assertEquals(await names(tape.sidecar("spill")), ["session/start", "chunk 1", "chunk 2"]);
});

Deno.test("TP10 when the main tape cannot be merged nothing is", async () => {
  const { tape, fork, store } = await forked();
  store.refused = "t";
  await assertRejects(() => fork.merge(), BubError, "no room for t");
  assertEquals(await names(tape.sidecar("spill")), ["session/start", "chunk 1"]);
  store.refused = "";
  await fork.merge();
  assertEquals(await names(tape), ["session/start", "one", "two"]);
});
