import { join } from "@std/path";
import { assertEquals, assertStringIncludes } from "../assert.ts";
import { tapeName } from "../../lib/tape/name.ts";
import { TemporaryAgent } from "./temporary_agent.ts";

Deno.test("B43 M5 a step that cannot be recorded ends the turn with a storage error; later turns work", async () => {
  await using app = await TemporaryAgent.open(async (_request, n) => {
    // The model has been asked: from now on nothing can be written.
    if (n === 1) await block();
    return { text: `answer ${n}` };
  });
  const path = join(app.home, "tapes", `${tapeName(app.workspace, "cli:local")}.jsonl`);
  const block = async () => {
    await Deno.rename(path, `${path}.aside`);
    await Deno.mkdir(path);
  };
  await app.run("first");
  const failed = await app.run("second");
  assertEquals([failed.status, failed.error?.kind], ["error", "storage"]);
  assertStringIncludes(failed.error?.message ?? "", "cannot be written");
  await Deno.remove(path);
  await Deno.rename(`${path}.aside`, path);
  assertEquals((await app.run("third")).output, "answer 2");
  const said = (await app.tape()).filter(({ kind }) => kind === "message");
  assertEquals(said.map(({ payload }) => payload.content), [
    "first",
    "answer 0",
    "third",
    "answer 2",
  ]);
  const starts = (await app.tape()).filter(({ payload }) => payload.name === "loop.step.start");
  assertEquals(starts.length, 3);
});
