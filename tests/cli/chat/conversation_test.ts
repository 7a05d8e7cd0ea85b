import { Conversation } from "../../../lib/cli/chat/conversation.ts";
import type { ChatPort } from "../../../lib/cli/chat/port.ts";
import { ChatRenderer } from "../../../lib/cli/render/chat.ts";
import type { TurnResult } from "../../../lib/event.ts";
import type { Session, TurnOptions } from "../../../lib/kernel/agent.ts";
import { NO_USAGE } from "../../../lib/model/usage.ts";
import { assertEquals, assertStringIncludes } from "../../assert.ts";
import { PaperConsole } from "../paper.ts";

/** A session whose turns end when the test says so, or are interrupted. */
class ScriptedSession implements Session {
  readonly id = "s";
  readonly messages: string[] = [];
  readonly pending: string[] = [];
  /** Told of `,quit`, as the event of a real session tells. */
  onQuit: () => void = () => {};
  #finish: (status: TurnResult["status"]) => void = () => {};
  #started = Promise.withResolvers<void>();

  /** Resolves when the next turn has started. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  run(message: string, { signal }: TurnOptions): Promise<TurnResult> {
    this.messages.push(message);
    const { promise, resolve } = Promise.withResolvers<TurnResult>();
    const end = (status: TurnResult["status"]) =>
      resolve({
        session_id: this.id,
        output: "",
        status,
        steps: 1,
        usage: NO_USAGE,
        tasks: [],
        error: status === "ok" ? null : { kind: "tool", message: `ended as ${status}` },
      });
    if (message.startsWith(",")) {
      if (message.trim() === ",quit") {
        this.onQuit();
        this.#finish("interrupted");
      }
      end("ok");
    } else {
      this.#finish = end;
      signal.addEventListener("abort", () => end("interrupted"));
      this.#started.resolve();
      this.#started = Promise.withResolvers();
    }
    return promise;
  }

  finish(status: TurnResult["status"]): void {
    this.#finish(status);
  }

  steer(message: string): void {
    this.pending.push(message);
  }

  takePending(): readonly string[] {
    return this.pending.splice(0);
  }
}

function open({ isInteractive = false } = {}) {
  const console = new PaperConsole();
  const session = new ScriptedSession();
  const busy: boolean[] = [];
  const port: ChatPort = {
    answers: console.stdout,
    notes: console.stderr,
    isInteractive,
    setBusy: (on) => void busy.push(on),
  };
  const conversation = new Conversation({
    session,
    port,
    renderer: new ChatRenderer(port, session.id, 0),
    commandPrefix: ",",
    turn: {},
  });
  session.onQuit = () => conversation.push({ type: "quit" });
  return { conversation, session, console, busy, over: conversation.run() };
}

Deno.test("what comes while a turn runs steers it; what no step read is the next message", async () => {
  const { conversation, session, over } = open();
  let started = session.started;
  conversation.push({ type: "line", text: "one" });
  await started;
  started = session.started;
  conversation.push({ type: "line", text: "two" });
  conversation.push({ type: "line", text: "  " });
  conversation.push({ type: "line", text: "three" });
  conversation.push({ type: "line", text: ",help" });
  conversation.push({ type: "end" });
  session.finish("ok");
  await started;
  session.finish("ok");
  assertEquals(await over, 0);
  assertEquals(session.messages, ["one", "two\n\nthree", ",help"]);
});

Deno.test("SC5 ,quit in a script leaves when what stands before it is answered", async () => {
  const { conversation, session, over } = open();
  const { started } = session;
  for (const text of ["one", ",help", ",quit", "never"]) conversation.push({ type: "line", text });
  await started;
  session.finish("ok");
  assertEquals(await over, 0);
  assertEquals([session.messages, session.pending], [["one", ",help", ",quit"], []]);
});

Deno.test("SC5 L3 a script that ends with ,quit has the code of the turn before it", async () => {
  const { conversation, session, over } = open();
  const { started } = session;
  for (const text of ["one", ",quit"]) conversation.push({ type: "line", text });
  await started;
  session.finish("error");
  assertEquals(await over, 1);
});

Deno.test("T6 a person's command runs beside the turn under way", async () => {
  const { conversation, session, over } = open({ isInteractive: true });
  const { started } = session;
  conversation.push({ type: "line", text: "one" });
  await started;
  conversation.push({ type: "line", text: ",help" });
  conversation.push({ type: "line", text: ",,not a command" });
  conversation.push({ type: "line", text: ",quit" });
  assertEquals(await over, 0);
  assertEquals([session.messages, session.pending], [["one", ",help", ",quit"], [
    ",,not a command",
  ]]);
});

Deno.test("L3 a script's conversation ends with the code of its last turn", async () => {
  const { conversation, session, over, console } = open();
  const { started } = session;
  conversation.push({ type: "line", text: "one" });
  conversation.push({ type: "end" });
  await started;
  session.finish("error");
  assertEquals(await over, 1);
  assertStringIncludes(console.err.text, "bub: ended as error\n");
});

Deno.test("B72 Ctrl-C interrupts the turn, a second one leaves", async () => {
  const { conversation, session, over, busy } = open({ isInteractive: true });
  let { started } = session;
  conversation.push({ type: "line", text: "one" });
  await started;
  conversation.push({ type: "interrupt" });
  ({ started } = session);
  conversation.push({ type: "line", text: "two" });
  await started;
  conversation.push({ type: "interrupt" });
  conversation.push({ type: "interrupt" });
  conversation.push({ type: "interrupt" });
  assertEquals(await over, 130);
  assertEquals(session.messages, ["one", "two"]);
  assertEquals(busy.slice(0, 2), [false, true]);
});

Deno.test("B72 Ctrl-C while nothing runs: the first one warns, and anything else calms", async () => {
  const { conversation, over, console } = open({ isInteractive: true });
  conversation.push({ type: "interrupt" });
  conversation.push({ type: "line", text: "" });
  conversation.push({ type: "interrupt" });
  conversation.push({ type: "interrupt" });
  assertEquals(await over, 130);
  assertEquals(console.err.text.split("Ctrl-C again leaves").length - 1, 2);
});

Deno.test("B72 Ctrl-C while nothing runs ends a script's conversation", async () => {
  const { conversation, over } = open();
  conversation.push({ type: "interrupt" });
  assertEquals(await over, 130);
});

for (const input of [{ type: "line", text: ",quit" }, { type: "end" }] as const) {
  Deno.test(`SC5 ${JSON.stringify(input)} leaves`, async () => {
    const { conversation, over } = open({ isInteractive: true });
    conversation.push(input);
    assertEquals(await over, 0);
  });
}

Deno.test("SC5 ,quit ends the turn under way; so does a signal, with its code", async () => {
  for (
    const [input, code] of [
      [{ type: "line", text: " ,quit " }, 0],
      [{ type: "terminate", exitCode: 143 }, 143],
    ] as const
  ) {
    const { conversation, session, over } = open({ isInteractive: true });
    const { started } = session;
    conversation.push({ type: "line", text: "one" });
    await started;
    conversation.push(input);
    assertEquals(await over, code);
  }
});
