import { MemoryMediaStore } from "../../lib/tape/memory_media_store.ts";
import { testMediaStore } from "../contract/media_store.ts";

testMediaStore("MemoryMediaStore", () =>
  Promise.resolve({
    store: new MemoryMediaStore(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }));
