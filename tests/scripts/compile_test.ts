import { fromFileUrl, join } from "@std/path";
import { FILE_DATE } from "../../scripts/compile/stage.ts";
import { targetOf, TARGETS } from "../../scripts/compile/target.ts";
import { ROOT } from "../../scripts/import_map.ts";
import { chooseRegistry } from "../../scripts/registry.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { bubEnv } from "../cli/spawn.ts";
import { Embedded } from "./embedded.ts";
import { Frame } from "./frame.ts";
import { deadAddress } from "./jsr_server.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";

Deno.test("D1 compile bakes the permission set of deno.json, no FFI and no prompt", async () => {
  await using checkout = await checkOut();
  const { name, program, sums, stderr } = await compileIn(checkout);
  assertMatch(stderr, /it was not started\.\n$/);
  const { metadata } = new Embedded(program);
  assertEquals(metadata.entrypoint_key, "main.ts");
  assertEquals(grants(metadata.permissions), await configured());
  assertEquals(metadata.permissions.allow_ffi, null);
  assertEquals(metadata.permissions.prompt, false);
  assertEquals(metadata.unstable_config.features, ["worker-options"]);
  assertEquals(metadata.app_name, "bub");
  const digest = await crypto.subtle.digest("SHA-256", program);
  assertEquals(sums, `${new Uint8Array(digest).toHex()}  ${name}\n`);
});

Deno.test("D1 L1 compile embeds all of lib and tools, packages, the commit, and nothing else", async () => {
  await using checkout = await checkOut();
  for (const decoy of ["tests/a_test.ts", "docs/a.md", ".env", "dist/bub", "scripts/a.sh"]) {
    await checkout.write(decoy, "decoy");
  }
  const embedded = new Embedded((await compileIn(checkout)).program);
  const { registry } = await chooseRegistry();
  const expected = [
    ".deno/commit.txt",
    ".deno/licences.txt",
    "deno.json",
    "main.ts",
    ...await listFiles("lib"),
    ...await listFiles("tools"),
    ...registry === "npm" ? await listFiles("scripts/npm_std") : [],
  ];
  assertEquals(embedded.ownFiles, expected.sort());
  assertEquals(embedded.text(".deno/commit.txt"), `${COMMIT.slice(0, 12)}\n`);

  const packages = await lockedPackages();
  const found = embedded.packageFiles.map((path) =>
    packages.find((name) => path.startsWith(`${name}/`)) ?? path
  );
  assertEquals([...new Set(found)].sort(), packages);
  const licences = embedded.text(".deno/licences.txt");
  for (const name of packages) {
    assertStringIncludes(licences, `${name.replace(/\/(?=[^/]+$)/, " ")}: `);
  }
  assertStringIncludes(licences, "Permission is hereby granted");
});

Deno.test("D1 the same source gives the same bytes: in another folder, at another time, without paths", async () => {
  await using one = await checkOut();
  await using other = await checkOut(one);
  const { DENO_DIR } = await bubEnv();
  const first = await compileIn(one);
  for (const path of ["main.ts", "lib/app.ts", "tools/mod.ts"]) {
    await Deno.utime(join(other.folder, path), 1e9, 1e9);
  }
  const second = await compileIn(other);
  assertEquals(first.sums, second.sums);
  const folders = [one.folder, other.folder, DENO_DIR];
  const embedded = first.program.subarray((await Deno.stat(STAND_IN.DENORT_BIN)).size);
  const text = new TextDecoder("latin1").decode(embedded);
  assert(text.includes('"n":"main.ts"'), "the folders are not in this part");
  for (const folder of folders) assert(!text.includes(folder), folder);
});

Deno.test("D1 compile bakes narrower permissions where its flags name some", async () => {
  await using checkout = await checkOut();
  const { program } = await compileIn(checkout, ["--", "--no-check", "--allow-read=."]);
  const { permissions } = new Embedded(program).metadata;
  assertEquals([permissions.allow_read, permissions.prompt], [["."], false]);
  assertEquals(grants(permissions), ["read"]);
});

Deno.test("D1 compile says so where denort cannot be had, without a backtrace: exit code 3", async () => {
  await using frame = await Frame.create();
  for (const path of ["deno.lock", "lib/version.ts"]) {
    await frame.write(path, await Deno.readTextFile(new URL(path, ROOT)));
  }
  await frame.write("main.ts", "");
  await frame.write("tools/mod.ts", "");
  const closed = { HTTPS_PROXY: deadAddress(), BUB_REGISTRY: "npm", RUST_BACKTRACE: "1" };
  const { code, stderr } = await frame.deno([...SCRIPT, "--", "--no-check"], closed);
  assertEquals(code, 3);
  assert(!stderr.includes("backtrace"), stderr);
  assertMatch(
    stderr,
    /\nerror: "deno compile" could not download denort, .+ DENORT_BIN names .+\n$/,
  );
});

