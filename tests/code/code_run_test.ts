import { CodeRun, type HelperPort } from "../../lib/code/code_run.ts";
import type { HelperEnd, HelperListener } from "../../lib/code/helper_process.ts";
import {
  HELPER_EXITS,
  type HelperMessage,
  parseHelperLine,
  parseStart,
} from "../../lib/code/protocol.ts";
import { MAX_CALLS, type SandboxCall } from "../../lib/code/sandbox.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";

const LIMITS = { memoryBytes: 2 ** 28, outputBytes: 1024 };

/** A run whose helper says what the test says; its calls wait until they are cancelled. */
class Conversation implements HelperPort {
  readonly sent: string[] = [];
  readonly calls: SandboxCall[] = [];
  readonly cancelled: number[] = [];
  killed = 0;
  readonly run: CodeRun;
  #listener: HelperListener | undefined;

  constructor(timeoutMs = 60_000) {
    this.run = new CodeRun(this, {
      code: "code",
      tools: ["a"],
      timeoutMs,
      signal: new AbortController().signal,
      call: async (call, signal) => {
        this.calls.push(call);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        this.cancelled.push(call.number);
        return null;
      },
    }, LIMITS);
  }

  listen(listener: HelperListener): void {
    this.#listener = listener;
  }

  send(line: string): Promise<void> {
    this.sent.push(line);
    return Promise.resolve();
  }

  kill(): void {
    this.killed++;
  }

  /** Says lines as the helper passes them on: those that mean nothing are dropped before. */
  say(...lines: string[]): this {
    const messages: HelperMessage[] = lines.flatMap((line) => parseHelperLine(line) ?? []);
    for (const message of ["started", ...messages] as const) {
      this.#listener?.message(message === "started" ? { type: message } : message);
    }
    return this;
  }

  end(end: Partial<HelperEnd>): this {
    this.#listener?.ended({ code: 0, signal: null, overlong: false, ...end });
    return this;
  }

  /** The message of the error that the run ended with, empty if there was none. */
  async failure(): Promise<string> {
    const outcome = await this.run.outcome;
    assert(outcome !== undefined);
    return outcome.error?.message ?? "";
  }
}

function call(number: number): string {
  return JSON.stringify(["call", number, "a", "{}"]);
}

Deno.test("C3 a run starts with its code, its tools and its limits", () => {
  const { sent } = new Conversation();
  assertEquals(parseStart(sent[0] ?? ""), {
    code: "code",
    tools: ["a"],
    timeoutMs: 60_000,
    memoryBytes: 2 ** 28,
    floodUnits: 16 * 1024,
  });
});

Deno.test("C3 forged calls out of order or over the bound end the run, calls and process", async () => {
  const twice = new Conversation().say(call(1), call(1));
  assertStringIncludes(await twice.failure(), "the code made calls in another way than by `tools`");
  assertEquals([twice.killed, twice.cancelled], [1, [1]]);
  assertStringIncludes(await new Conversation().say(call(2)).failure(), "in another way");
  const many = Array.from({ length: MAX_CALLS + 1 }, (_, n) => call(n + 1));
  const flood = new Conversation().say(...many);
  assertStringIncludes(await flood.failure(), `which has ${MAX_CALLS} at a time under way`);
  assertEquals([flood.calls.length, flood.cancelled.length], [MAX_CALLS, MAX_CALLS]);
});

Deno.test("C3 forged calls whose arguments are too much together end the run", async () => {
  const line = (number: number) => JSON.stringify(["call", number, "a", "1".repeat(12e6)]);
  const conversation = new Conversation().say(line(1), line(2), line(3));
  assertStringIncludes(await conversation.failure(), "in another way than by `tools`");
  assertEquals(conversation.calls.length, 2);
});

Deno.test("C3 forged lines that are no messages are dropped, and notes are bounded", async () => {
  const strange = [
    "",
    "x",
    "null",
    "{}",
    "[]",
    '["end"]',
    '["end",5]',
    '["print",5]',
    '["call","1","a","{}"]',
    '["call",1.5,"a","{}"]',
    '["call",1,5,"{}"]',
    '["call",1,"a",{}]',
    '["answer",1,5]',
    '["__proto__"]',
  ];
  const notes = Array.from({ length: 100 }, (_, n) => `["note","${n}"]`);
  const conversation = new Conversation().say(...strange, ...notes, '["end",null]');
  const outcome = await conversation.run.outcome;
  assertEquals([outcome?.error, outcome?.printed, outcome?.notes.length], [null, "", 32]);
  assertEquals(conversation.calls, []);
});

Deno.test("C3 forged errors and notes are cut, however long they are", async () => {
  const long = JSON.stringify("x".repeat(1e6));
  const outcome = await new Conversation().say(`["note",${long}]`, `["end",${long}]`).run.outcome;
  assertEquals(outcome?.error?.message.length, 65537);
  assertEquals(outcome?.notes[0]?.length, 65537);
});

Deno.test("C3 nothing that comes after the end counts", async () => {
  const conversation = new Conversation().say('["end",null]', '["print","a"]', call(1));
  conversation.end({ signal: "SIGKILL" });
  assertEquals(await conversation.run.outcome, {
    printed: "",
    notes: [],
    returned: false,
    error: null,
  });
  assertEquals(conversation.calls, []);
});

Deno.test("C3 a process that ends early is told by what ended it, and what was printed is kept", async () => {
  const ends: readonly (readonly [end: Partial<HelperEnd>, expected: RegExp])[] = [
    [{ code: HELPER_EXITS.memory }, /^the code used more than 256 MiB of memory/],
    [{ code: HELPER_EXITS.timeout }, /^the code took more than 60 seconds/],
    [{ code: HELPER_EXITS.output }, /^the code printed more than 16 KiB/],
    [{ code: HELPER_EXITS.guest }, /^the code took apart the worker/],
    [{ code: 133, signal: "SIGTRAP" }, /^the process that ran the code ended early \(SIGTRAP\)/],
    [{ code: 1 }, /ended early \(exit code 1\)/],
    [{ overlong: true }, /^the code sent the host more than a call may hold/],
  ];
  for (const [end, expected] of ends) {
    const conversation = new Conversation().say('["print","kept"]', call(1)).end(end);
    assertMatch(await conversation.failure(), expected);
    const outcome = await conversation.run.outcome;
    assertEquals([outcome?.printed, outcome?.notes], ["kept", ["cancelled: a"]]);
    assertEquals(outcome?.error?.kind, end.code === HELPER_EXITS.timeout ? "timeout" : "tool");
  }
});

Deno.test("C3 the host ends a run whose helper does not watch the time, and one that floods", async () => {
  const silent = new Conversation(1).say();
  assertMatch(await silent.failure(), /^the code took more than 0.001 seconds/);
  assertEquals(silent.killed, 1);
  const line = JSON.stringify(["print", "x".repeat(1000)]);
  const flood = new Conversation().say(...new Array<string>(17).fill(line));
  assertMatch(await flood.failure(), /^the code printed more than 16 KiB/);
});

Deno.test("C3 a helper that ended before it took the code leaves the run to another one", async () => {
  const conversation = new Conversation();
  conversation.end({ code: 1 });
  assertEquals(await conversation.run.outcome, undefined);
});
