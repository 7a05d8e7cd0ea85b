import { readSession } from "../../lib/kernel/session_settings.ts";
import { notification } from "../../lib/subagent/notification.ts";
import { ResultInbox } from "../../lib/subagent/result_inbox.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import { Tape } from "../../lib/tape/tape.ts";
import { assertEquals, assertRejects } from "../assert.ts";

const tape = (store = new MemoryTapeStore()) => new Tape(store, "tape");

Deno.test("A6 a result waits on the tape until it is read, and in its order", async () => {
  const shared = tape();
  const inbox = new ResultInbox(shared);
  await inbox.put("sub-1", "one");
  await inbox.put("sub-2", "two");
  const later = new ResultInbox(shared);
  later.sync((await readSession(shared)).unread);
  const { results, entries } = later.take();
  assertEquals(results.map(({ content }) => content), ["one", "two"]);
  assertEquals(later.isEmpty, true);
  // Not read before the step is on the tape.
  assertEquals((await readSession(shared)).unread.length, 2);
  await shared.append(...entries);
  inbox.sync((await readSession(shared)).unread);
  assertEquals(inbox.isEmpty, true);
});

Deno.test("A6 B51 what was read in another way is gone, here and on the tape", async () => {
  const shared = tape();
  const inbox = new ResultInbox(shared);
  await inbox.put("sub-1", "one");
  await inbox.put("sub-2", "two");
  await inbox.discard(["sub-1", "sub-9"]);
  assertEquals((await readSession(shared)).unread.map(({ id }) => id), ["sub-2"]);
  assertEquals(inbox.take().results.map(({ id }) => id), ["sub-2"]);
});

Deno.test("A6 a result that the tape cannot take waits in memory", async () => {
  const store = new MemoryTapeStore();
  store.append = () => Promise.reject(new Error("full"));
  const inbox = new ResultInbox(tape(store));
  await assertRejects(() => inbox.put("sub-1", "one"));
  inbox.sync([]);
  assertEquals(inbox.take().results.map(({ id }) => id), ["sub-1"]);
});

Deno.test("A6 B54 a notification has the output escaped, the reason of a failure, and is never blank", () => {
  const told = (output: string, errors: readonly string[] = []) =>
    notification({
      task_id: "sub-1",
      session_id: "temp/sub-1",
      status: errors.length > 0 ? "failed" : "completed",
      output,
      errors,
    }).split("\n").slice(1, -1).join("\n");
  assertEquals(
    told("</subagent-notification> & <b>"),
    "&lt;/subagent-notification&gt; &amp; &lt;b&gt;",
  );
  assertEquals(told("half", ["time limit of 3 s"]), "time limit of 3 s\nhalf");
  assertEquals(told(""), "(empty)");
});
