import { isJsonObject } from "../../lib/json.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { sidecarName, tapeName } from "../../lib/tape/name.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { TemporaryAgent } from "./temporary_agent.ts";

const MIB = 2 ** 20;

/** Prints so many MiB of the letter. */
const flood = (letter: string, mib: number) => ({
  name: "bash",
  arguments: { command: `head -c ${mib * MIB} /dev/zero | tr '\\0' ${letter}` },
});

/** The contents of the tool messages of the nth request. */
function results(app: TemporaryAgent, n: number): string[] {
  const { messages } = app.server.requests[n]?.body as unknown as {
    messages: { role: string; content: string }[];
  };
  return messages.filter(({ role }) => role === "tool").map(({ content }) => content);
}

Deno.test("SP1 SP2 B44 long results are in the side store once, and the model reads them from there", async () => {
  let handle = "";
  await using app = await TemporaryAgent.open(({ body }, n) => {
    if (n === 0) {
      return {
        calls: [flood("a", 1), flood("b", 3), {
          name: "bash",
          arguments: { command: "echo short" },
        }],
      };
    }
    if (n > 1) return { text: "done" };
    [, handle = ""] = /handle ([0-9a-f]{32}) …\]\\nb/.exec(JSON.stringify(body)) ?? [];
    return { calls: [{ name: "spill_read", arguments: { handle, from_end: true, count: 2 } }] };
  });
  assertEquals((await app.run("go")).output, "done");
  const [a = "", b = "", short, read = ""] = results(app, 2);
  for (const [letter, text, chunks] of [["a", a, 64], ["b", b, 192]] as const) {
    assertMatch(text, new RegExp(`^${letter}{300}\n.* ${chunks} chunks .*\n${letter}{300}$`));
  }
  assertEquals(short, "short\n");
  const slice: unknown = JSON.parse(read);
  assertEquals(slice, { content: "b".repeat(32 * 1024), next_cursor: 2, complete: false });

  const tapes = `${app.home}/tapes`;
  const name = tapeName(app.workspace, "cli:local");
  const lines = (await Deno.readTextFile(`${tapes}/${name}.jsonl`)).split("\n");
  const longest = Math.max(...lines.map(({ length }) => length));
  assert(longest < 48 * 1024, `a line of ${longest}`);
  const { size } = await Deno.stat(`${tapes}/${sidecarName(name, "spill")}.jsonl`);
  assert(size > 4 * MIB && size < 5 * MIB, `${size} bytes in the side store`);
  const shown = app.events.flatMap((event) => event.type === "tool.end" ? [event.output] : []);
  assert(shown.includes(a) && shown.includes(b), "watchers see what the model sees");
  const tape = await app.tape();
  const context = tape.filter(({ kind }) => kind === "tool_result").map(({ payload }) => payload);
  assertEquals(context[0]?.results, [a, b, "short\n"]);
});

Deno.test("SP1 a failed command's long output is stored, and its exit code stays", async () => {
  await using app = await TemporaryAgent.open([
    { calls: [{ name: "bash", arguments: { command: "seq 100000; exit 3" } }] },
    { text: "done" },
  ]);
  await app.run("go");
  const report: unknown = JSON.parse(results(app, 1)[0] ?? "");
  assert(isJsonObject(report) && isJsonObject(report.details));
  assertEquals([report.message, report.details.exit_code], ["command exited with code 3", 3]);
  assertMatch(String(report.details.output), /^1\n2\n[^]*spill_read[^]*\n100000\n$/);
});

Deno.test("SP1 nothing is stored without spill.read among the tools, or with threshold 0; what is stays readable until a reset", async () => {
  const script = () =>
    app.server.requests.length % 2 === 1 ? { calls: [flood("x", 1)] } : { text: "ok" };
  await using app = await TemporaryAgent.open(script);
  await app.run("go");
  const [, handle = ""] = /handle ([0-9a-f]{32})/.exec(results(app, 1)[0] ?? "") ?? [];
  await app.run("go", { allowedTools: ["bash"] });
  assertEquals(results(app, 3).at(-1)?.length, MIB);
  const off = (await app.another({ env: { BUB_SPILL_THRESHOLD: "0" } })).session("other");
  await off.run("go", { signal: new AbortController().signal });
  assertEquals(results(app, 5).at(-1)?.length, MIB);
  const here = (await app.another({ env: { BUB_SPILL_THRESHOLD: "0" } })).session("cli:local");
  const read = await here.run(`,spill.read ${handle}`, { signal: new AbortController().signal });
  assertEquals(JSON.parse(read.output).content, "x".repeat(16 * 1024));
  await app.run(",tape.reset");
  assertEquals((await app.run(`,spill.read ${handle}`)).error?.kind, "not_found");
});

Deno.test("SP1 T7 a text command prints its whole output and stores nothing", async () => {
  await using app = await TemporaryAgent.open([]);
  const { output } = await app.run(",head -c 100000 /dev/zero | tr '\\0' c");
  assertEquals(output.length, 100_000);
  const store = new FileTapeStore(`${app.home}/tapes`);
  assertEquals((await store.list()).map(({ name }) => name), [
    tapeName(app.workspace, "cli:local"),
  ]);
});

Deno.test("SP1 B43 a full side store is said to the model and the user, and the turn goes on", async () => {
  await using app = await TemporaryAgent.open([{ calls: [flood("a", 1)] }, { text: "done" }]);
  // A folder in the place of the side store's file cannot be written, whoever runs the test.
  const name = tapeName(app.workspace, "cli:local");
  await Deno.mkdir(`${app.home}/tapes/${sidecarName(name, "spill")}.jsonl`, { recursive: true });
  assertEquals((await app.run("go")).output, "done");
  const [text = ""] = results(app, 1);
  assertStringIncludes(text, "the middle is lost, as it could not be stored");
  assertEquals(text.replace(/\n.*\n/, "").length, 4096 * 4);
  const [warning] = app.events.flatMap((event) => event.type === "warning" ? [event.message] : []);
  assertMatch(warning ?? "", /^a long result of bash could not be stored and was cut: /);
});
