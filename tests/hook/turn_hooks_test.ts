import type { TurnResult } from "../../lib/event.ts";
import type { Hooks, HookTurn } from "../../lib/hook/hooks.ts";
import type { PluginParts } from "../../lib/plugin/plugin.ts";
import { selectMessages } from "../../lib/tape/select.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { outline, TemporaryAgent } from "../kernel/temporary_agent.ts";

/** Plugins named a, b, c… in the order they are registered: the last is asked first. */
function plugins(...hooks: Hooks[]): readonly PluginParts[] {
  return hooks.map((each, index) => ({ name: "abc"[index] ?? "?", hooks: each }));
}

const open = (answers: Parameters<typeof TemporaryAgent.open>[0], ...hooks: Hooks[]) =>
  TemporaryAgent.open(answers, {}, { plugins: plugins(...hooks) });

/** The messages of the nth request, counted from 0. */
function messages(app: TemporaryAgent, n: number): Record<string, unknown>[] {
  const body = app.server.requests[n]?.body as { messages: Record<string, unknown>[] };
  return body.messages;
}

/** The warnings among the events. */
function warned(app: TemporaryAgent): string[] {
  return app.events.flatMap((event) => event.type === "warning" ? [event.message] : []);
}

const echo = { name: "bash", arguments: { command: "echo ran" } };

function fail(): never {
  throw new Error("out of order");
}

Deno.test("H2 systemPrompt appends a text, replaces by a list, and chains from the last on", async () => {
  await using app = await open(
    [{ text: "ok" }],
    {
      systemPrompt: (_turn, sections) =>
        sections.map(({ name, text }) => ({ name, text: name === "c" ? `${text}!` : text })),
    },
    { systemPrompt: fail },
    { systemPrompt: ({ message }) => `They said ${message}.` },
  );
  await app.run("hello");
  const system = String(messages(app, 0)[0]?.content);
  assertStringIncludes(system, "You are bub");
  assert(system.endsWith("\n\nThey said hello.!"), system);
  assertEquals(warned(app), ["the hook systemPrompt of b failed and was skipped: out of order"]);
});

Deno.test("H2 systemPrompt can drop every section; what is no section is skipped", async () => {
  await using app = await open(
    [{ text: "ok" }],
    { systemPrompt: () => [{ name: "all", text: "Be brief." }] },
    { systemPrompt: () => [{ text: 1 }] as never },
  );
  await app.run("hello");
  assertEquals(messages(app, 0)[0], { role: "system", content: "Be brief." });
  const [warning = ""] = warned(app);
  assertStringIncludes(warning, "systemPrompt of b failed and was skipped: expected a text or");
});

Deno.test("H2 buildPrompt makes the prompt of the message; the first text ends the row", async () => {
  let asked = 0;
  await using app = await open(
    [{ text: "ok" }],
    { buildPrompt: () => void asked++ },
    { buildPrompt: ({ message }) => `Translate: ${message}` },
    { buildPrompt: () => Promise.reject(new Error("gone")) },
  );
  await app.run("bonjour");
  assertEquals(messages(app, 0).at(-1), { role: "user", content: "Translate: bonjour" });
  assertEquals(asked, 0);
  assertEquals(warned(app), ["the hook buildPrompt of c failed and was skipped: gone"]);
});

Deno.test("H2 continuePrompt puts a message before later steps, and by default none", async () => {
  const steps: number[] = [];
  await using app = await open(
    [{ calls: [echo] }, { calls: [echo] }, { text: "done" }],
    {
      continuePrompt: (_turn, step) => {
        steps.push(step);
        return step === 2 ? "Go on." : undefined;
      },
    },
  );
  await app.run("start");
  assertEquals(steps, [2, 3]);
  const users = messages(app, 2).filter(({ role }) => role === "user");
  assertEquals(users.map(({ content }) => content), ["start", "Go on."]);
});

