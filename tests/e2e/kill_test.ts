import { isJsonObject } from "../../lib/json.ts";
import { tapeName } from "../../lib/tape/name.ts";
import type { TapeEntry } from "../../lib/tape/entry.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { assert, assertEquals } from "../assert.ts";
import { bub, spawnBub } from "../cli/spawn.ts";
import { openWorkbench } from "../cli/workbench.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";

/** Kills at random moments; `BUB_KILL_ROUNDS` asks for more. */
const ROUNDS = Number(Deno.env.get("BUB_KILL_ROUNDS") ?? 16);
/** Runs killed at the same time, each on a session of its own. */
const LANES = 4;
/** Steps of one run. */
const STEPS = 6;

Deno.test("TP3 TP4 B23 kill -9 at any moment loses no finished step, and the next run goes on", async () => {
  await using bench = await openWorkbench();
  let killed = 0;
  await using server = startFakeOpenAI({
    strict: {},
    // The answer depends on the request alone, as runs overlap: so many steps since the last prompt.
    script: ({ body }) => {
      const messages = body.messages as { role: string; content: unknown }[];
      const prompt = messages.findLastIndex(({ role }) => role === "user");
      const step = messages.slice(prompt).filter(({ role }) => role === "assistant").length;
      const done = step >= STEPS || `${messages[prompt]?.content}`.startsWith("still");
      return done
        ? { text: "done" }
        : { calls: [{ name: "bash", arguments: { command: `echo ${step} >>log` } }] };
    },
  });
  const env = {
    ...bench.env,
    BUB_MODEL: "openai-compatible:scripted",
    BUB_API_BASE: server.base,
  };
  const store = new FileTapeStore(`${bench.root}/home/tapes`);

  const lane = async (id: string, rounds: number) => {
    const workspace = `${bench.workspace}/${id}`;
    await Deno.mkdir(workspace);
    const common = ["-w", workspace, "--session-id", id];
    let finished = 0;
    for (let round = 0; round < rounds; round++) {
      await using child = await spawnBub(["run", ...common, `go ${round}`], { env });
      const over = child.output();
      // From before its first entry to behind its end: a run takes about as long as the longest.
      await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 500));
      try {
        child.kill("SIGKILL");
        killed++;
      } catch {
        // It had ended.
      }
      await over;
      const tape = await Array.fromAsync(store.read(tapeName(workspace, id), "oldest"));
      finished = checkTape(tape, finished);
      const log = await Deno.readTextFile(`${workspace}/log`).catch(() => "");
      const ran = log.split("\n").length - 1;
      // A step counts as finished once it is on the tape; the one that was killed may have run.
      assert(ran - finished >= 0 && ran - finished <= round + 1, `${ran} ran, ${finished} on tape`);
    }
    const last = await bub(["run", ...common, "still there?"], { env });
    assertEquals([last.code, last.stdout], [0, "done\n"], last.stderr);
  };
  await Promise.all(
    Array.from({ length: LANES }, (_, n) => lane(`lane-${n}`, Math.ceil(ROUNDS / LANES))),
  );
  assert(killed > 0);
});

/** Ids are consecutive and steps whole; returns how many calls are on the tape, never fewer. */
function checkTape(tape: readonly TapeEntry[], before: number): number {
  assertEquals(tape.map(({ id }) => id), tape.map((_, index) => index + 1));
  const calls = tape.filter(({ kind }) => kind === "tool_call");
  for (const call of calls) {
    // All entries of a step are written at once: results and the run event follow their call.
    const [, results, run] = tape.slice(call.id - 1);
    assertEquals(results?.kind, "tool_result");
    assert(run?.payload.name === "run" && isJsonObject(run.payload.data));
    assertEquals(run.payload.data.status, "ok");
  }
  assert(calls.length >= before, `${before} steps were on the tape, now ${calls.length}`);
  return calls.length;
}
