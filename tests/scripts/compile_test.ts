import { join } from "@std/path";
import { ROOT } from "../../scripts/import_map.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { readEmbedded } from "./embedded.ts";
import { Frame } from "./frame.ts";
import { deadAddress } from "./jsr_server.ts";

Deno.test("D1 compile bakes the permission set of deno.json, no FFI and no prompt", async () => {
  await using folder = await temporaryFolder();
  const { code, stderr } = await compile(["--folder", folder.path, "--", "--no-check"], STAND_IN);
  assertEquals(code, 0, stderr);
  assertMatch(stderr, /it was not started\.\n$/);

  const name = `bub-${Deno.build.target}${Deno.build.os === "windows" ? ".exe" : ""}`;
  const program = await Deno.readFile(join(folder.path, name));
  const { metadata, fileNames } = readEmbedded(program);
  assertEquals(metadata.entrypoint_key, "main.ts");
  assertEquals(grants(metadata.permissions), await configured());
  assertEquals(metadata.permissions.allow_ffi, null);
  assertEquals(metadata.permissions.prompt, false);
  assertEquals(metadata.unstable_config.features, ["worker-options"]);
  for (const file of ["main.ts", "commit.txt", "cli.ts", "run.ts", "app.ts", "mod.ts", "demo.ts"]) {
    assert(fileNames.has(file), file);
  }
  for (const file of ["plugged.ts", "commands.ts", "search.ts", "fuse.mjs", "js-yaml.mjs"]) {
    assert(fileNames.has(file), `${file}, which is loaded when it is needed`);
  }
  for (const file of ["helper_program.ts", "main.mts", "lockdown.mts", "render.mts"]) {
    assert(fileNames.has(file), `${file}, which a process of code mode loads`);
  }
  assert(fileNames.has("recording.jsonl"), "what the demo replays");
  assert(fileNames.has("SKILL.md"), "the built-in skill");

  const digest = await crypto.subtle.digest("SHA-256", program);
  const sum = `${new Uint8Array(digest).toHex()}  ${name}\n`;
  assertEquals(await Deno.readTextFile(join(folder.path, "SHA256SUMS")), sum);
});

Deno.test("D1 compile bakes narrower permissions where its flags name some", async () => {
  await using folder = await temporaryFolder();
  const flags = ["--folder", folder.path, "--", "--no-check", "--allow-read=."];
  const { code, stderr } = await compile(flags, STAND_IN);
  assertEquals(code, 0, stderr);
  const [program] = (await Array.fromAsync(Deno.readDir(folder.path)))
    .filter(({ name }) => name.startsWith("bub-"));
  assert(program !== undefined);
  const { permissions } = readEmbedded(await Deno.readFile(join(folder.path, program.name)))
    .metadata;
  assertEquals([permissions.allow_read, permissions.prompt], [["."], false]);
  assertEquals(grants(permissions), ["read"]);
});

Deno.test("compile says so where denort cannot be had, and ends with exit code 1", async () => {
  await using frame = await Frame.create();
  for (const path of ["deno.lock", "lib/version.ts"]) {
    await frame.write(path, await Deno.readTextFile(new URL(path, ROOT)));
  }
  await frame.write("main.ts", "");
  await frame.write("tools/mod.ts", "");
  const closed = { HTTPS_PROXY: deadAddress(), BUB_REGISTRY: "npm" };
  const { code, stderr } = await frame.deno([...SCRIPT, "--", "--no-check"], closed);
  assertEquals(code, 1);
  assertMatch(
    stderr,
    /\nerror: "deno compile" could not download denort, .+ DENORT_BIN names .+\n$/,
  );
});

Deno.test("compile takes no other arguments: exit code 2", async () => {
  for (const args of [["--tarjet=x"], ["word"], ["--target="], ["--folder="]]) {
    const { code, stderr } = await compile(args);
    assertEquals(code, 2);
    assertStringIncludes(stderr, `but got ${args.join(" ")}`);
  }
});

/** Lets the compile step finish where the runtime of compiled programs cannot be downloaded. */
const STAND_IN = { DENORT_BIN: Deno.execPath() };

/** What `deno task compile` gives to `scripts/deno.ts`. */
const SCRIPT = ["run", "-A", "scripts/compile.ts"];

async function compile(args: readonly string[], env: Record<string, string> = {}) {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "scripts/deno.ts", ...SCRIPT, ...args],
    cwd: ROOT,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

/** The kinds of access that are granted; importing from a few well-known hosts always is. */
function grants(permissions: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(permissions)
    .filter((key) => key.startsWith("allow_") && permissions[key] !== null)
    .map((key) => key.slice("allow_".length))
    .filter((kind) => kind !== "import")
    .sort();
}

async function configured(): Promise<string[]> {
  const { permissions } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  return Object.keys(permissions.bub).sort();
}

async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
