import { z } from "zod";
import { BubError } from "../../lib/errors.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { StreamedOutput, type ToolOutput } from "../../lib/tool/output.ts";
import type { Caller, ToolContext } from "../../lib/tool/tool.ts";
import { bashTools } from "../../tools/bash.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "../assert.ts";
import { isAlive, runProgram, TemporaryShells, until } from "../environment/temporary_shells.ts";
import { refusal } from "./run_tool.ts";

/** A session whose tools are called as a step calls them. */
class Session implements AsyncDisposable {
  readonly #temporary: TemporaryShells;

  private constructor(temporary: TemporaryShells) {
    this.#temporary = temporary;
  }

  static async create(): Promise<Session> {
    return new Session(await TemporaryShells.create());
  }

  get shells() {
    return this.#temporary.shells;
  }

  get workspace() {
    return this.#temporary.workspace;
  }

  async call(
    name: string,
    args: JsonObject,
    { caller = "model", signal = new AbortController().signal }: {
      caller?: Caller;
      signal?: AbortSignal;
    } = {},
  ): Promise<ToolOutput> {
    const tool = toolOf(name);
    const context = { shells: this.shells, caller, signal } as unknown as ToolContext;
    return await tool.run(tool.parameters(z).parse(args), context);
  }

  /** A call that answers with an object. */
  async object(name: string, args: JsonObject): Promise<JsonObject> {
    const output = await this.call(name, args);
    assert(isJsonObject(output), JSON.stringify(output));
    return output as JsonObject;
  }

  async failure(args: JsonObject, options?: Parameters<Session["call"]>[2]): Promise<BubError> {
    return await assertRejects(() => this.call("bash", args, options), BubError);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#temporary[Symbol.asyncDispose]();
  }
}

function toolOf(name: string) {
  const tool = bashTools.find((tool) => tool.name === name);
  assert(tool !== undefined, name);
  return tool;
}

Deno.test("P1 bash returns the output, or (no output), and keeps no record of it", async () => {
  await using session = await Session.create();
  assertEquals(await session.call("bash", { command: "echo out; echo err >&2" }), "out\nerr\n");
  assertEquals(await session.call("bash", { command: "true" }), "(no output)");
  assertEquals(await session.call("bash", { command: "pwd", cwd: "/" }), "/\n");
  assertEquals(session.shells.list(), []);
});

Deno.test("P1 bash fails for a non-zero exit code, with the output kept", async () => {
  await using session = await Session.create();
  const error = await session.failure({ command: "echo before; exit 3" });
  assertEquals(error.report(), {
    kind: "tool",
    message: "command exited with code 3",
    details: { exit_code: 3, output: "before\n" },
  });
  const killed = await session.failure({ command: "kill -9 $$" });
  assertEquals(killed.message, "command exited with code 137");
});

Deno.test("P1 B02 a command past its time limit goes on in the background", async () => {
  await using session = await Session.create();
  const start = performance.now();
  const first = await session.object("bash", {
    command: "echo on; until [ -e go ]; do sleep 0.01; done; echo off; exit 4",
    timeout_seconds: 0.15,
  });
  const took = performance.now() - start;
  assert(took >= 150 && took < 1000, `${took} ms`);
  const shell_id = String(first.shell_id);
  const common = { shell_id, exit_code: null, status: "running" };
  assertEquals(first, { ...common, output: "on\n", next_offset: 3 });
  await Deno.writeTextFile(`${session.workspace}/go`, "");
  await session.shells.get(shell_id).ended;
  assertEquals(await session.object("bash.output", { shell_id, offset: 3 }), {
    shell_id,
    status: "exited",
    exit_code: 4,
    output: "off\n",
    next_offset: 7,
  });
});

Deno.test("P1 bash with timeout_seconds 0 or background returns at once", async () => {
  await using session = await Session.create();
  for (const args of [{ timeout_seconds: 0 }, { background: true, timeout_seconds: 60 }]) {
    const start = performance.now();
    const { status, exit_code, output } = await session.object("bash", {
      command: "sleep 60",
      ...args,
    });
    assertEquals({ status, exit_code, output }, { status: "running", exit_code: null, output: "" });
    assert(performance.now() - start < 500);
  }
});

Deno.test("P1 T7 only a person's command waits without a limit when none is given", async () => {
  await using session = await Session.create();
  const { timeout_seconds } = toolOf("bash").parameters(z).parse({ command: "x" });
  assertEquals(timeout_seconds, undefined);
  assertEquals(z.toJSONSchema(toolOf("bash").parameters(z)).properties?.["timeout_seconds"], {
    type: "number",
    minimum: 0,
    default: 30,
    description: "Seconds to wait for its end",
  });
  const timers: number[] = [];
  const original = globalThis.setTimeout;
  globalThis.setTimeout = ((run: () => void, ms = 0) => {
    timers.push(ms);
    return original(run, ms);
  }) as typeof setTimeout;
  try {
    await session.call("bash", { command: "true" }, { caller: "model" });
    await session.call("bash", { command: "true" }, { caller: "code" });
    assertEquals(timers.splice(0).filter((ms) => ms > 1000), [30_000, 30_000]);
    await session.call("bash", { command: "true" }, { caller: "command" });
    assertEquals(timers.splice(0).filter((ms) => ms > 1000), []);
    const limit = { command: "true", timeout_seconds: 1e12 };
    await session.call("bash", limit, { caller: "command" });
    assertEquals(timers.splice(0).filter((ms) => ms > 1000), [2 ** 31 - 1]);
  } finally {
    globalThis.setTimeout = original;
  }
});

