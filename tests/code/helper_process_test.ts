import { fromFileUrl } from "@std/path";
import { HELPER_ARGUMENT } from "../../lib/code/helper_command.ts";
import { HELPER_EXITS, startLine } from "../../lib/code/protocol.ts";
import { ROOT } from "../../scripts/import_map.ts";
import { chooseRegistry, flagsFor } from "../../scripts/registry.ts";
import { assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { spawnBub } from "../cli/spawn.ts";

/** Starts `sandbox_child.ts`; the caller ends it. */
async function spawnHost(
  args: readonly string[],
  { permissions = ["-A"], env = {} }: { permissions?: string[]; env?: Record<string, string> } = {},
): Promise<Deno.ChildProcess> {
  const { registry } = await chooseRegistry();
  const script = fromFileUrl(new URL("./sandbox_child.ts", import.meta.url));
  const flags = ["run", "-q", "--no-prompt", "--no-check", "--frozen", ...flagsFor(registry)];
  return new Deno.Command(Deno.execPath(), {
    args: [...flags, ...permissions, script, ...args],
    cwd: ROOT,
    env,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
}

/** The lines of a process as they come. */
function linesOf({ stdout }: Deno.ChildProcess): AsyncIterator<string> {
  const text = stdout.pipeThrough(new TextDecoderStream());
  return (async function* () {
    let rest = "";
    for await (const chunk of text) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  })();
}

async function nextLine(lines: AsyncIterator<string>): Promise<string> {
  const { value } = await lines.next();
  return value ?? "";
}

/** The helper that a host has started, once there is one. */
async function helperOf(host: Deno.ChildProcess): Promise<number> {
  for (;;) {
    const [pid] = await ps("pid=", "--ppid", String(host.pid));
    if (pid !== undefined) return Number(pid);
  }
}

async function ps(format: string, ...args: string[]): Promise<string[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", format, ...args] }).output();
  return new TextDecoder().decode(stdout).split("\n").map((line) => line.trim()).filter(Boolean);
}

/** Resolves when a process is gone, or nobody's zombie. */
async function ended(pid: number): Promise<void> {
  for (;;) {
    const [state = "Z"] = await ps("stat=", "-p", String(pid));
    if (state.startsWith("Z")) return;
  }
}

const LINUX = { ignore: Deno.build.os !== "linux" };

Deno.test(
  "C3 a helper whose host was killed ends by itself, however busy its code is",
  LINUX,
  async () => {
    const host = await spawnHost(["tools.a(); for (;;);"]);
    const lines = linesOf(host);
    assertEquals(await nextLine(lines), "called");
    const helper = await helperOf(host);
    host.kill("SIGKILL");
    await host.status;
    await ended(helper);
    await lines.return?.();
    await host.stdin.close().catch(() => {});
  },
);

Deno.test(
  "C3 a helper killed from outside while code runs is a clear error, output kept",
  LINUX,
  async () => {
    const host = await spawnHost(["print('kept'); await tools.a()"]);
    const lines = linesOf(host);
    assertEquals(await nextLine(lines), "called");
    Deno.kill(await helperOf(host), "SIGKILL");
    const { printed, error } = JSON.parse(await nextLine(lines));
    assertEquals([printed, error.kind], ["kept\n", "tool"]);
    assertMatch(error.message, /^the process that ran the code ended early \(SIGKILL\)/);
    await host.status;
    await host.stdin.close();
  },
);

Deno.test("C2 a helper that ended while it waited is replaced", LINUX, async () => {
  const host = await spawnHost(["print('ran')", "ahead"]);
  const helper = await helperOf(host);
  Deno.kill(helper, "SIGKILL");
  await ended(helper);
  await host.stdin.close();
  assertEquals(JSON.parse(await nextLine(linesOf(host))), { printed: "ran\n" });
  await host.status;
});

Deno.test("C2 E4 where the program may not start itself the error names the flag", async () => {
  const host = await spawnHost(["print(1)"], { permissions: ["--allow-read", "--allow-env"] });
  const { rejected } = JSON.parse(await nextLine(linesOf(host)));
  assertEquals(rejected.kind, "permission");
  assertStringIncludes(rejected.message ?? "", `--allow-run=${Deno.execPath()} grants it`);
  await host.status;
  await host.stdin.close();
});

Deno.test("C2 the right to start the program is all that code mode needs", async () => {
  const permissions = [`--allow-run=${Deno.execPath()}`];
  const host = await spawnHost(["print(1)"], { permissions, env: { LD_LIBRARY_PATH: "/nowhere" } });
  assertEquals(JSON.parse(await nextLine(linesOf(host))), { printed: "1\n" });
  await host.status;
  await host.stdin.close();
});

Deno.test("C2 B64 the program itself is the helper when its first argument says so", async () => {
  const helper = await spawnBub([HELPER_ARGUMENT], { stdin: "open" });
  const lines = linesOf(helper);
  const nonce = await nextLine(lines);
  assertMatch(nonce, /^[\da-f-]{36}$/);
  assertEquals(await nextLine(lines), `${nonce}["ready"]`);
  const writer = helper.stdin.getWriter();
  const room = { timeoutMs: 60_000, memoryBytes: 2 ** 28, floodUnits: 1e6 };
  const code = "print(await tools.a({ b: 1 }), typeof Deno)";
  await write(writer, startLine({ code, tools: ["a"], ...room }));
  assertEquals(await nextLine(lines), `${nonce}["started"]`);
  assertEquals(await nextLine(lines), `${nonce}["call",1,"a","{\\"b\\":1}"]`);
  await write(writer, '["answer",1,"yes"]');
  assertEquals(await nextLine(lines), `${nonce}["print","yes undefined\\n"]`);
  assertEquals(await nextLine(lines), `${nonce}["end",null,false]`);
  await writer.close();
  assertEquals((await helper.status).code, 0);
  assertEquals((await lines.next()).done, true);
  await helper.stderr.cancel();
});

Deno.test("C3 a helper ends at its time limit by itself, whether or not its host does anything", async () => {
  const helper = await spawnBub([HELPER_ARGUMENT], { stdin: "open" });
  const lines = linesOf(helper);
  const nonce = await nextLine(lines);
  await nextLine(lines);
  const writer = helper.stdin.getWriter();
  const room = { timeoutMs: 50, memoryBytes: 2 ** 28, floodUnits: 1e6 };
  await write(writer, startLine({ code: "print('kept'); for (;;);", tools: [], ...room }));
  assertEquals(await nextLine(lines), `${nonce}["started"]`);
  assertEquals(await nextLine(lines), `${nonce}["print","kept\\n"]`);
  assertEquals((await helper.status).code, HELPER_EXITS.timeout);
  assertEquals((await lines.next()).done, true);
  await writer.close().catch(() => {});
  await helper.stderr.cancel();
});

async function write(writer: WritableStreamDefaultWriter<Uint8Array>, line: string) {
  await writer.write(new TextEncoder().encode(`${line}\n`));
}
