/**
 * A fake provider as a process of its own, for benches and for tests that kill the client. Prints
 * its port as one line on standard output and runs until standard input ends or it is killed.
 *
 *     deno run -A tests/provider/server.ts [openai|anthropic|responses|google] [script.json]
 *
 * The script is a JSON list of answers (see `Answer`), or an object `{answers, strict?, repeat?}`;
 * with `repeat` the list starts again at its end. Without a script every request is answered
 * `{"text": "ok"}`. `GET /requests` returns the requests so far as JSON.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import type { Answer, RecordedRequest } from "./answer.ts";
import { startFakeAnthropic } from "./fake_anthropic.ts";
import { startFakeGoogle } from "./fake_google.ts";
import { startFakeOpenAI } from "./fake_openai.ts";
import type { FakeProvider, FakeProviderOptions } from "./fake_provider.ts";
import { startFakeResponses } from "./fake_responses.ts";

const STARTERS: Readonly<
  Record<string, (options: FakeProviderOptions & { strict?: JsonObject }) => FakeProvider>
> = {
  openai: startFakeOpenAI,
  anthropic: startFakeAnthropic,
  responses: startFakeResponses,
  google: startFakeGoogle,
};

if (import.meta.main) {
  const [name = "openai", file] = Deno.args;
  const start = STARTERS[name];
  if (start === undefined) {
    throw new Error(`unknown provider ${name}; one of ${Object.keys(STARTERS).join(", ")}`);
  }
  const value = file === undefined
    ? { answers: [{ text: "ok" }], repeat: true }
    : JSON.parse(await Deno.readTextFile(file));
  const { answers, strict, repeat = false } = isJsonObject(value)
    ? value as unknown as { answers: Answer[]; strict?: JsonObject; repeat?: boolean }
    : { answers: value as Answer[] };
  const script = (_: RecordedRequest, n: number): Answer =>
    answers[repeat ? n % answers.length : n] ??
      { status: 500, body: { error: { message: `the script has ${answers.length} answers` } } };
  await using server = start({ script, ...(strict === undefined ? {} : { strict }) });
  await Deno.stdout.write(new TextEncoder().encode(`${server.port}\n`));
  await Deno.stdin.readable.pipeTo(new WritableStream());
}
