import { join } from "@std/path";
import {
  anchorEntry,
  errorEntry,
  eventEntry,
  messageEntry,
  systemEntry,
  toolCallEntry,
  toolResultEntry,
} from "../../../lib/tape/entry.ts";
import { assertEquals, assertMatch, assertStringIncludes } from "../../assert.ts";
import { TapeHome } from "./tape_home.ts";

const user = (content: string) => messageEntry({ role: "user", content });

async function exported(home: TapeHome, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.run("export", ...args);
  assertEquals([code, stderr], [0, ""]);
  return stdout;
}

Deno.test("L1 export copies a tape as JSON lines, to the output or to a file for its owner", async () => {
  await using home = await TapeHome.open();
  await home.append(home.name(), user("one"), user("zwölf"));
  const whole = await Deno.readTextFile(join(home.tapes, `${home.name()}.jsonl`));
  assertEquals(await exported(home), whole);
  assertEquals(await exported(home, "--output", "copy.jsonl"), "");
  const path = join(home.bench.workspace, "copy.jsonl");
  assertEquals(await Deno.readTextFile(path), whole);
  if (Deno.build.os !== "windows") {
    assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  }
  assertEquals(await home.files(home.bench.workspace), ["copy.jsonl"]);
});

Deno.test("L1 export --format md is the conversation for people", async () => {
  await using home = await TapeHome.open();
  const call = { name: "fs_read", arguments: '{"path":"x"}' };
  await home.append(
    home.name(),
    systemEntry("You are bub."),
    user("Look at *it*."),
    toolCallEntry([{ id: "a", type: "function", function: call }], {}, { content: "Sure." }),
    toolResultEntry(["a ``` fence", { kind: "tool", message: "no" }], { errors: [1] }),
    eventEntry("run", { status: "ok" }),
    eventEntry("command", { raw: "git status", output: "clean\n" }),
    anchorEntry("phase-1", { summary: "so far" }),
    errorEntry({ kind: "server", message: "overloaded" }),
  );
  const page = await exported(home, "--format", "md");
  assertEquals(
    page.replaceAll(/ · \d{4}-\d\d-\d\dT[\d:.]+\+00:00$/gm, ""),
    `# Tape ${home.name()}

## 1 · anchor session/start

\`\`\`
{
  "owner": "human"
}
\`\`\`

## 3 · user

Look at *it*.

## 4 · calls

Sure.

\`\`\`
fs_read {"path":"x"}
\`\`\`

## 5 · results

\`\`\`\`
a \`\`\` fence
\`\`\`\`

\`\`\`
failed: no
\`\`\`

## 7 · command

\`\`\`
git status
clean
\`\`\`

## 8 · anchor phase-1

\`\`\`
{
  "summary": "so far"
}
\`\`\`

## 9 · error

\`\`\`
overloaded
\`\`\`
`,
  );
});

Deno.test("L1 export --output replaces a file whole, through links, and keeps its mode", async () => {
  if (Deno.build.os === "windows") return;
  await using home = await TapeHome.open();
  await home.append(home.name(), user("one"));
  const { workspace } = home.bench;
  await Deno.writeTextFile(join(workspace, "real"), "old".repeat(10_000), { mode: 0o640 });
  await Deno.chmod(join(workspace, "real"), 0o640);
  await Deno.symlink("real", join(workspace, "link"));
  await exported(home, "-o", "link");
  const whole = await Deno.readTextFile(join(home.tapes, `${home.name()}.jsonl`));
  assertEquals(await Deno.readTextFile(join(workspace, "real")), whole);
  assertEquals(((await Deno.stat(join(workspace, "real"))).mode ?? 0) & 0o777, 0o640);
  assertEquals((await Deno.lstat(join(workspace, "link"))).isSymlink, true);
});

Deno.test("L1 export --output leaves the old file where it cannot write the new one", async () => {
  if (Deno.build.os !== "linux") return;
  await using home = await TapeHome.open();
  await home.append(home.name(), user("one"));
  const folder = await home.run("export", "-o", home.bench.workspace);
  assertEquals(folder.code, 2);
  assertStringIncludes(folder.stderr, "is a folder; the name of a file is right");
  const missing = await home.run("export", "-o", "no/such/folder/file");
  assertEquals([missing.code, missing.stdout], [1, ""]);
  assertMatch(missing.stderr, /^bub: .*no\/such\/folder\/file cannot be written: /);
});

Deno.test("L1 export --output writes into a pipe and does not replace it", async () => {
  if (Deno.build.os === "windows") return;
  await using home = await TapeHome.open();
  await home.append(home.name(), user("one"));
  const pipe = join(home.bench.workspace, "pipe");
  await new Deno.Command("mkfifo", { args: [pipe] }).output();
  const reading = new Deno.Command("cat", { args: [pipe] }).output();
  await exported(home, "-o", pipe);
  const whole = await Deno.readTextFile(join(home.tapes, `${home.name()}.jsonl`));
  assertEquals(new TextDecoder().decode((await reading).stdout), whole);
  assertEquals((await Deno.stat(pipe)).isFifo, true);
});

Deno.test("L1 B43 export --output that runs out of room leaves the old file and nothing else", async () => {
  if (Deno.build.os !== "linux") return;
  await using home = await TapeHome.open();
  await home.append(home.name(), user("long ".repeat(100_000)));
  const path = join(home.bench.workspace, "copy.jsonl");
  await Deno.writeTextFile(path, "old");
  const { code, stderr } = await home.limited(64, "export", "-o", "copy.jsonl");
  assertEquals(code, 1, stderr);
  assertMatch(stderr, /copy\.jsonl cannot be written: .*too large/i);
  assertEquals(await Deno.readTextFile(path), "old");
  assertEquals(await home.files(home.bench.workspace), ["copy.jsonl"]);
});

Deno.test("L1 export --output that is interrupted leaves nothing behind", async () => {
  if (Deno.build.os !== "linux") return;
  await using home = await TapeHome.open();
  for (let n = 0; n < 40; n++) await home.append(home.name(), user("0123456789".repeat(100_000)));
  await using child = await home.start("export", "-o", "copy.jsonl");
  const { workspace } = home.bench;
  // The signal falls while the temporary file grows.
  while ((await home.files(workspace)).length === 0) await Deno.stat(workspace);
  child.kill("SIGINT");
  const [{ code }] = await Promise.all([
    child.status,
    child.stdout.cancel(),
    child.stderr.cancel(),
  ]);
  assertEquals([code, await home.files(workspace)], [130, []]);
});