Deno.test("H2 beforeModelCall changes the request for the model, not for the tape", async () => {
  await using app = await open(
    [{ text: "ok" }],
    {
      beforeModelCall: (_turn, { request, step }) => ({
        action: "proceed",
        request: { maxTokens: request.maxTokens + step, tools: request.tools.slice(0, 1) },
      }),
    },
    {
      beforeModelCall: () => ({
        action: "proceed",
        request: { messages: [{ role: "user", content: "secret removed" }], maxTokens: 100 },
      }),
    },
    { beforeModelCall: () => ({ action: "proceed", request: { sessionId: "x" } as never }) },
  );
  await app.run("my secret");
  const body = app.server.requests[0]?.body as Record<string, unknown>;
  assertEquals(messages(app, 0).slice(1), [{ role: "user", content: "secret removed" }]);
  assertEquals([body.max_tokens, (body.tools as unknown[]).length], [101, 1]);
  const tape = await app.tape();
  assertEquals(tape.find(({ kind }) => kind === "message")?.payload.content, "my secret");
  assertStringIncludes(
    warned(app)[0] ?? "",
    'the field "sessionId" of a request cannot be changed',
  );
});

Deno.test("H2 beforeModelCall answers in the model's place, tool calls included", async () => {
  await using app = await open(
    [{ text: "from the model" }],
    {
      beforeModelCall: (_turn, { step }) =>
        step > 1 ? undefined : {
          action: "replace",
          answer: {
            text: "I look.",
            calls: [{
              id: "own_1",
              type: "function",
              function: { name: "bash", arguments: `{"command":"echo from-hook"}` },
            }],
          },
        },
    },
  );
  const result = await app.run("go");
  assertEquals([result.output, result.steps], ["from the model", 2]);
  assertEquals(app.server.requests.length, 1);
  const results = (await app.tape()).find(({ kind }) => kind === "tool_result");
  assertEquals(results?.payload.results, ["from-hook\n"]);
  const texts = app.events.flatMap((event) => event.type === "text" ? [event.text] : []);
  assertEquals(texts[0], "I look.");
});

Deno.test("H2 only a returned decision denies a model call; the turn fails with permission", async () => {
  await using app = await open(
    [{ text: "never" }],
    { beforeModelCall: () => ({ action: "deny", message: "not after midnight" }) },
    { beforeModelCall: () => ({ action: "forbid" }) as never },
    { beforeModelCall: fail },
  );
  const result = await app.run("go");
  assertEquals(result.error, { kind: "permission", message: "not after midnight" });
  assertEquals([result.status, app.server.requests.length], ["error", 0]);
  assertEquals(warned(app).length, 2);
  const { payload } = (await app.tape()).find(({ kind }) => kind === "error") ?? {};
  assertEquals(payload?.message, "not after midnight");
});

Deno.test("H2 afterModelCall replaces an answer before anybody has seen it", async () => {
  await using app = await open(
    [{ reasoning: "it is 1234", text: ["the pass", "word is 1234"] }],
    {
      afterModelCall: (_turn, _call, { text }) => ({
        action: "replace",
        answer: { text: text.replace(/\d+/, "…") },
      }),
    },
    { afterModelCall: fail },
    {
      afterModelCall: (_turn, _call, { text }) => ({
        action: "replace",
        answer: { text: `${text}!` },
      }),
    },
  );
  const result = await app.run("tell");
  assertEquals(result.output, "the password is …!");
  const texts = app.events.flatMap((event) => event.type === "text" ? [event.text] : []);
  assertEquals(texts, ["the password is …!"]);
  assert(!JSON.stringify([app.events, await app.tape()]).includes("1234"));
  assertEquals(warned(app), ["the hook afterModelCall of b failed and was skipped: out of order"]);
});