Deno.test("D1 compile dates the packages in Deno's cache as it does the source", async () => {
  await using frame = await Frame.create();
  for (const path of ["deno.lock", "lib/version.ts"]) {
    await frame.write(path, await Deno.readTextFile(new URL(path, ROOT)));
  }
  await frame.write("main.ts", "");
  await frame.write("tools/mod.ts", "");
  const names = await lockedPackages();
  const files = names.map((name) => `.cache/npm/registry/${name}/package.json`);
  for (const file of files) await frame.write(file, "{}");
  // These are empty, and others cannot be had: whether the rest goes well is no matter here.
  await frame.deno([...SCRIPT, "--", "--no-check"], {
    ...STAND_IN,
    BUB_REGISTRY: "npm",
    HTTPS_PROXY: deadAddress(),
  });
  for (const file of files) {
    assertEquals((await Deno.stat(join(frame.folder, file))).mtime, FILE_DATE, file);
  }
});

Deno.test("compile takes no other arguments: exit code 2", async () => {
  for (const args of [["--tarjet=x"], ["word"], ["--target="], ["--folder="]]) {
    const { code, stderr } = await compile(args);
    assertEquals(code, 2);
    assertStringIncludes(stderr, `but got ${args.join(" ")}`);
  }
});

Deno.test("D1 compile takes the targets of the releases, and no base made for another", async () => {
  const unknown = await compile(["--target=riscv64gc-unknown-linux-gnu"], STAND_IN);
  assertEquals(unknown.code, 2);
  for (const target of TARGETS) assertStringIncludes(unknown.stderr, target);
  const [target = ""] = TARGETS.filter((target) => target !== Deno.build.target);
  const other = await compile([`--target=${target}`], STAND_IN);
  assertEquals(other.code, 1);
  const fault = `error: the target is ${target}, but DENORT_BIN=${Deno.execPath()} is one for `;
  assertStringIncludes(other.stderr, `${fault}${Deno.build.target}\n`);
  const none = await compile([], { DENORT_BIN: fromFileUrl(new URL("main.ts", ROOT)) });
  assertEquals(none.code, 1);
  assertMatch(none.stderr, /main\.ts is no program for any target\n$/);
});

Deno.test("targetOf() tells the targets of the releases apart by the headers of their formats", () => {
  const head = (fields: readonly (readonly [offset: number, value: number])[]) => {
    const view = new DataView(new ArrayBuffer(512));
    for (const [offset, value] of fields) view.setUint32(offset, value, true);
    return new Uint8Array(view.buffer);
  };
  const elf = (machine: number) => head([[0, 0x464c457f], [18, machine]]);
  const machO = (machine: number) => head([[0, 0xfeedfacf], [4, machine]]);
  const pe = (machine: number, at = 256) =>
    head([[0, 0x905a4d], [60, at], [256, 0x4550], [260, machine]]);
  assertEquals([elf(62), elf(183), machO(0x1000007), machO(0x100000c), pe(0x8664)].map(targetOf), [
    ...TARGETS,
  ]);
  const others = [elf(3), machO(7), pe(0x14c), pe(0x8664, 0), pe(0x8664, 510), head([])];
  assertEquals(others.map(targetOf), others.map(() => undefined));
  assertEquals(targetOf(new Uint8Array()), undefined);
});

/** Lets the compile step finish where the runtime of compiled programs cannot be downloaded. */
const STAND_IN = { DENORT_BIN: Deno.execPath() };

/** What `deno task compile` gives to `scripts/deno.ts`. */
const SCRIPT = ["run", "-A", "scripts/compile.ts"];

/** What a program is compiled from, of a known commit, in a folder of its own. */
async function checkOut(from?: Frame): Promise<Frame> {
  const frame = await Frame.create();
  const read = (path: string) =>
    from === undefined ? Deno.readTextFile(new URL(path, ROOT)) : from.read(path);
  const folders = await Promise.all(["lib", "tools", "scripts"].map(listFiles));
  for (const path of ["deno.json", "deno.lock", "main.ts", ...folders.flat()]) {
    await frame.write(path, await read(path));
  }
  await frame.write(".git/HEAD", `${COMMIT}\n`);
  return frame;
}

/** Compiles for this machine, on a stand-in. */
async function compileIn(checkout: Frame, args: readonly string[] = ["--", "--no-check"]) {
  const { registry } = await chooseRegistry();
  const { DENO_DIR } = await bubEnv();
  const env = { ...STAND_IN, BUB_REGISTRY: registry, DENO_DIR };
  const { code, stderr } = await checkout.deno([...SCRIPT, ...args], env);
  assertEquals(code, 0, stderr);
  const name = `bub-${Deno.build.target}${Deno.build.os === "windows" ? ".exe" : ""}`;
  const program = await Deno.readFile(join(checkout.folder, "dist", name));
  return { name, program, stderr, sums: await checkout.read("dist/SHA256SUMS") };
}

/** Runs the script in this repository. */
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

/** The packages of npm in the lock file, as `zod/4.6.7`. */
async function lockedPackages(): Promise<string[]> {
  const { npm } = JSON.parse(await Deno.readTextFile(new URL("deno.lock", ROOT)));
  return Object.keys(npm).map((key) => key.replace(/^(.[^@]*)@([^_]+).*$/, "$1/$2")).sort();
}

/** The paths of all files in a folder of the repository and below it. */
async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
    const path = `${folder}/${name}`;
    if (isDirectory) found.push(...await listFiles(path));
    else found.push(path);
  }
  return found.sort();
}
