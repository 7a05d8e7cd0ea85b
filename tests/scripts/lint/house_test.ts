import house from "../../../scripts/lint/house.ts";
import { ROOT } from "../../../scripts/import_map.ts";
import { assertEquals } from "../../assert.ts";

/** The rules that `source` breaks when it stands at `path` of the repository. */
function broken(path: string, source: string): string[] {
  const file = decodeURIComponent(new URL(path, ROOT).pathname);
  return Deno.lint.runPlugin(house, file, source).map(({ id }) => id);
}

Deno.test("house/io-in-place reports Deno's input and output outside its folders", () => {
  const io = [
    'await Deno.readTextFile("a");',
    "Deno.env.get(name);",
    'Deno["stdout"].write(data);',
    "new Deno.Command(program);",
    "const { cwd } = Deno;",
    "const all = globalThis.Deno;",
    'import { readFile } from "node:fs";',
  ];
  for (const source of io) {
    assertEquals(broken("lib/kernel/turn.ts", source), ["house/io-in-place"], source);
    assertEquals(broken("tools/fs.ts", source), ["house/io-in-place"], source);
    assertEquals(broken("lib/environment/host.ts", source), [], source);
    assertEquals(broken("main.ts", source), [], source);
    assertEquals(broken("scripts/compile.ts", source), [], source);
  }
});

Deno.test("house/io-in-place leaves errors, the build and types alone", () => {
  const pure = `
    let child: Deno.ChildProcess;
    type Read = typeof Deno.readFile;
    if (Deno.build.os === "windows") throw new Deno.errors.NotFound();
  `;
  assertEquals(broken("lib/kernel/turn.ts", pure), []);
});

Deno.test("house/exit-in-main reports the end of the process anywhere but in main.ts and the helper of code mode", () => {
  for (const source of ["Deno.exit(1);", 'Deno["exit"]();', "process.exit();"]) {
    assertEquals(broken("lib/cli/run.ts", source), ["house/exit-in-main"], source);
    assertEquals(broken("tools/fs.ts", source), ["house/exit-in-main"], source);
    assertEquals(broken("lib/code/isolates.ts", source), ["house/exit-in-main"], source);
    assertEquals(broken("main.ts", source), [], source);
    assertEquals(broken("lib/code/helper_program.ts", source), [], source);
    assertEquals(broken("tests/child.ts", source), [], source);
  }
  assertEquals(broken("lib/cli/run.ts", "shell.exit();"), []);
});
