import { join } from "@std/path";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { bub } from "./spawn.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

/** A tool that waits until its own late error has been thrown. */
const LATE = `
  Promise.reject(new Error("EARLY\\nin two lines"));
  export default ({ z, defineTool }) => ({
    name: "late",
    tools: [defineTool({
      name: "late", description: "d", parameters: z.object({}),
      run: async () => {
        setTimeout(() => { throw new Error("LATE"); }, 20);
        await new Promise((resolve) => setTimeout(resolve, 100));
        return "ok";
      },
    })],
  });
`;

async function lateRun(bench: Workbench, ...flags: string[]) {
  const plugin = join(bench.root, "late.ts");
  await Deno.writeTextFile(plugin, LATE);
  const model = await bench.record({ calls: [["late", {}]] }, { text: "Done." });
  const args = ["run", "go", "--model", model, "--output", "json", "--plugin", plugin, ...flags];
  return await bub(args, { env: bench.env, cwd: bench.workspace });
}

Deno.test("P6 H1 L2 M5 an error that nobody handles is told in one line, and the turn goes on", async () => {
  await using bench = await openWorkbench();
  const { code, stdout, stderr } = await lateRun(bench);
  const { status, output, steps } = JSON.parse(stdout);
  assertEquals([code, status, output, steps], [0, "ok", "Done.", 2]);
  const told = stderr.split("\n").filter((line) => line.includes("nobody handled"));
  assertEquals(told, [
    "bub: an error that nobody handled: EARLY",
    "bub: an error that nobody handled: LATE",
  ]);
  assert(!stderr.includes("late.ts:"), stderr);
  const tapes = join(bench.root, "home", "tapes");
  const [name] = await Array.fromAsync(Deno.readDir(tapes), ({ name }) => name);
  const tape = await Deno.readTextFile(join(tapes, name ?? ""));
  assertStringIncludes(tape, '"Done."');
});

Deno.test("H1 L2 at -v an error that nobody handled comes with its stack", async () => {
  await using bench = await openWorkbench();
  const { code, stderr } = await lateRun(bench, "-v");
  assertEquals(code, 0);
  assertMatch(stderr, /nobody handled: LATE\nError: LATE\n +at .*late\.ts:8:/);
});

Deno.test("L2 H1 what a plugin prints goes to standard error, never before the JSON", async () => {
  await using bench = await openWorkbench();
  const plugin = join(bench.root, "chatty.ts");
  await Deno.writeTextFile(
    plugin,
    `console.log("loaded %d", 1);
     export default () => {
       for (const name of ["info", "debug", "dir", "table"]) console[name](name);
       return { name: "chatty", events: { result() { console.log("over"); } } };
     };`,
  );
  const model = await bench.record({ text: "Hello." });
  const args = ["run", "hi", "--model", model, "--output", "json", "--plugin", plugin];
  const options = { env: bench.env, cwd: bench.workspace };
  const run = await bub(args, options);
  assertEquals([run.code, JSON.parse(run.stdout).output], [0, "Hello."]);
  assertStringIncludes(run.stderr, "loaded 1\ninfo\ndebug\ndir\ntable\nover\n");
  const list = await bub(["plugins", "--json", "--plugin", plugin], options);
  assertEquals(JSON.parse(list.stdout)[0].name, "chatty");
});