Deno.test("H2 an answer that afterModelCall lets pass keeps its reasoning", async () => {
  await using app = await open([{ reasoning: ["I ", "think"], text: "so" }], {
    afterModelCall() {},
  });
  await app.run("tell");
  const words = app.events.flatMap((event) =>
    event.type === "text" || event.type === "reasoning" ? [[event.type, event.text]] : []
  );
  assertEquals(words, [["reasoning", "I think"], ["text", "so"]]);
  const answer = (await app.tape()).find(({ payload }) => payload.role === "assistant");
  assertEquals(answer?.payload.reasoning, [{ text: "I think" }]);
});

Deno.test("H2 without afterModelCall the words of an answer are seen as they come", async () => {
  await using app = await open([{ text: ["one ", "two"] }], { systemPrompt: () => "x" });
  await app.run("tell");
  const texts = app.events.flatMap((event) => event.type === "text" ? [event.text] : []);
  assertEquals(texts, ["one ", "two"]);
});

Deno.test("H2 TP5 buildTapeContext chooses the anchor and the selector of each step", async () => {
  const answers = [{ text: "first" }, { text: "second" }];
  await using app = await open(
    answers,
    { buildTapeContext: ({ message }) => message === "two" ? { anchor: null } : undefined },
    { buildTapeContext: () => ({ anchor: "no such anchor" }) },
    {
      buildTapeContext: () => ({
        anchor: "last",
        select() {
          throw new Error("cannot select");
        },
      }),
    },
  );
  await app.run("one");
  await app.run("two");
  assertEquals(messages(app, 0).slice(1), [{ role: "user", content: "one" }]);
  assertEquals(messages(app, 1).slice(1), [
    { role: "assistant", content: '[Anchor created: session/start]: {"owner":"human"}' },
    { role: "user", content: "one" },
    { role: "assistant", content: "first" },
    { role: "user", content: "two" },
  ]);
  assertEquals(warned(app).slice(0, 2), [
    "the hook buildTapeContext of c failed and was skipped: cannot select",
    'the hook buildTapeContext of b failed and was skipped: the tape has no anchor named "no such anchor"',
  ]);
});

Deno.test("H2 the selector of buildTapeContext sees entries and makes the messages", async () => {
  await using app = await open([{ text: "first" }, { text: "second" }], {
    buildTapeContext: () => ({
      anchor: "last",
      select: (entries) => selectMessages(entries.filter(({ kind }) => kind !== "message")),
    }),
  });
  await app.run("one");
  await app.run("two");
  assertEquals(messages(app, 1).slice(1), [{ role: "user", content: "two" }]);
});

Deno.test("H2 the state of a turn is loaded, passed along to hooks and tools, and saved", async () => {
  const saved: [HookTurn["state"], TurnResult["status"]][] = [];
  await using app = await open(
    [{ calls: [echo] }, { text: "done" }, { text: "again" }],
    {
      loadState: ({ sessionId }) => ({ owner: "a", session: sessionId }),
      beforeToolCall: ({ context }) => {
        if (context.state !== undefined) context.state.tools = Number(context.state.tools ?? 0) + 1;
      },
    },
    {
      loadState: () => Promise.resolve({ owner: "b" }),
      systemPrompt: ({ state }) => void (state.prompted = true),
      saveState: ({ state }, { status }) => void saved.push([{ ...state }, status]),
    },
    { loadState: () => 5 as never, saveState: fail },
  );
  await app.run("one");
  await app.run("two");
  const base = { owner: "b", session: "cli:local", prompted: true };
  assertEquals(saved, [[{ ...base, tools: 1 }, "ok"], [base, "ok"]]);
  assertStringIncludes(warned(app)[0] ?? "", "loadState of c failed and was skipped: expected an");
  assertEquals(warned(app).at(-1), "the hook saveState of c failed and was skipped: out of order");
});

