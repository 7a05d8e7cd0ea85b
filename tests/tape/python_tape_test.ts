import { join } from "@std/path";
import { assert, assertEquals } from "../assert.ts";
import { all } from "../contract/tape_store.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { ChatMessage } from "../../lib/model/model.ts";
import { messageEntry } from "../../lib/tape/entry.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { Tape } from "../../lib/tape/tape.ts";
import { temporaryFolder } from "./temporary_folder.ts";

/** Written by Python Bub, with what Python makes of it beside it. */
const FIXTURE = new URL("../fixtures/python_bub/", import.meta.url);
const NAME = "0123456789abcdef__fedcba9876543210";

async function copiedTape(folder: string): Promise<Tape> {
  await Deno.copyFile(new URL(`${NAME}.jsonl`, FIXTURE), join(folder, `${NAME}.jsonl`));
  return new Tape(new FileTapeStore(folder), NAME);
}

async function expected(): Promise<Record<string, unknown>> {
  return JSON.parse(await Deno.readTextFile(new URL("expected.json", FIXTURE)));
}

Deno.test("TP1 TP5 a tape of Python Bub gives the contexts that Python makes of it", async () => {
  await using folder = await temporaryFolder();
  const tape = await copiedTape(folder.path);
  const { default_context, anchor_none } = await expected();
  assertEquals(comparable(await tape.context()), comparable(default_context));
  assertEquals(comparable(await tape.context(null)), comparable(anchor_none));
});

Deno.test("TP1 a tape of Python Bub goes on with the next id, its own bytes untouched", async () => {
  await using folder = await temporaryFolder();
  const tape = await copiedTape(folder.path);
  const before = await Deno.readTextFile(join(folder.path, `${NAME}.jsonl`));
  const [entry] = await tape.append(messageEntry({ role: "user", content: "Größe ✓" }));
  assertEquals(entry?.id, 22);
  const after = await Deno.readTextFile(join(folder.path, `${NAME}.jsonl`));
  assert(after.startsWith(before));
  const line = after.slice(before.length);
  assertEquals(Object.keys(JSON.parse(line)), ["id", "kind", "payload", "meta", "date"]);
  assertEquals(
    (await all(tape.store, NAME)).map(({ id }) => id),
    [...Array(22).keys()].map((n) => n + 1),
  );
  tape.store.close();
});

/** Without the spacing of JSON inside texts, which is free. */
function comparable(messages: unknown): unknown[] {
  assert(Array.isArray(messages));
  return messages.map((message: ChatMessage) => ({
    ...message,
    content: typeof message.content === "string" ? unspaced(message.content) : message.content,
  }));
}

function unspaced(text: string): string {
  const start = text.indexOf("{");
  if (start < 0) return text;
  const value: unknown = JSON.parse(text.slice(start));
  assert(isJsonObject(value));
  return text.slice(0, start) + JSON.stringify(value);
}
