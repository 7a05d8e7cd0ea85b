import { assertEquals, assertMatch } from "../assert.ts";

Deno.test("B71 server.ts prints its port, follows its script, and ends with its input", async () => {
  const script = await Deno.makeTempFile({ suffix: ".json" });
  const answer = { status: 429, body: { error: { message: "slow down" } } };
  await Deno.writeTextFile(script, JSON.stringify({ answers: [answer], repeat: true }));
  const server = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-config",
      "--no-lock",
      "--quiet",
      "--allow-net=127.0.0.1",
      "--allow-read",
      new URL("./server.ts", import.meta.url).href,
      "openai",
      script,
    ],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const output = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value: line = "" } = await output.read();
  assertMatch(line, /^\d+\n$/);
  const base = `http://127.0.0.1:${line.trim()}`;
  for (let n = 0; n < 2; n++) {
    const response = await fetch(`${base}/v1/chat/completions`, { method: "POST", body: "{}" });
    assertEquals([response.status, await response.json()], [429, answer.body]);
  }
  const requests = await (await fetch(`${base}/requests`)).json();
  assertEquals(requests.length, 2);
  await server.stdin.close();
  assertEquals((await server.status).code, 0);
  await output.cancel();
  await Deno.remove(script);
});
