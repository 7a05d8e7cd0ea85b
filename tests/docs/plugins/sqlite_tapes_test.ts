import { messageEntry } from "../../../lib/tape/entry.ts";
import type { TapeStore } from "../../../lib/tape/store.ts";
import { HookRunner } from "../../../lib/hook/runner.ts";
import { loadPlugins } from "../../../lib/plugin/load.ts";
import { assert, assertEquals } from "../../assert.ts";
import { all, testTapeStore } from "../../contract/tape_store.ts";
import { TemporaryAgent } from "../../kernel/temporary_agent.ts";
import { examplePath, partsOf } from "../../plugin/workbench.ts";

/** The store as the plugin provides it for a home folder. */
async function openStore(home: string): Promise<TapeStore> {
  const [report] = await loadPlugins([examplePath("sqlite_tapes.ts")], { tools: [] });
  const { name, hooks = {} } = partsOf(report);
  const warnings: string[] = [];
  const runner = new HookRunner([{ name, hooks }], (message) => warnings.push(message));
  const store = await runner.provideTapeStore({ home, workspace: "/" });
  assertEquals(warnings, []);
  assert(store !== undefined);
  return store;
}

testTapeStore("H1 the example sqlite_tapes", async () => {
  const home = await Deno.makeTempDir();
  const store = await openStore(home);
  return {
    store,
    async [Symbol.asyncDispose]() {
      store.close();
      await Deno.remove(home, { recursive: true });
    },
  };
});

Deno.test("H1 the example sqlite_tapes lets two stores write one tape, and pages long ones", async () => {
  const home = await Deno.makeTempDir();
  const stores = [await openStore(home), await openStore(home)];
  try {
    const entry = (content: string) => messageEntry({ role: "user", content });
    const numbers = Array.from({ length: 600 }, (_, index) => index);
    for (const number of numbers) await stores[number % 2]?.append("a", [entry(`${number}`)]);
    const [store] = stores;
    assert(store !== undefined);
    const read = await all(store, "a");
    assertEquals(read.map(({ id, payload }) => [id, payload.content]), [
      ...numbers.map((number) => [number + 1, `${number}`] as [number, string]),
    ]);
    assertEquals(
      (await all(store, "a", "newest")).map(({ id }) => id),
      read.map(({ id }) => id).reverse(),
    );
    if (Deno.build.os !== "windows") {
      assertEquals(((await Deno.stat(`${home}/tapes.sqlite`)).mode ?? 0) & 0o777, 0o600);
    }
  } finally {
    for (const store of stores) store.close();
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("H2 provideTapeStore keeps the tapes of a session, which goes on in the next process", async () => {
  const plugins = [examplePath("sqlite_tapes.ts")];
  await using app = await TemporaryAgent.open([{ text: "first" }, { text: "second" }], {}, {
    flags: { plugins },
  });
  await app.run("one");
  const next = await app.another({ flags: { plugins } });
  await next.session("cli:local").run("two", { signal: new AbortController().signal });
  assertEquals(app.warnings, []);
  const { messages } = app.server.requests[1]?.body as { messages: { content: string }[] };
  assertEquals(messages.slice(1).map(({ content }) => content), ["one", "first", "two"]);
  assertEquals(await app.tape(), []);
});
