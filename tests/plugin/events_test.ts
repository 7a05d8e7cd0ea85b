import type { PluginParts } from "../../lib/plugin/plugin.ts";
import { assertEquals } from "../assert.ts";
import { TemporaryAgent } from "../kernel/temporary_agent.ts";

const answers = [
  { calls: [{ name: "bash", arguments: { command: "echo ran" } }] },
  { text: ["one ", "two"] },
];

Deno.test("H1 handlers get the events of their name, with all fields, in order", async () => {
  const seen: unknown[] = [];
  const watcher: PluginParts = {
    name: "watcher",
    events: {
      "tool.end": ({ name, output, session_id }) => void seen.push([name, output, session_id]),
      text: ({ text, step }) => void seen.push([text, step]),
      result: ({ output }) => void seen.push(output),
    },
  };
  await using app = await TemporaryAgent.open(answers, {}, { plugins: [watcher] });
  await app.run("go");
  assertEquals(seen, [["bash", "ran\n", "cli:local"], ["one ", 2], ["two", 2], "one two"]);
});

Deno.test("H1 A10 a handler that throws or rejects is logged once and harms nobody", async () => {
  const seen: string[] = [];
  const faulty: PluginParts = {
    name: "faulty",
    events: {
      text() {
        throw new Error("no words");
      },
      "turn.start": () => Promise.reject(new Error("no start")),
    },
  };
  const watcher: PluginParts = {
    name: "watcher",
    events: { text: ({ text }) => void seen.push(text) },
  };
  await using app = await TemporaryAgent.open(answers, {}, { plugins: [faulty, watcher] });
  const result = await app.run("go");
  assertEquals([result.status, seen], ["ok", ["one ", "two"]]);
  assertEquals(app.warnings, [
    "the handler of faulty for turn.start failed: no start (said once)",
    "the handler of faulty for text failed: no words (said once)",
  ]);
});
