/**
 * The model of the bench, a process of its own: Chat Completions that ask for `n` tool calls one
 * after another and then answer "done". Each call runs what the first line of the user's message
 * says. Prints its port, then for each request a line of JSON (`Arrival`); ends with its input.
 *
 *     deno run -A scripts/bench/model_server.ts
 */
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import type { Answer } from "../../tests/provider/answer.ts";
import { startFakeOpenAI } from "../../tests/provider/fake_openai.ts";

/** A request that reached the server. */
export interface Arrival {
  /** When it did, in milliseconds since 1970. */
  readonly at: number;
  /** Bytes of its body. */
  readonly size: number;
}

/** What a user's message asks the model to do. */
export interface Job {
  readonly command: string;
  /** How many times, one call a step. */
  readonly calls: number;
  /** How many subagents to start in the first step, each to say "done". */
  readonly subagents?: number;
}

if (import.meta.main) {
  await using server = startFakeOpenAI({
    script: ({ at, size, body }) => {
      tell({ at: performance.timeOrigin + at, size } satisfies Arrival);
      return answer(body);
    },
  });
  tell(server.port);
  await Deno.stdin.readable.pipeTo(new WritableStream());
}

/** The request itself says how far the job is: nothing has to be reset between two runs. */
function answer({ messages }: JsonObject): Answer {
  const sent = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
  const asked = sent.find(({ role }) => role === "user")?.content;
  const job: Job = JSON.parse(typeof asked === "string" ? asked : "null");
  const done = sent.filter(({ role }) => role === "tool").length;
  if (done === 0 && job.subagents !== undefined && job.subagents > 0) {
    const prompt = JSON.stringify({ command: "true", calls: 0 } satisfies Job);
    const call = { name: "subagent", arguments: { prompt } };
    return { calls: Array.from({ length: job.subagents }, () => call) };
  }
  if (done >= job.calls) return { text: "done" };
  const args = { command: job.command, timeout_seconds: 120 };
  return { calls: [{ name: "bash", arguments: args }] };
}

function tell(value: unknown): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(value)}\n`));
}
