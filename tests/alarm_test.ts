import { alarm } from "../lib/alarm.ts";
import { assert, assertEquals } from "./assert.ts";

Deno.test("alarm() rings once, when its time has come", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const start = performance.now();
  let rang = 0;
  using _alarm = alarm(20, () => {
    rang++;
    resolve();
  });
  await promise;
  assert(performance.now() - start >= 19);
  assertEquals(rang, 1);
});

Deno.test("alarm() does not ring once it is disposed of", async () => {
  const later = Promise.withResolvers<void>();
  let rang = false;
  alarm(5, () => rang = true)[Symbol.dispose]();
  using _later = alarm(30, later.resolve);
  await later.promise;
  assertEquals(rang, false);
});

Deno.test("alarm() keeps the program from ending until it rings or is disposed of", async () => {
  const module = JSON.stringify(new URL("../lib/alarm.ts", import.meta.url).href);
  const run = async (code: string) => {
    const source = `import { alarm } from ${module}; ${code}`;
    const args = ["eval", "--no-config", "--no-lock", source];
    const output = await new Deno.Command(Deno.execPath(), { args }).output();
    return new TextDecoder().decode(output.stdout);
  };
  assertEquals(await run(`alarm(50, () => console.log("rang"));`), "rang\n");
  const start = performance.now();
  assertEquals(await run(`alarm(60_000, () => {})[Symbol.dispose]();`), "");
  assert(performance.now() - start < 30_000);
});