Deno.test("H2 saveState and onError are told of a turn that failed, and change nothing", async () => {
  const told: unknown[] = [];
  await using app = await open([{ status: 401, body: `{"error":{"message":"bad key"}}` }], {
    saveState: (_turn, { status, error }) => void told.push(["saveState", status, error?.kind]),
    onError: ({ stage, message, error }) => void told.push(["onError", stage, message, error.kind]),
  }, { onError: fail });
  const result = await app.run("go");
  assertEquals(result.error?.kind, "auth");
  assertEquals(told, [["saveState", "error", "auth"], ["onError", "turn", "go", "auth"]]);
  assertEquals(warned(app), ["the hook onError of b failed and was skipped: out of order"]);
});

Deno.test("H2 onError is told of a text command that failed; a command is no turn", async () => {
  const told: unknown[] = [];
  await using app = await open([], {
    loadState: fail,
    saveState: fail,
    buildPrompt: fail,
    onError: ({ stage, message, error }) => void told.push([stage, message, error.kind]),
  });
  await app.run(",fs.read nowhere.txt");
  assertEquals(told, [["command", ",fs.read nowhere.txt", "not_found"]]);
  assertEquals(warned(app), []);
});

Deno.test("T8 beforeToolCall of a plugin denies a call, also one of a text command", async () => {
  await using app = await open(
    [{ calls: [echo] }, { text: "done" }],
    {
      beforeToolCall: ({ tool, args }) =>
        tool.name === "bash" && String(args.command).startsWith("echo")
          ? { action: "deny", message: "no echoes" }
          : undefined,
    },
    { beforeToolCall: fail },
  );
  await app.run("go");
  const results = (await app.tape()).find(({ kind }) => kind === "tool_result");
  assertEquals(results?.payload.results, [{ kind: "permission", message: "no echoes" }]);
  const result = await app.run(",echo hello");
  assertEquals(result.error?.message, "no echoes");
  assertEquals(
    warned(app)[0],
    "the hook beforeToolCall of b failed for bash and was skipped: out of order",
  );
});

Deno.test("H2 an interrupted turn does not wait for a hook that hangs", async () => {
  const stop = new AbortController();
  await using app = await open([{ text: "never" }], {
    systemPrompt: () => {
      stop.abort();
      return new Promise<string>(() => {});
    },
  });
  const result = await app.run("go", { signal: stop.signal });
  assertEquals(result.status, "interrupted");
  assertEquals(warned(app), []);
});

Deno.test("H2 resolveSession gives a conversation another session", async () => {
  await using app = await open(
    [{ text: "ok" }],
    { resolveSession: ({ sessionId, message }) => `${sessionId}/${message}` },
    { resolveSession: () => "" },
  );
  const id = await app.agent.resolveSession("cli:local", "hello");
  assertEquals(id, "cli:local/hello");
  assertEquals(app.warnings, [
    'the hook resolveSession of b failed and was skipped: expected a session id, got ""',
  ]);
  await app.session(id).run("hello", { signal: new AbortController().signal });
  assertEquals(outline(await app.tape(id)).filter((kind) => kind.startsWith("message")), [
    "message:user",
    "message:assistant",
  ]);
});

Deno.test("H2 provideSidecar gives sessions tapes beside their own, out of the context", async () => {
  await using app = await open(
    [{ text: "ok" }],
    {
      provideSidecar: () => ["notes", "facts"],
      async buildPrompt({ sidecars }) {
        await sidecars.notes?.append({
          kind: "message",
          payload: { role: "user", content: "aside" },
        });
        return undefined;
      },
    },
    { provideSidecar: () => "Not A Name" },
  );
  await app.run("go");
  assert(!JSON.stringify(messages(app, 0)).includes("aside"));
  const files = await Array.fromAsync(Deno.readDir(`${app.home}/tapes`));
  assertEquals(files.filter(({ name }) => name.endsWith("__sidecar__notes.jsonl")).length, 1);
  assertStringIncludes(
    app.warnings[0] ?? "",
    "the hook provideSidecar of b failed and was skipped",
  );
});
