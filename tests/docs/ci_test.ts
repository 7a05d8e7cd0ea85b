import { join } from "@std/path";
import { exitCode } from "../../lib/cli/exit_code.ts";
import { TURN_STATUSES, type TurnResult, type TurnStatus } from "../../lib/event.ts";
import { NO_USAGE } from "../../lib/model/usage.ts";
import { ROOT } from "../../scripts/import_map.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { bubCommand, bubEnv } from "../cli/spawn.ts";
import { openWorkbench, type Workbench } from "../cli/workbench.ts";
import { which } from "../scripts/bare_machine.ts";
import { blocks, codes, sections } from "./markdown.ts";

const page = await Deno.readTextFile(new URL("docs/ci.md", ROOT));
const windows = Deno.build.os === "windows";
/** The lines of shell that the page shows under a title. */
function shown(title: string): string[] {
  const [, after = ""] = page.split(`\n## ${title}\n`);
  const [section = ""] = after.split("\n## ");
  const found = blocks(section).filter(({ language }) => language === "sh");
  assert(found.length > 0, `${title} shows nothing`);
  return found.map(({ text }) => text);
}

/** Runs lines of the page as CI would, with `bub` on the PATH and the model in BUB_MODEL. */
async function follow(bench: Workbench, model: string, script: string) {
  const programs = join(bench.root, "programs");
  await Deno.mkdir(programs, { recursive: true });
  const command = (await bubCommand([])).map((word) => `'${word}'`).join(" ");
  await Deno.writeTextFile(join(programs, "bub"), `#!/bin/sh\nexec ${command} "$@"\n`, {
    mode: 0o755,
  });
  const env = await bubEnv({ ...bench.env, BUB_MODEL: model, HOME: bench.root });
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-e", "-c", script],
    clearEnv: true,
    env: { ...env, PATH: `${programs}:${env.PATH}` },
    cwd: bench.workspace,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Two commits in the workspace: origin/main, and a change to it. */
const REPOSITORY = `git init -q -b main
git config user.email a@example.com
git config user.name a
echo one >a.txt
git add .
git commit -q -m one
git update-ref refs/remotes/origin/main HEAD
echo two >a.txt
git commit -q -a -m two
`;

Deno.test({
  name: "L2 ci.md: the review reads the change from standard input and leaves its answer in a file",
  ignore: windows,
  async fn() {
    await using bench = await openWorkbench();
    const model = await bench.record(
      { calls: [["fs_read", { path: "a.txt" }], ["bash", { command: "touch changed" }]] },
      { text: "No faults." },
    );
    const [script = ""] = shown("Review a change");
    const { code, stdout, stderr } = await follow(bench, model, REPOSITORY + script);
    assertEquals([code, stdout], [0, ""], stderr);
    assertEquals(await read(bench, "review.md"), "No faults.\n");
    assertMatch(stderr, /^fs\.read path=a\.txt {2}ok, /m);
    assertEquals(await read(bench, "changed"), undefined, "the model had more than fs.read");
    const tape = await tapeText(bench);
    assertStringIncludes(tape, "Review this change.");
    assertStringIncludes(tape, "-one\\n+two");
  },
});

Deno.test({
  name: "L2 ci.md: the failing test is mended, checked, and the patch is there",
  ignore: windows,
  async fn() {
    await using bench = await openWorkbench();
    const model = await bench.record(
      { calls: [["bash", { command: "sh test.sh" }]] },
      { calls: [["fs_edit", { path: "a.txt", old: "two", new: "three" }]] },
      { text: "Mended." },
    );
    const [script = ""] = shown("Mend a failing test");
    const prepared = `${REPOSITORY}echo 'grep -q three a.txt' >test.sh\n`;
    const mended = await follow(bench, model, prepared + script);
    assertEquals([mended.code, mended.stdout], [0, "Mended.\n"], mended.stderr);
    assertStringIncludes(await read(bench, "mended.patch") ?? "", "-two\n+three\n");
    const idle = await follow(bench, "replay:nowhere", script);
    assertEquals([idle.code, idle.stdout], [0, ""], "a test that passes needs no model");
    const lazy = await follow(
      bench,
      await bench.record({ text: "Done." }),
      `echo x >a.txt\n${script}`,
    );
    assertEquals([lazy.code, lazy.stdout], [1, "Done.\n"], "the test is what decides");
  },
});

Deno.test({
  name: "L2 ci.md: the fields of the JSON object go to jq",
  ignore: windows || await which("jq") === undefined,
  async fn() {
    await using bench = await openWorkbench();
    const model = await bench.record({ text: "MIT" });
    const [script = ""] = shown("One result for a script");
    const { code, stdout, stderr } = await follow(bench, model, script);
    assertEquals(code, 0, stderr);
    assertMatch(stdout, /^licence: MIT, for \d+ tokens\n$/);
    const failed = await follow(bench, "replay:nowhere.jsonl", script);
    assert(failed.code !== 0 && failed.stdout === "", failed.stdout);
  },
});

Deno.test({
  name: "L3 ci.md: the exit codes are those of the program, and the example tells them apart",
  ignore: windows,
  async fn() {
    const rows = sections(page).find(({ title }) => title === "Exit codes")?.rows ?? [];
    const result = { session_id: "", output: "", steps: 0, usage: NO_USAGE, tasks: [] };
    const codeOf = (status: TurnStatus, error: TurnResult["error"] = null) =>
      exitCode({ ...result, status, error }, undefined);
    const numbers = [
      ...TURN_STATUSES.map((status) => codeOf(status)),
      codeOf("error", { kind: "config", message: "" }),
    ];
    const all = new Set(numbers.map((code) => code > 128 ? "128 + N" : String(code)));
    assertEquals(new Set(rows.map(({ code = "" }) => code)), all);

    await using bench = await openWorkbench();
    const [script = ""] = shown("Exit codes");
    const done = await follow(bench, await bench.record({ text: "Short." }), script);
    assertEquals([done.code, done.stdout], [0, "Short.\n"], done.stderr);
    const broken = await bench.record({ calls: [["fs_read", { path: "no" }]] });
    const failed = await follow(bench, broken, script);
    assertEquals([failed.code, failed.stdout], [0, ""], failed.stderr);
    assertStringIncludes(failed.stderr, "no summary this time (exit code 1)");
    const slow = await bench.record({ calls: [["bash", { command: "sleep 30" }]] });
    const late = await follow(bench, slow, script.replace("--timeout 300", "--timeout 0.2"));
    assertEquals([late.code, late.stdout], [0, ""], late.stderr);
    assertStringIncludes(late.stderr, "no summary this time (exit code 124)");
    const killed = await bench.record({ calls: [["bash", { command: "kill $PPID; sleep 30" }]] });
    const ended = await follow(bench, killed, script);
    assertEquals([ended.code, ended.stdout], [143, ""], ended.stderr);
    const usage = await follow(bench, "nobody:x", script);
    assertEquals([usage.code, usage.stdout], [2, ""], usage.stderr);
  },
});

Deno.test({
  name: "M2 ci.md: what --record keeps is played back without the model",
  ignore: windows,
  async fn() {
    await using bench = await openWorkbench();
    const call = { calls: [["bash", { command: "echo x >>log" }]] } as const;
    const model = await bench.record(call, { text: "Two." });
    const [record = "", replay = ""] = shown("Runs that cost nothing");
    const first = await follow(bench, model, record);
    assertEquals([first.code, first.stdout], [0, "Two.\n"], first.stderr);
    const again = await follow(bench, "nobody:x", replay);
    assertEquals([again.code, again.stdout], [0, "Two.\n"], again.stderr);
    assertEquals(await read(bench, "log"), "x\nx\n");
  },
});

Deno.test("D1 ci.md has the variables of the install scripts, and no others", async () => {
  const rows = sections(page).find(({ title }) => title === "Getting it")?.rows ?? [];
  const names = rows.flatMap(({ variable = "" }) => codes(variable)).sort();
  for (const script of ["install.sh", "install.ps1"]) {
    const text = await Deno.readTextFile(new URL(`scripts/${script}`, ROOT));
    const known = text.matchAll(/^# (BUB_\w+) /gm).map(([, name = ""]) => name).toArray();
    assertEquals(known.sort(), names, script);
    // Each is read, and no other: in the one as $BUB_X or ${BUB_X…}, in the other as $env:BUB_X.
    const used = text.matchAll(/\$(?:\{|env:)?(BUB_\w+)/g).map(([, name = ""]) => name);
    assertEquals([...new Set(used)].sort(), names, script);
  }
});

async function read(bench: Workbench, name: string): Promise<string | undefined> {
  return await Deno.readTextFile(join(bench.workspace, name)).catch(() => undefined);
}

/** All that the tapes hold. */
async function tapeText(bench: Workbench): Promise<string> {
  const folder = join(bench.root, "home", "tapes");
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  const tapes = names.filter((name) => name.endsWith(".jsonl"));
  return (await Promise.all(tapes.map((name) => Deno.readTextFile(join(folder, name))))).join("");
}