Deno.test("P5 T7 what a typed command prints comes while it still runs, then its error", async () => {
  await using session = await Session.create();
  const args = { command: "echo one; until [ -e go ]; do sleep 0.01; done; echo two; exit 3" };
  const output = await session.call("bash", args, { caller: "command" });
  assert(output instanceof StreamedOutput);
  const pieces = output.chunks()[Symbol.asyncIterator]();
  assertEquals(await pieces.next(), { done: false, value: "one\n" });
  await Deno.writeTextFile(`${session.workspace}/go`, "");
  assertEquals(await pieces.next(), { done: false, value: "two\n" });
  const error = await assertRejects(() => pieces.next(), BubError, "exited with code 3");
  assertEquals(error.details, { exit_code: 3 });
  assertEquals(session.shells.list(), []);
});

Deno.test("P6 B70 a typed command ends when nobody reads on", async () => {
  await using session = await Session.create();
  const args = { command: "echo $$; exec sleep 60" };
  const output = await session.call("bash", args, { caller: "command" });
  assert(output instanceof StreamedOutput);
  let pid = 0;
  for await (const piece of output.chunks()) {
    pid = Number(piece);
    break;
  }
  assert(pid > 1);
  assertEquals(isAlive(pid), false);
});

Deno.test("P1 a typed command that prints nothing says so", async () => {
  await using session = await Session.create();
  const output = await session.call("bash", { command: "true" }, { caller: "command" });
  assert(output instanceof StreamedOutput);
  assertEquals(await Array.fromAsync(output.chunks()), ["(no output)"]);
});

Deno.test("P1 B05 commands that read standard input end at once, in the background too", async () => {
  await using session = await Session.create();
  assertEquals(await session.call("bash", { command: "cat; echo after" }), "after\n");
  const { shell_id } = await session.object("bash", {
    command: "read -p 'ok? ' x; echo got=$x",
    background: true,
  });
  await session.shells.get(String(shell_id)).ended;
  const { output, exit_code } = await session.object("bash.output", { shell_id });
  assertEquals([output, exit_code], ["got=\n", 0]);
});

Deno.test("P2 bash.output counts characters and clamps its offsets", async () => {
  await using session = await Session.create();
  const { shell_id } = await session.object("bash", {
    command: "printf 'a😀€é\\n'",
    background: true,
  });
  await session.shells.get(String(shell_id)).ended;
  const read = async (args: JsonObject) => {
    const { output, next_offset } = await session.object("bash.output", { shell_id, ...args });
    return [output, next_offset];
  };
  assertEquals(await read({}), ["a😀€é\n", 5]);
  assertEquals(await read({ offset: 1, limit: 2 }), ["😀€", 3]);
  assertEquals(await read({ offset: 3, limit: null }), ["é\n", 5]);
  assertEquals(await read({ offset: -7, limit: 1 }), ["a", 1]);
  assertEquals(await read({ offset: 99 }), ["", 5]);
  assertEquals(await read({ limit: 0 }), ["", 0]);
  assertMatch(refusal(toolOf("bash.output"), { shell_id: "x", offset: 1.5 }), /^offset: /);
  assertMatch(refusal(toolOf("bash.output"), { shell_id: "x", limit: 0.5 }), /^limit: /);
});

Deno.test("P2 B03 bash.output read piece by piece gives the whole, nothing twice", async () => {
  await using session = await Session.create();
  const { shell_id } = await session.object("bash", {
    command: "for i in $(seq 2000); do printf '😀€%s\\n' $i; done",
    background: true,
  });
  let [text, offset, status] = ["", 0, "running"];
  while (status === "running") {
    const part = await session.object("bash.output", { shell_id, offset });
    text += part.output;
    offset = Number(part.next_offset);
    status = String(part.status);
  }
  const expected = Array.from({ length: 2000 }, (_, i) => `😀€${i + 1}\n`).join("");
  assertEquals(text, expected);
  assertEquals(offset, [...expected].length);
});

Deno.test("P3 B08 bash.kill ends a shell, and twice is fine", async () => {
  await using session = await Session.create();
  const { shell_id } = await session.object("bash", { command: "exec sleep 60", background: true });
  const killed = { shell_id, status: "killed", exit_code: 143 };
  assertEquals(await session.object("bash.kill", { shell_id }), killed);
  assertEquals(await session.object("bash.kill", { shell_id }), killed);
  const ended = await session.object("bash", { command: "exit 5", background: true });
  await session.shells.get(String(ended.shell_id)).ended;
  assertEquals(await session.object("bash.kill", { shell_id: String(ended.shell_id) }), {
    shell_id: ended.shell_id,
    status: "exited",
    exit_code: 5,
  });
});

