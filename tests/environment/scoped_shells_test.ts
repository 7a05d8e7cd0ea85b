import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { BubError } from "../../lib/errors.ts";
import type { ScopedEnvironment } from "../../lib/environment/scoped.ts";
import type { Scope, ScopeRule } from "../../lib/environment/scope.ts";
import { isAlive, until } from "./temporary_shells.ts";
import { temporaryScope } from "./temporary_scope.ts";

const POSIX = { ignore: Deno.build.os === "windows" };

const running = (allow: ScopeRule, deny: ScopeRule = []): Scope => ({
  allow: { run: allow },
  deny: { run: deny },
});

/** The output of a command and its exit code. */
async function run(environment: ScopedEnvironment, command: string, cwd?: string) {
  const shells = environment.createShells();
  const shell = await shells.start(command, { cwd });
  await shell.ended;
  const { text } = await shell.output(0, null);
  await shells.stopAll();
  return [text, shell.exitCode];
}

Deno.test("E3 E4 the shell runs where a rule allows it, by name or by path", POSIX, async () => {
  const paths = ["/bin/bash", "/usr/bin/bash"].filter((path) => Deno.statSync(path).isFile);
  for (const allow of [true, ["bash"], ["ls", "bash"], ...paths.map((path) => [path])] as const) {
    await using scoped = await temporaryScope(running(allow));
    const { environment } = scoped;
    assertEquals(await environment.shellName(), "bash");
    assertEquals(await run(environment, "echo $0; exit 3"), ["bash\n", 3]);
  }
});

Deno.test("E3 sh runs where it alone is allowed, or bash is denied", POSIX, async () => {
  for (
    const rules of [running(["sh"]), running(true, ["bash"]), running(["sh", "bash"], ["bash"])]
  ) {
    await using scoped = await temporaryScope(rules);
    assertEquals(await scoped.environment.shellName(), "sh");
    assertEquals(await run(scoped.environment, "echo $0"), ["sh\n", 0]);
  }
});

Deno.test(
  "E4 where no shell is allowed, starting one names the flag or the rule",
  POSIX,
  async () => {
    const table: [rules: Scope, message: string][] = [
      [running(["ls"]), 'run access to "bash" is not allowed; --allow-run=bash grants it'],
      [
        { allow: { read: true }, deny: {} },
        'run access to "bash" is not allowed; --allow-run=bash grants it',
      ],
      [running(true, true), 'run access to "bash" is denied by --deny-run'],
      [running(true, ["bash", "sh"]), 'run access to "bash" is denied by --deny-run=bash'],
    ];
    for (const [rules, expected] of table) {
      await using scoped = await temporaryScope(rules);
      const shells = scoped.environment.createShells();
      const { kind, message } = await assertRejects(() => shells.start("true"), BubError);
      assertEquals([kind, message], ["permission", expected]);
      await shells.stopAll();
    }
  },
);

Deno.test(
  "E3 E5 children inherit variables but keys, and a cwd is no read access",
  POSIX,
  async () => {
    await using scoped = await temporaryScope(running(["bash"]), {
      env: { MARK: "here", LD_LIBRARY_PATH: "/nowhere" },
    });
    const { environment, outside } = scoped;
    assertEquals(await run(environment, "echo $MARK ${BUB_API_KEY-none}"), ["here none\n", 0]);
    assertEquals(await run(environment, "cat secret | wc -c; pwd", outside), [
      `18\n${outside}\n`,
      0,
    ]);
    const shells = environment.createShells();
    const { kind } = await assertRejects(() => shells.start("true", { cwd: "none" }), BubError);
    assertEquals(kind, "not_found");
    await shells.stopAll();
  },
);

Deno.test(
  "P3 E3 ended by a signal: 128 + N, also for those Deno has no name for",
  POSIX,
  async () => {
    await using scoped = await temporaryScope(running(["bash"]));
    assertEquals(await run(scoped.environment, "kill -9 $$"), ["", 137]);
    assertEquals(await run(scoped.environment, "kill -37 $$"), ["", 165]);
  },
);

Deno.test(
  "P6 E3 all of a group ends with kill() and stopAll(), a start under way too",
  POSIX,
  async () => {
    await using scoped = await temporaryScope(running(["bash"]));
    const shells = scoped.environment.createShells();
    const pids: number[] = [];
    const start = async () => {
      const shell = await shells.start("trap '' TERM; sleep 300 & echo $$ $!; wait");
      await until(async () => (await shell.output(0, null)).text.includes("\n"));
      pids.push(...(await shell.output(0, null)).text.trim().split(" ").map(Number));
      return shell;
    };
    const first = await start();
    await first.kill(0);
    assertEquals([first.status, first.exitCode], ["killed", 137]);
    await start();
    await shells.stopAll(0);
    const late = shells.start(`echo $$ >${scoped.outside}/late; exec sleep 300`);
    let refused = false;
    const ended = "the session ended while the command was starting";
    void assertRejects(() => late, BubError, ended).then(() => refused = true);
    await shells.stopAll(0);
    assert(refused, "nothing is left to wait for");
    const written = await Deno.readTextFile(`${scoped.outside}/late`).catch(() => "");
    if (written !== "") pids.push(Number(written));
    assert(pids.length >= 4);
    assertEquals(pids.filter(isAlive), []);
  },
);

Deno.test("P5 E3 a long command and its long output come whole", POSIX, async () => {
  await using scoped = await temporaryScope(running(["bash"]));
  const words = "x".repeat(200_000);
  assertEquals(await run(scoped.environment, `echo '${words}'`), [`${words}\n`, 0]);
});

Deno.test("E4 a shell that vanished is told from one that is not allowed", POSIX, async () => {
  await using scoped = await temporaryScope(running(["bash"]), { env: { PATH: "/nowhere" } });
  const shells = scoped.environment.createShells();
  const { message } = await assertRejects(() => shells.start("true"), BubError);
  assertStringIncludes(message, 'run access to "/bin/bash" is not allowed');
  await shells.stopAll();
});
