import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { bub } from "../cli/spawn.ts";
import { openWorkbench, type Workbench } from "../cli/workbench.ts";
import type { Answer } from "../provider/answer.ts";
import { startFakeAnthropic } from "../provider/fake_anthropic.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import type { FakeProvider } from "../provider/fake_provider.ts";

/** A provider whose server is strict about histories, and how to reach it. */
const PROVIDERS = {
  "openai-compatible": {
    start: (script: Answer[]) => startFakeOpenAI({ script, strict: {} }),
    env: (base: string) => ({ BUB_OPENAI_COMPATIBLE_API_BASE: base }),
  },
  anthropic: {
    start: (script: Answer[]) => startFakeAnthropic({ script, strict: {} }),
    env: (base: string) => ({ BUB_ANTHROPIC_API_BASE: base, ANTHROPIC_API_KEY: "sk-ant-canary" }),
  },
} as const;

type ProviderName = keyof typeof PROVIDERS;

function run(
  provider: ProviderName,
  server: FakeProvider,
  bench: Workbench,
  args: readonly string[],
) {
  const env = { ...bench.env, ...PROVIDERS[provider].env(server.base) };
  const model = ["--model", `${provider}:scripted`];
  return bub(["run", ...model, "-w", bench.workspace, ...args], { env });
}

for (const provider of Object.keys(PROVIDERS) as ProviderName[]) {
  Deno.test(`M1 T4 ${provider}: a run of several steps with parallel calls, in single bytes`, async () => {
    await using bench = await openWorkbench();
    await using server = PROVIDERS[provider].start([
      {
        text: "First.",
        calls: [
          { name: "fs_write", arguments: { path: "a.txt", content: "é€😀\n" } },
          { name: "bash", arguments: { command: "echo parallel" } },
        ],
        framing: { cut: "byte" },
      },
      { calls: [{ name: "fs_read", arguments: { path: "a.txt" } }], framing: { cut: "byte" } },
      { text: "It says é€😀.", framing: { cut: "byte", newline: "\r\n", noise: true } },
    ]);
    const { code, stdout, stderr } = await run(provider, server, bench, ["make a file"]);
    assertEquals([code, stdout], [0, "It says é€😀.\n"], stderr);
    assertEquals(await Deno.readTextFile(`${bench.workspace}/a.txt`), "é€😀\n");
    assertEquals(server.requests.length, 3);
    assertStringIncludes(JSON.stringify(server.requests[2]?.body), "é€😀");
  });

  Deno.test(`M3 ${provider}: 429 with Retry-After, a cut connection and an error in the stream are tried again`, async () => {
    await using bench = await openWorkbench();
    await using server = PROVIDERS[provider].start([
      { status: 429, headers: { "retry-after": "0" }, body: { error: { message: "slow down" } } },
      { text: "half an", end: "cut" },
      { text: "ha", error: { type: "overloaded_error", message: "overloaded" } },
      { text: "whole" },
    ]);
    const { code, stdout, stderr } = await run(provider, server, bench, ["hi"]);
    assertEquals([code, stdout], [0, "whole\n"], stderr);
    assertEquals(server.requests.length, 4);
    assertEquals(stderr.split("\n").filter((line) => /again|retry/i.test(line)).length, 3, stderr);
    const tapes = await Array.fromAsync(Deno.readDir(`${bench.root}/home/tapes`));
    const [tape] = tapes.filter(({ name }) => name.endsWith(".jsonl"));
    const text = await Deno.readTextFile(`${bench.root}/home/tapes/${tape?.name}`);
    assert(!text.includes("half an"), "the broken answer is on the tape");
  });
}

Deno.test("L5 E5 B09 the key reaches neither the tape nor what the model runs", async () => {
  await using bench = await openWorkbench();
  await using server = PROVIDERS.anthropic.start([
    { calls: [{ name: "bash", arguments: { command: "env | grep -c canary" } }] },
    { status: 401, body: { error: { message: "the key sk-ant-canary is wrong" } } },
  ]);
  const { code, stdout, stderr } = await run("anthropic", server, bench, ["print keys"]);
  assertEquals([code, stdout], [1, ""]);
  assert(!stderr.includes("sk-ant-canary"), stderr);
  assertMatch(JSON.stringify(server.requests[1]?.body), /exited with code 1/);
  for await (const { name } of Deno.readDir(`${bench.root}/home/tapes`)) {
    const text = await Deno.readTextFile(`${bench.root}/home/tapes/${name}`);
    assert(!text.includes("canary is") && !text.includes("sk-ant"), text);
  }
});

Deno.test("M2 a recorded run plays again without the server, tools and all", async () => {
  await using bench = await openWorkbench();
  const record = `${bench.root}/run.jsonl`;
  {
    await using server = PROVIDERS["openai-compatible"].start([
      { text: "Counting.", calls: [{ name: "bash", arguments: { command: "echo x >>log" } }] },
      { text: "Counted." },
    ]);
    const first = await run("openai-compatible", server, bench, ["go", "--record", record]);
    assertEquals([first.code, first.stdout], [0, "Counted.\n"], first.stderr);
  }
  const args = ["run", "--model", `replay:${record}`, "-w", bench.workspace, "other words"];
  const again = await bub(args, { env: bench.env });
  assertEquals([again.code, again.stdout], [0, "Counted.\n"], again.stderr);
  assertEquals(await Deno.readTextFile(`${bench.workspace}/log`), "x\nx\n");
});
