import type { JsonObject } from "../../lib/json.ts";
import { BubError } from "../../lib/errors.ts";
import type { HostShells } from "../../lib/environment/shells.ts";
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "../assert.ts";
import { isAlive, runProgram, TemporaryShells, until } from "./temporary_shells.ts";

/** The whole output of a command that ends. */
async function run(shells: HostShells, command: string, cwd?: string): Promise<string> {
  const shell = await shells.start(command, { cwd });
  await shell.ended;
  return (await shell.output(0, null)).text;
}

Deno.test("P1 start() runs in the workspace, without input, in a group of its own", async () => {
  await using session = await TemporaryShells.create();
  const { shells, workspace } = session;
  assertEquals(await run(shells, "pwd"), `${workspace}\n`);
  await Deno.mkdir(`${workspace}/sub`);
  assertEquals(await run(shells, "pwd", "sub"), `${workspace}/sub\n`);
  const pids = await run(shells, "echo $$; ps -o pgid= -p $$");
  assertMatch(pids, /^(\d+)\n\s*\1\n$/);
});

Deno.test("P1 B05 commands that read standard input find it empty", async () => {
  await using session = await TemporaryShells.create();
  const { shells } = session;
  assertEquals(await run(shells, "cat; echo after"), "after\n");
  assertEquals(await run(shells, "read -p 'ok? ' x; echo got=$x"), "got=\n");
});

Deno.test("P1 B05 a command leaves this program's own input alone", async () => {
  assertEquals(await runProgram(import.meta.resolve("./own_input.ts"), [], "for the program\n"), {
    text: "after\n",
    own: "for the program\n",
  });
});

Deno.test("P1 both streams keep their true order", async () => {
  await using session = await TemporaryShells.create();
  const loop = "for i in $(seq 500); do echo o$i; echo e$i >&2; done";
  const expected = Array.from({ length: 500 }, (_, i) => `o${i + 1}\ne${i + 1}\n`).join("");
  assertEquals(await run(session.shells, loop), expected);
});

Deno.test("P3 exit codes: the command's own, 128 + N for signal N, unnamed ones too", async () => {
  await using session = await TemporaryShells.create();
  const codes: [string, number][] = [
    ["true", 0],
    ["exit 7", 7],
    ["nosuchcommand", 127],
    ["kill -9 $$", 137],
    ["kill -SEGV $$", 139],
    ["kill -37 $$", 165],
  ];
  for (const [command, code] of codes) {
    const shell = await session.shells.start(command);
    assertEquals([shell.status, shell.exitCode], ["running", null]);
    await shell.ended;
    assertEquals([shell.status, shell.exitCode], ["exited", code], command);
  }
});

Deno.test("P4 B01 a child left in the background holds no result back and lives on", async () => {
  await using session = await TemporaryShells.create();
  for (
    const command of [
      "sleep 60 & echo $!",
      "sleep 60 </dev/null >/dev/null & echo $!",
      "(while :; do echo tick; sleep 0.02; done) & echo $!",
    ]
  ) {
    const start = performance.now();
    const shell = await session.shells.start(command);
    await shell.ended;
    assert(performance.now() - start < 1000, command);
    assertEquals([shell.status, shell.exitCode], ["exited", 0]);
    const { text, next } = await shell.output(0, null);
    const pid = Number(/^\d+$/m.exec(text)?.[0]);
    assert(isAlive(pid), command);
    if (command.includes("tick")) {
      await until(async () => (await shell.output(next, null)).text !== "");
    }
    await shell.kill();
    assertEquals([shell.status, shell.exitCode], ["exited", 0]);
    await until(() => !isAlive(pid));
  }
});

Deno.test("P4 what a child prints right after its shell's end is still collected", async () => {
  await using session = await TemporaryShells.create();
  assertEquals(await run(session.shells, "(sleep 0.03; echo late) & echo early"), "early\nlate\n");
});

Deno.test("P5 B03 characters printed in pieces come out whole, broken ones as one U+FFFD", async () => {
  await using session = await TemporaryShells.create();
  const shell = await session.shells.start(
    String
      .raw`printf '\xe2'; until [ -e go ]; do sleep 0.01; done; printf '\x82\xac|\xff|\xe2\x82'`,
  );
  await until(async () => await shell.outputBytes() === 1);
  assertEquals(await shell.output(0, null), { text: "", next: 0 });
  await Deno.writeTextFile(`${session.workspace}/go`, "");
  await shell.ended;
  assertEquals(await shell.output(0, null), { text: "€|\ufffd|\ufffd", next: 5 });
  const copies = "printf '€%.0s' $(seq 50000)";
  assertEquals(await run(session.shells, copies), "€".repeat(50_000));
});