Deno.test("P4 B08 an unknown shell id is an error that lists the known ones", async () => {
  await using session = await Session.create();
  const { shell_id } = await session.object("bash", { command: "true", background: true });
  for (const name of ["bash.output", "bash.kill"]) {
    const error = await assertRejects(
      () => session.call(name, { shell_id: "sh-none" }),
      BubError,
      String(shell_id),
    );
    assertEquals(error.kind, "not_found");
  }
  await session.shells.get(String(shell_id)).ended;
});

Deno.test("P1 P6 an abort ends the command and all it started, its output is kept", async () => {
  await using session = await Session.create();
  const abort = new AbortController();
  const pending = session.failure(
    { command: "trap '' TERM; sleep 300 & echo $$ $!; wait" },
    { signal: abort.signal },
  );
  await until(async () => (await session.shells.list()[0]?.outputBytes() ?? 0) > 0);
  const start = performance.now();
  abort.abort();
  const error = await pending;
  assert(performance.now() - start < 2000);
  assertEquals([error.kind, error.message], ["interrupted", "command stopped: interrupted"]);
  const pids = String(error.details?.output).trim().split(" ").map(Number);
  assertEquals([pids.length, pids.filter(isAlive)], [2, []]);
  const reason = new BubError("timeout", "time limit of 1 s");
  const signal = AbortSignal.abort(reason);
  const late = await session.failure({ command: "touch started" }, { signal });
  assertEquals(late.kind, "timeout");
  await assertRejects(() => Deno.stat(`${session.workspace}/started`), Deno.errors.NotFound);
});

Deno.test("P3 B08 time limits and aborts that race with the end have one outcome each", async () => {
  await using session = await Session.create();
  const outcomes = { done: 0, running: 0, interrupted: 0 };
  const race = async (i: number) => {
    const ms = 10 + i % 20;
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), i % 2 === 0 ? ms : 5000);
    const args = { command: "sleep 0.015", timeout_seconds: i % 2 === 0 ? 5 : ms / 1000 };
    try {
      const output = await session.call("bash", args, { signal: abort.signal });
      if (output === "(no output)") outcomes.done++;
      else if (isJsonObject(output) && output.status === "running") outcomes.running++;
    } catch (error) {
      if (error instanceof BubError && error.kind === "interrupted") outcomes.interrupted++;
      else throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  for (let i = 0; i < 120; i += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, k) => race(i + k)));
  }
  assertEquals(outcomes.done + outcomes.running + outcomes.interrupted, 120);
  assert(Object.values(outcomes).every((count) => count > 0), JSON.stringify(outcomes));
});

Deno.test("B06 a missing cwd is a clear error that names it", async () => {
  await using session = await Session.create();
  const error = await session.failure({ command: "pwd", cwd: "gone/away" });
  assertEquals([error.kind, error.message], ["not_found", "cwd is no folder: gone/away"]);
  const empty = await session.failure({ command: "pwd", cwd: "" });
  assertEquals(empty.kind, "invalid_input");
  assertMatch(empty.message, /^cwd is empty; give a folder/);
});

Deno.test("P5 output of up to 64 MiB is whole, longer output is head, tail and shell_id", async () => {
  await using session = await Session.create();
  const size = 65 * 2 ** 20;
  const whole = await session.call("bash", { command: `head -c ${size - 2 ** 20} /dev/zero` });
  assertEquals(String(whole).length, size - 2 ** 20);
  const command = `echo first; head -c ${size} /dev/zero | tr '\\0' x; echo; echo last`;
  const output = await session.call("bash", { command });
  assert(output instanceof StreamedOutput);
  assert(output.preview.length < 16_384);
  const [shell] = session.shells.list();
  const note = new RegExp(
    `\n\\[… of ${size + 12} bytes .*shell_id ${shell?.id}, offset 6000 …\\]\n`,
  );
  assertMatch(output.preview, /^first\nx{5994}\n\[/);
  assertMatch(output.preview, note);
  assertMatch(output.preview, /\]\nx+\nlast\n$/);
  let length = 0;
  for await (const piece of output.chunks()) length += piece.length;
  assertEquals(length, size + 12);
  const error = await session.failure({ command: `${command}; exit 9` });
  assertEquals(error.details?.exit_code, 9);
  assertMatch(String(error.details?.output), /^first\nx{5994}\n\[… .*\]\nx+\nlast\n$/);
  assertEquals(session.shells.list().length, 2);
});

Deno.test("P5 256 MiB of output cost at most 64 MiB of memory, printed whole or not", async () => {
  const answer = await runProgram(import.meta.resolve("./flood.ts"), ["256"]);
  assert(isJsonObject(answer), JSON.stringify(answer));
  assertEquals(answer.characters, 256 * 2 ** 20);
  assert(Number(answer.extraMiB) <= 64, JSON.stringify(answer));
});
