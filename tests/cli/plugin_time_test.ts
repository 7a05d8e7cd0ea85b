import { join } from "@std/path";
import { assert, assertEquals } from "../assert.ts";
import { bub } from "./spawn.ts";
import { openWorkbench } from "./workbench.ts";

/** What hangs, each in a plugin's module. */
const HANGING = [
  "await new Promise(() => {});",
  "export default () => new Promise(() => {});",
  ...["provideTapeStore", "provideSidecar", "resolveSession"].map((hook) =>
    `export default () => ({ name: "p", hooks: { ${hook}: () => new Promise(() => {}) } });`
  ),
];

for (const source of HANGING) {
  Deno.test(`L2 H1 --timeout bounds a plugin that hangs: ${source}`, async () => {
    await using bench = await openWorkbench();
    const plugin = join(bench.root, "hangs.ts");
    await Deno.writeTextFile(plugin, source);
    const model = await bench.record({ text: "Hello." });
    const args = ["run", "hi", "--model", model, "--output", "json", "--plugin", plugin];
    const started = performance.now();
    const { code, stdout } = await bub([...args, "--timeout", "1"], {
      env: bench.env,
      cwd: bench.workspace,
    });
    const { status, error } = JSON.parse(stdout);
    assertEquals([code, status, error.kind], [124, "timeout", "timeout"]);
    assert(performance.now() - started < 8_000, "it waited for the plugin's own limit");
  });
}
