/** `scripts/deno.ts` in a copy of the repository's frame, so that no verdict of it is disturbed. */
import { join } from "@std/path";
import { npmImports, ROOT, STD_ADAPTERS } from "../../scripts/import_map.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { Frame } from "./frame.ts";
import { deadAddress, jsrServer } from "./jsr_server.ts";

Deno.test("npmImports() keeps npm entries, with their paths, and replaces jsr entries", () => {
  const map = npmImports({ "zod": "npm:zod@^4", "@std/path": "jsr:@std/path@^1" });
  const adapters = Object.entries(STD_ADAPTERS).map(([name, path]) => [name, `../${path}`]);
  assertEquals(map, {
    "zod": "npm:zod@^4",
    "zod/": "npm:/zod@^4/",
    ...Object.fromEntries(adapters),
  });
});

Deno.test("deno.json has no jsr entry without an adapter", async () => {
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  for (const [name, target] of Object.entries<string>(imports)) {
    if (!target.startsWith("jsr:")) continue;
    const adapted = Object.keys(STD_ADAPTERS).some((module) => `${module}/`.startsWith(`${name}/`));
    assert(adapted, `${name} comes from JSR alone`);
  }
});

Deno.test("D2 deno.ts falls back to npm where JSR refuses, says so once, remembers it", async () => {
  await using frame = await Frame.create();
  await frame.write("main.ts", 'import { join } from "@std/path"; console.log(join("a", "b"));');
  const first = await frame.deno(["run", "main.ts"], { JSR_URL: deadAddress() });
  assertEquals([first.code, first.stdout], [0, `${join("a", "b")}\n`]);
  assertMatch(first.stderr, /^@std comes from npm: JSR cannot be used here \(.+\)\n$/);
  const verdict = JSON.parse(await frame.read(".deno/registry.json"));
  assertEquals(verdict.registry, "npm");

  await frame.write(".deno/registry.json", JSON.stringify({ ...verdict, reason: "told before" }));
  const second = await frame.deno(["run", "main.ts"]);
  assertEquals(second.stderr, "@std comes from npm: told before\n");

  const elsewhere = { DENO_DIR: join(frame.folder, ".cache2"), JSR_URL: deadAddress() };
  const third = await frame.deno(["run", "main.ts"], elsewhere);
  assertMatch(third.stderr, /JSR cannot be used here/);
});

Deno.test("deno.ts gives a registry that does not answer one second", async () => {
  await using frame = await Frame.create();
  using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${silent.addr.port}/`;
  await frame.write("main.ts", 'import "@std/jsonc";');
  const started = performance.now();
  const { code, stderr } = await frame.deno(["run", "main.ts"], { JSR_URL: url });
  assertEquals(code, 0, stderr);
  assertStringIncludes(stderr, "no answer within 1000 ms");
  assert(performance.now() - started < 10_000);
});

Deno.test("deno.ts uses JSR where it answers, and does not speak of it", async () => {
  await using frame = await Frame.create();
  await using server = jsrServer();
  await frame.write("main.ts", 'import { parse } from "@std/jsonc"; console.log(parse("1"));');
  const { code, stdout, stderr } = await frame.deno(["run", "-q", "main.ts"], {
    JSR_URL: server.url,
  });
  assertEquals([code, stdout, stderr], [0, "from jsr 1\n", ""]);
});

Deno.test("BUB_REGISTRY forces a registry, and anything else is refused with exit code 2", async () => {
  await using frame = await Frame.create();
  await frame.write("main.ts", 'import "@std/jsonc";');
  const npm = await frame.deno(["run", "main.ts"], { BUB_REGISTRY: "npm" });
  assertEquals([npm.code, npm.stderr], [0, "@std comes from npm: BUB_REGISTRY=npm\n"]);
  const jsr = await frame.deno(["run", "main.ts"], {
    BUB_REGISTRY: "jsr",
    JSR_URL: deadAddress(),
  });
  assertEquals(jsr.code, 1);
  assertStringIncludes(jsr.stderr, "@std/jsonc");
  const other = await frame.deno(["run", "main.ts"], { BUB_REGISTRY: "yarn" });
  assertEquals([other.code, other.stderr], [
    2,
    'error: BUB_REGISTRY is "yarn"; it takes jsr or npm\n',
  ]);
});

Deno.test("deno.ts passes arguments, input, both outputs and the exit code through", async () => {
  await using frame = await Frame.create();
  await frame.write(
    "main.ts",
    `const input = await new Response(Deno.stdin.readable).text();
     console.log(JSON.stringify([Deno.args, input]));
     console.error("to stderr");
     Deno.exit(7);`,
  );
  const args = ["run", "main.ts", "", "a b", "--import-map=x", "--", "ü"];
  const result = await frame.deno(args, { BUB_REGISTRY: "npm", BUB_REGISTRY_ANNOUNCED: "1" }, "in");
  assertEquals([result.code, result.stderr], [7, "to stderr\n"]);
  assertEquals(JSON.parse(result.stdout), [["", "a b", "--import-map=x", "--", "ü"], "in"]);
});

Deno.test("deno.ts announces the fallback once however commands nest", async () => {
  await using frame = await Frame.create();
  await frame.write(
    "main.ts",
    `import "@std/jsonc";
     if (Deno.args.length > 0) Deno.exit(0);
     const args = ["run", "-A", "scripts/deno.ts", "run", "main.ts", "inner"];
     await new Deno.Command(Deno.execPath(), { args }).spawn().status;`,
  );
  const { code, stderr } = await frame.deno(["run", "-A", "main.ts"], { BUB_REGISTRY: "npm" });
  assertEquals([code, stderr], [0, "@std comes from npm: BUB_REGISTRY=npm\n"]);
});

Deno.test({
  name: "deno.ts hands signals on and ends with the exit code of what it ran",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using frame = await Frame.create();
    await frame.write(
      "main.ts",
      `for (const name of ["SIGINT", "SIGTERM"]) {
         Deno.addSignalListener(name, () => Deno.exit(name === "SIGINT" ? 41 : 42));
       }
       console.log("ready");
       setInterval(() => {}, 1000);`,
    );
    for (const [signal, expected] of [["SIGINT", 41], ["SIGTERM", 42]] as const) {
      await using child = frame.spawn(["run", "main.ts"], { BUB_REGISTRY: "npm" });
      await firstOutput(child);
      child.kill(signal);
      assertEquals((await child.status).code, expected);
    }
  },
});

/** Resolves when a child has printed something, and takes no more of its output. */
async function firstOutput(child: Deno.ChildProcess): Promise<void> {
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
}
