import { HOOK_NAMES } from "../../lib/hook/hooks.ts";
import { pluginApi } from "../../lib/plugin/api.ts";
import { loadPlugins } from "../../lib/plugin/load.ts";
import { z } from "zod";
import { assert, assertEquals } from "../assert.ts";
import { partsOf, PluginFolder } from "../plugin/workbench.ts";

const page = await Deno.readTextFile(new URL("../../docs/plugins.md", import.meta.url));

Deno.test("H1 H2 docs/plugins.md has every hook and every member of the API", () => {
  for (const hook of HOOK_NAMES) assert(page.includes(`\`${hook}(`), hook);
  for (const member of Object.keys(pluginApi(z))) {
    assert(page.includes(`| \`${member}`), member);
  }
});

Deno.test("H1 the first plugin of docs/plugins.md works as it stands", async () => {
  await using folder = await PluginFolder.make();
  const source = /^```ts\n(\/\/ dice\.ts\n.*?)^```/ms.exec(page)?.[1];
  assert(source !== undefined);
  const [report] = await loadPlugins([await folder.write(source)], { tools: [] });
  assertEquals(partsOf(report).tools?.map(({ name }) => name), ["dice.roll"]);
});
