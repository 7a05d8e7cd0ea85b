import { assertEquals } from "../assert.ts";
import { askAfter, askBefore, type InterceptedCall, type ToolHooks } from "../../lib/tool/hooks.ts";
import { renderOutput, type ToolResult } from "../../lib/tool/result.ts";
import { ToolRegistry } from "../../lib/tool/registry.ts";
import { info } from "./sample_tools.ts";
import { Workbench } from "./workbench.ts";

const DECISION = "expected a decision with a known action, got";

/** What a hook must not return, and what the log says of it. */
const WRONG: readonly (readonly [returned: unknown, problem: string])[] = [
  [false, `${DECISION} false`],
  [{}, `${DECISION} {}`],
  ["deny", `${DECISION} "deny"`],
  [0, `${DECISION} 0`],
  [[], `${DECISION} []`],
  [
    { action: "replace" },
    'expected a text or a JSON value as "result", got undefined',
  ],
];

const WRONG_BEFORE: typeof WRONG = [
  ...WRONG,
  [{ action: "proceed", args: null }, 'expected an object as "args", got null'],
  [{ action: "proceed", args: ["a"] }, 'expected an object as "args", got [ "a" ]'],
];

async function intercepted(): Promise<AsyncDisposable & { readonly call: InterceptedCall }> {
  const bench = await Workbench.open(new ToolRegistry([info]));
  return {
    call: { tool: info, args: { a: 1 }, context: bench.context },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

Deno.test("H2 T8 what a hook before a call must not return is logged, and counts as nothing", async () => {
  await using bench = await intercepted();
  for (const [returned, problem] of WRONG_BEFORE) {
    const hooks: ToolHooks[] = [{ name: "p", beforeToolCall: () => returned as never }];
    const told: string[] = [];
    const decision = await askBefore(hooks, bench.call, (message) => void told.push(message));
    assertEquals(decision, { action: "proceed", args: { a: 1 } });
    const skipped = "the hook beforeToolCall of p failed for tape.info and was skipped";
    assertEquals(told, [`${skipped}: ${problem}`]);
  }
});

Deno.test("H2 T8 what a hook after a call must not return is logged, and the result stays", async () => {
  await using bench = await intercepted();
  const made = (value: unknown): ToolResult => ({
    ...renderOutput(value),
    callId: "1",
    name: "tape.info",
    elapsedMs: 0,
  });
  const result = made("as it was");
  for (const [returned, problem] of WRONG) {
    const hooks: ToolHooks[] = [{ name: "p", afterToolCall: () => returned as never }];
    const told: string[] = [];
    const kept = await askAfter(hooks, bench.call, result, made, (line) => void told.push(line));
    assertEquals(kept, result);
    const skipped = "the hook afterToolCall of p failed for tape.info and was skipped";
    assertEquals(told, [`${skipped}: ${problem}`]);
  }
});

Deno.test("H2 T8 nothing and null are no opinion", async () => {
  await using bench = await intercepted();
  for (const returned of [undefined, null]) {
    const hooks: ToolHooks[] = [{ beforeToolCall: () => returned as never }];
    const told: string[] = [];
    await askBefore(hooks, bench.call, (message) => void told.push(message));
    assertEquals(told, []);
  }
});

Deno.test("H2 T8 a denial whose message is no text denies all the same", async () => {
  await using bench = await intercepted();
  for (const message of [{ de: "nein" }, undefined, 7, ""]) {
    const hooks: ToolHooks[] = [
      { beforeToolCall: () => ({ action: "deny", message }) as never },
    ];
    assertEquals(await askBefore(hooks, bench.call, () => {}), {
      action: "deny",
      message: "a hook denied it, without a text that says why",
    });
  }
});
