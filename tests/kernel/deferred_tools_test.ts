import { isJsonObject } from "../../lib/json.ts";
import { defineTool } from "../../lib/tool/tool.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { outline, TemporaryAgent } from "./temporary_agent.ts";

const NEVER = new AbortController().signal;

const clock = defineTool({
  name: "clock.read",
  description: "Tells the time of a city.\nWith many words that only its users need.",
  exposure: "deferred",
  parameters: (z) => z.object({ city: z.string().describe("Where") }),
  run: ({ city }) => `noon in ${city}`,
});

const TOOLS = { tools: [clock] };
const read = { name: "clock_read", arguments: { city: "Rome" } };
const describe = { name: "tool_describe", arguments: { names: ["clock_read"] } };

interface RequestBody {
  readonly messages: { readonly role: string; readonly content: string }[];
  readonly tools: { readonly function: { readonly name: string } }[];
}

function request(app: TemporaryAgent, n: number): RequestBody {
  return app.server.requests[n]?.body as unknown as RequestBody;
}

/** For each request so far, whether it offered the deferred tool. */
function offered(app: TemporaryAgent): boolean[] {
  return app.server.requests.map((_, n) =>
    request(app, n).tools.some((tool) => tool.function.name === "clock_read")
  );
}

Deno.test("S3 a deferred tool is a line in the prompt until it is described, then callable", async () => {
  await using app = await TemporaryAgent.open(
    [{ calls: [read] }, { calls: [describe] }, { calls: [read] }, { text: "It is noon." }],
    {},
    TOOLS,
  );
  const { output } = await app.run("what time is it?");
  assertEquals(output, "It is noon.");
  assertEquals(offered(app), [false, false, true, true]);
  const [first] = request(app, 0).messages;
  assertStringIncludes(first?.content ?? "", "- clock_read: Tells the time of a city.\n");
  assert(!first?.content.includes("many words"), "one line alone");
  assertEquals(request(app, 3).messages[0], first, "the prompt stays as it was");
  const results = request(app, 3).messages.filter(({ role }) => role === "tool");
  assertMatch(
    results[0]?.content ?? "",
    /clock_read is not loaded; call tool_describe .*clock_read/,
  );
  const described = JSON.parse(results[1]?.content ?? "");
  assertEquals(described, {
    tools: [{
      name: "clock_read",
      description: clock.description,
      parameters: {
        type: "object",
        properties: { city: { type: "string", description: "Where" } },
        required: ["city"],
      },
    }],
    unknown: [],
    already_loaded: [],
  });
  assertEquals(results[2]?.content, "noon in Rome");
});

Deno.test("S3 the call of the step that describes a tool comes too early", async () => {
  await using app = await TemporaryAgent.open(
    [{ calls: [describe, read] }, { text: "ok" }],
    {},
    TOOLS,
  );
  await app.run("go");
  const [, early] = request(app, 1).messages.filter(({ role }) => role === "tool");
  assertStringIncludes(early?.content ?? "", "is not loaded");
});

Deno.test("S3 loading is on the tape, holds in the next turn and process, and ends with a reset", async () => {
  await using app = await TemporaryAgent.open(
    (_, n) => n === 0 ? { calls: [describe] } : { text: "ok" },
    {},
    TOOLS,
  );
  await app.run("load it");
  const tape = await app.tape();
  const [event] = tape.filter(({ payload }) => payload.name === "tool.loaded");
  assertEquals(event?.payload.data, { names: ["clock.read"] });
  const order = outline(tape);
  assert(order.indexOf("event:tool.loaded") < order.indexOf("tool_call"), "as it happened");
  await app.run("next turn");
  const later = (await app.another(TOOLS)).session("cli:local");
  await later.run("next process", { signal: NEVER });
  assertEquals(offered(app), [false, true, true, true]);
  await app.run(",tape.reset");
  await later.run("after the reset", { signal: NEVER });
  assertEquals(offered(app).at(-1), false);
});

Deno.test("S3 without tool.describe in the turn's tools a deferred one is offered at once", async () => {
  await using app = await TemporaryAgent.open([{ calls: [read] }, { text: "ok" }], {}, TOOLS);
  await app.run("go", { allowedTools: ["clock.read"] });
  assertEquals(offered(app), [true, true]);
  assertEquals(request(app, 1).messages.at(-1)?.content, "noon in Rome");
  assert(!request(app, 0).messages[0]?.content.includes("tool_describe"));
});

Deno.test("T2 S3 the command tool.describe shows what is there, and loads it too", async () => {
  await using app = await TemporaryAgent.open(() => ({ text: "ok" }), {}, TOOLS);
  const names = '["fs_read","clock.read","QUIT","no.such","fs.read"]';
  const { output } = await app.run(`,tool.describe ${names}`);
  const value: unknown = JSON.parse(output);
  assert(isJsonObject(value) && Array.isArray(value.tools));
  assertEquals(value.tools.map(({ name }) => name), ["fs.read", "clock.read", "quit"]);
  assertEquals([value.unknown, value.already_loaded], [["no.such"], ["fs.read"]]);
  const again = JSON.parse((await app.run(',tool.describe ["clock.read"]')).output);
  assertEquals(again.already_loaded, ["clock.read"]);
  await app.run("go");
  assertEquals(offered(app), [true]);
});