Deno.test("P3 B02 kill() ends the whole group, those that ignore TERM too", async () => {
  await using session = await TemporaryShells.create();
  const shell = await session.shells.start(
    "trap '' TERM; (sleep 301) & echo $!; sleep 301 & echo $!; echo $$; wait; echo never",
  );
  const pids = async () => (await shell.output(0, null)).text.trim().split("\n").map(Number);
  await until(async () => (await pids()).length === 3);
  const started = await pids();
  assert(started.every(isAlive));
  const start = performance.now();
  await shell.kill(200);
  const took = performance.now() - start;
  assert(took >= 200 && took < 1500, `${took} ms`);
  assertEquals([shell.status, shell.exitCode], ["killed", 137]);
  assertEquals(started.filter(isAlive), []);
});

Deno.test("P3 kill() sends TERM first, lets the command tidy up, and is fine when it had ended", async () => {
  await using session = await TemporaryShells.create();
  const shell = await session.shells.start(
    "trap 'echo tidy; exit 5' TERM; echo on; while :; do sleep 0.01; done",
  );
  await until(async () => (await shell.output(0, null)).text === "on\n");
  await Promise.all([shell.kill(), shell.kill()]);
  assertEquals([shell.status, shell.exitCode], ["killed", 5]);
  assertMatch((await shell.output(0, null)).text, /^on\n(Terminated\n)?tidy\n$/);
  await shell.kill();
  assertEquals([shell.status, shell.exitCode], ["killed", 5]);
  const plain = await session.shells.start("exec sleep 60");
  await plain.kill();
  assertEquals([plain.status, plain.exitCode], ["killed", 143]);
});

Deno.test("P3 B08 300 kills that race with the natural end never throw, each ends once", async () => {
  await using session = await TemporaryShells.create();
  const { shells } = session;
  const found = new Map<string, number>();
  const race = async (i: number) => {
    const shell = await shells.start("sleep 0.02");
    await new Promise((resolve) => setTimeout(resolve, 14 + i % 16));
    await shell.kill(500);
    const outcome = `${shell.status} ${shell.exitCode}`;
    found.set(outcome, (found.get(outcome) ?? 0) + 1);
    await shells.release(shell.id);
  };
  for (let i = 0; i < 300; i += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, k) => race(i + k)));
  }
  const known = ["exited 0", "killed 143", "killed 0"];
  assertEquals([...found.keys()].filter((outcome) => !known.includes(outcome)), []);
  assertEquals([...found.values()].reduce((sum, n) => sum + n), 300);
  assertEquals(shells.list(), []);
});

Deno.test("P6 B72 stopAll() ends everything within its grace, children of ended shells too", async () => {
  await using session = await TemporaryShells.create();
  const { shells, outputFolder } = session;
  const commands = [
    "trap '' TERM; echo $$; sleep 500",
    "echo $$; sleep 500",
    "sleep 500 & echo $!",
  ];
  const started = await Promise.all(commands.map((command) => shells.start(command)));
  const output = async () =>
    (await Promise.all(started.map((shell) => shell.output(0, null)))).map(({ text }) => text);
  await until(async () => (await output()).every((text) => text.endsWith("\n")));
  await started[2]!.ended;
  const pids = (await output()).map(Number);
  assert(pids.every(isAlive));
  const start = performance.now();
  await shells.stopAll();
  assert(performance.now() - start < 2000);
  assertEquals(pids.filter(isAlive), []);
  assertEquals(shells.list(), []);
  assertEquals(await Array.fromAsync(Deno.readDir(outputFolder)), []);
  assertEquals(await run(shells, "echo again"), "again\n");
});

Deno.test("P6 stopAll(0) has sent KILL when it returns its promise", async () => {
  await using session = await TemporaryShells.create();
  const shell = await session.shells.start("trap '' TERM; echo $$; while :; do :; done");
  await until(async () => (await shell.outputBytes()) > 0);
  const pid = Number((await shell.output(0, null)).text);
  const stopped = session.shells.stopAll(0);
  // The event loop has not run since: whatever ends the process now was sent before.
  const deadline = performance.now() + 2000;
  while (isAlive(pid) && performance.now() < deadline);
  assert(!isAlive(pid));
  await stopped;
});

Deno.test("P6 stopAll() also ends a command that is just starting", async () => {
  await using session = await TemporaryShells.create();
  const starting = session.shells.start("touch started; sleep 60");
  const stopped = session.shells.stopAll();
  const error = await assertRejects(() => starting, BubError);
  assertEquals(error.kind, "interrupted");
  await stopped;
  assertEquals(session.shells.list(), []);
});

Deno.test("P4 get() of an unknown id lists the known ones", async () => {
  await using session = await TemporaryShells.create();
  const { shells } = session;
  assertEquals(assertThrows(() => shells.get("x"), BubError, "there are none").kind, "not_found");
  const [one, two] = [await shells.start("true"), await shells.start("true")];
  assertThrows(() => shells.get("sh-0"), BubError, `${one.id}, ${two.id}`);
  assertEquals(shells.get(two.id), two);
  await Promise.all([one.ended, two.ended]);
});

