import type { JsonValue } from "../../lib/json.ts";
import {
  type EntryDraft,
  messageEntry,
  toolCallEntry,
  toolResultEntry,
} from "../../lib/tape/entry.ts";
import { numberDrafts } from "../../lib/tape/line.ts";
import { isMediaReference, type MediaReference, resolveMedia } from "../../lib/tape/media.ts";
import { MemoryMediaStore } from "../../lib/tape/memory_media_store.ts";
import { selectMessages } from "../../lib/tape/select.ts";
import { assertEquals } from "../assert.ts";
import { sampleMedia } from "../contract/media_store.ts";

const PNG_PART = {
  type: "media",
  mediaType: "image/png",
  data: btoa("abc"),
  label: "a sample",
} as const;

/** The context of a step whose one result is `value`, marked as parts or not. */
async function context(store: MemoryMediaStore, value: JsonValue, ...more: EntryDraft[]) {
  const call = {
    id: "a",
    type: "function",
    function: { name: "fs_read", arguments: "{}" },
  } as const;
  const drafts = [toolCallEntry([call]), toolResultEntry([value], { parts: [0] }), ...more];
  const messages = selectMessages(await resolveMedia(numberDrafts(drafts, 1), store));
  return messages.slice(1).map(({ content }) => content);
}

Deno.test("TP12 resolveMedia() puts the bytes where results and messages refer to them", async () => {
  const store = new MemoryMediaStore();
  const reference = await store.put(sampleMedia("abc"));
  const parts = [{ type: "text", text: "look" }, reference];
  const seen = [{ type: "text", text: "look" }, PNG_PART] as const;
  assertEquals(
    await context(store, parts, messageEntry({ role: "user", content: parts })),
    [[...seen], [...seen]],
  );
});

Deno.test("TP12 the same bytes under two names keep both, and links theirs", async () => {
  const store = new MemoryMediaStore();
  const one = await store.put(sampleMedia("abc", "one.png"));
  const two = await store.put(sampleMedia("abc", "two.png"));
  const link = { type: "media", media_type: "video/mp4", url: "gs://b/a", label: "a film" };
  const [content] = await context(store, [one, two, link]);
  assertEquals(content, [
    { ...PNG_PART, label: "one.png" },
    { ...PNG_PART, label: "two.png" },
    { type: "media", mediaType: "video/mp4", url: "gs://b/a", label: "a film" },
  ]);
});

Deno.test("TP12 media whose bytes are gone become a text with their label", async () => {
  const reference = await new MemoryMediaStore().put(
    sampleMedia("abc", "image/png, 3 bytes, a.png"),
  );
  const [content] = await context(new MemoryMediaStore(), [
    { type: "text", text: "look" },
    reference,
  ]);
  assertEquals(content, [
    { type: "text", text: "look" },
    { type: "text", text: "[image/png, 3 bytes, a.png: not available]" },
  ]);
});

Deno.test("TP12 a JSON result that looks like a reference stays a JSON result", async () => {
  const store = new MemoryMediaStore();
  const reference = await store.put(sampleMedia("abc"));
  const drafts = [
    toolResultEntry([[reference]]),
    toolResultEntry([[reference], ["text"]], { parts: [1] }),
  ];
  const entries = numberDrafts(drafts, 1);
  assertEquals(await resolveMedia(entries, store), entries);
});

Deno.test("TP5 TP12 resolveMedia() reads nothing for entries outside the context, and each medium once", async () => {
  const store = new MemoryMediaStore();
  const reference = await store.put(sampleMedia("abc"));
  const read: string[] = [];
  const counting = {
    put: () => Promise.reject(new Error("not asked for")),
    hold: () => Promise.reject(new Error("not asked for")),
    get(wanted: MediaReference) {
      read.push(wanted.sha256);
      return store.get(wanted);
    },
  };
  const content = [reference, reference];
  await resolveMedia(
    numberDrafts([
      messageEntry({ role: "user", content }),
      messageEntry({ role: "user", content }),
      messageEntry({ role: "user", content: [{ ...reference, sha256: "f".repeat(64) }] }, {
        context: false,
      }),
    ], 1),
    counting,
  );
  assertEquals(read, [reference.sha256]);
});

Deno.test("TP12 isMediaReference() takes no names that could lead out of the folder", async () => {
  const reference = await new MemoryMediaStore().put(sampleMedia("abc"));
  assertEquals(isMediaReference(reference), true);
  for (const sha256 of ["../../etc/passwd", "", "A".repeat(64), `${reference.sha256}/`, 1]) {
    assertEquals(isMediaReference({ ...reference, sha256 }), false, `${sha256}`);
  }
});
