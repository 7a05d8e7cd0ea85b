import type { MediaStore } from "../../lib/tape/media.ts";
import { assert, assertEquals, assertNotEquals } from "../assert.ts";

/** A new, empty store that goes away with what it made. */
export interface OpenedMediaStore extends AsyncDisposable {
  readonly store: MediaStore;
}

/** Media of a few bytes. */
export function sampleMedia(text: string, label = "a sample") {
  return { mediaType: "image/png", data: new TextEncoder().encode(text), label };
}

/** What every media store must do. */
export function testMediaStore(name: string, open: () => Promise<OpenedMediaStore>): void {
  const test = (sentence: string, run: (store: MediaStore) => Promise<void>) =>
    Deno.test(`TP12 ${name} ${sentence}`, async () => {
      await using opened = await open();
      await run(opened.store);
    });

  test("put() names bytes by their SHA-256 and get() gives them back", async (store) => {
    const reference = await store.put(sampleMedia("abc", "image/png, 3 bytes, a.png"));
    assertEquals(reference, {
      type: "media",
      media_type: "image/png",
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      size: 3,
      label: "image/png, 3 bytes, a.png",
    });
    assertEquals(await store.get(reference), new TextEncoder().encode("abc"));
  });

  test("put() of the same bytes twice, also at once, gives one digest", async (store) => {
    const [one, two] = await Promise.all([
      store.put(sampleMedia("same", "one")),
      store.put(sampleMedia("same", "two")),
    ]);
    assertEquals([one.label, two.label], ["one", "two"]);
    assertEquals(one.sha256, two.sha256);
    assertNotEquals((await store.put(sampleMedia("other"))).sha256, one.sha256);
    assertEquals(await store.get(two), new TextEncoder().encode("same"));
  });

  test("get() of what was never put is null", async (store) => {
    const reference = await store.put(sampleMedia("abc"));
    assertEquals(await store.get({ ...reference, sha256: "0".repeat(64) }), null);
  });

  test("put() keeps its own copy, and so does get()", async (store) => {
    const media = sampleMedia("abc");
    const reference = await store.put(media);
    media.data.fill(0);
    (await store.get(reference))?.fill(0);
    assertEquals(await store.get(reference), new TextEncoder().encode("abc"));
  });

  test("hold() can be taken several times at once", async (store) => {
    using one = await store.hold();
    using two = await store.hold();
    assert(one !== two);
    assertEquals((await store.put(sampleMedia("held"))).size, 4);
  });
}