Deno.test("P4 release() forgets an ended shell, but not one whose children still run", async () => {
  await using session = await TemporaryShells.create();
  const { shells } = session;
  const ended = await shells.start("echo x");
  const left = await shells.start("sleep 60 & echo x");
  await Promise.all([ended.ended, left.ended]);
  await shells.release(ended.id);
  await shells.release(left.id);
  await shells.release("unknown");
  assertEquals(shells.list(), [left]);
  assertEquals((await left.output(0, null)).text, "x\n");
});

Deno.test("P1 B06 a cwd that is missing or a file is named, not the shell blamed", async () => {
  await using session = await TemporaryShells.create();
  const { shells, workspace, outputFolder } = session;
  await Deno.writeTextFile(`${workspace}/file`, "");
  for (const cwd of ["gone/away", `${workspace}/file`, "file/below"]) {
    const error = await assertRejects(() => shells.start("pwd", { cwd }), BubError, cwd);
    assertEquals(error.kind, "not_found");
  }
  assertEquals(await Array.fromAsync(Deno.readDir(outputFolder)), []);
});

Deno.test("B06 a workspace that is gone is replaced, with a line that says so", async () => {
  await using session = await TemporaryShells.create();
  const { shells, workspace, folder } = session;
  assertEquals(await run(shells, `rm -rf ${workspace}; echo bye`), "bye\n");
  const note = `[the workspace ${workspace} is gone; this ran in ${folder}]\n`;
  assertEquals(await run(shells, "pwd"), `${note}${folder}\n`);
  assertEquals(await run(shells, "cd / && pwd"), `${note}/\n`);
  const error = await assertRejects(
    () => shells.start("pwd", { cwd: workspace }),
    BubError,
    workspace,
  );
  assertEquals(error.kind, "not_found");
});

Deno.test("P1 a command with a NUL character is refused by name", async () => {
  await using session = await TemporaryShells.create();
  const error = await assertRejects(
    () => session.shells.start("echo a\0b"),
    BubError,
    "NUL character at 6",
  );
  assertEquals(error.kind, "invalid_input");
});

Deno.test("P1 a command over the kernel's argument limit runs, and leaves no script behind", async () => {
  await using session = await TemporaryShells.create();
  const { shells, outputFolder } = session;
  const text = "x".repeat(300_000);
  assertEquals(await run(shells, `printf %s '${text}' | wc -c`), "300000\n");
  const names = await Array.fromAsync(Deno.readDir(outputFolder), ({ name }) => name);
  assertEquals(names.filter((name) => !name.endsWith(".out")), []);
});

Deno.test("P1 where there is no shell the error says so", async () => {
  const shell = { name: "bash", program: "bash-that-is-missing" };
  await using session = await TemporaryShells.create({ shell });
  const error = await assertRejects(() => session.shells.start("true"), BubError, "no shell");
  assertEquals(error.kind, "tool");
  assertEquals(session.shells.list(), []);
});

Deno.test("E5 commands get exactly the variables they are given", async () => {
  const env = { PATH: Deno.env.get("PATH") ?? "", ONLY: "this one" };
  await using session = await TemporaryShells.create({ env });
  const names = (await run(session.shells, "env")).split("\n").map((line) => line.split("=")[0]);
  assertEquals(names.filter((name) => !["PWD", "SHLVL", "_", ""].includes(name ?? "")).sort(), [
    "ONLY",
    "PATH",
  ]);
});

/** What the worker of `narrow_shells_worker.ts` answers under the permissions given. */
async function narrowly(folder: string, run: string[], env: JsonObject): Promise<JsonObject> {
  const url = new URL("narrow_shells_worker.ts", import.meta.url);
  const permissions = { run, read: [folder], write: [folder] };
  const worker = new Worker(url, { type: "module", deno: { permissions } });
  const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(event.message));
  };
  worker.postMessage({ folder, program: "bash", env });
  try {
    return await promise;
  } finally {
    worker.terminate();
  }
}

Deno.test("P3 E3 kill() reaches the whole group with no more than --allow-run=bash", async () => {
  await using session = await TemporaryShells.create();
  const env = { PATH: Deno.env.get("PATH") ?? "", LD_LIBRARY_PATH: "/nowhere" };
  const { text, ...outcome } = await narrowly(session.workspace, ["bash"], env);
  assertEquals(outcome, { status: "killed", exitCode: 137 });
  const pids = String(text).trim().split(" ").map(Number);
  assertEquals([pids.length, pids.filter(isAlive)], [2, []]);
});

Deno.test("E4 a shell that may not be run is a permission error that names the flag", async () => {
  await using session = await TemporaryShells.create();
  assertEquals(await narrowly(session.workspace, ["true"], {}), {
    kind: "permission",
    message: 'run access to "bash" is not allowed; --allow-run=bash grants it',
  });
});
