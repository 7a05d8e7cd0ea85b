import { BubError } from "../../lib/errors.ts";
import type { ChatMessage, MediaPart } from "../../lib/model/model.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import type { RecordedRequest } from "../provider/answer.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { ask, modelAt, requestOf } from "./ask.ts";

const GOOD: MediaPart = { type: "media", mediaType: "image/png", data: "R09PRA==" };
const BAD: MediaPart = { type: "media", mediaType: "image/png", data: "QkFE" };

const look = (...media: readonly MediaPart[]): ChatMessage => ({ role: "user", content: media });

function holds({ body }: RecordedRequest, { data }: MediaPart & { readonly data?: string }) {
  return JSON.stringify(body).includes(`base64,${data}"`);
}

const refusal = (status: number, message: string) => ({ status, body: { error: { message } } });

Deno.test("B20 a refused image takes none with it that the provider had taken before", async () => {
  await using server = startFakeOpenAI({
    script: (request) =>
      holds(request, BAD) ? refusal(400, "Invalid base64 image_url") : { text: "ok" },
  });
  const model = modelAt(server.base);
  await ask(model, requestOf({ messages: [look(GOOD)] }));
  const later = [look(GOOD), look(BAD)];
  assertEquals((await ask(model, requestOf({ messages: later }))).text, "ok");
  assertEquals((await ask(model, requestOf({ messages: later }))).text, "ok");
  const sent = server.requests.map((request) => [holds(request, GOOD), holds(request, BAD)]);
  assertEquals(sent, [[true, false], [true, true], [true, false], [true, false]]);
});

Deno.test("B20 of an image taken before it is believed, too, that it is refused", async () => {
  let full = false;
  await using server = startFakeOpenAI({
    script: (request) =>
      full && holds(request, GOOD) ? refusal(413, "Request Entity Too Large") : { text: "ok" },
  });
  const model = modelAt(server.base);
  await ask(model, requestOf({ messages: [look(GOOD)] }));
  full = true;
  assertEquals((await ask(model, requestOf({ messages: [look(GOOD)] }))).text, "ok");
  assertEquals(server.requests.length, 3);
});

Deno.test("B20 a model that knows no images gets a note, in whatever words it refuses them", async () => {
  const words: readonly [number, string][] = [
    [400, "Failed to deserialize: invalid type: sequence, expected a string"],
    [422, "Input should be a valid string"],
    [404, "No endpoints found that support image input"],
    [500, "image input is not supported - hint: you may need to provide the mmproj"],
    [415, ""],
  ];
  for (const [status, message] of words) {
    await using server = startFakeOpenAI({
      script: (request) => holds(request, GOOD) ? refusal(status, message) : { text: "ok" },
    });
    const model = modelAt(server.base);
    const { text } = await ask(model, requestOf({ messages: [look(GOOD)] }));
    assertEquals([text, server.requests.length], ["ok", 2], message);
    const sent = JSON.stringify(server.requests[1]?.body);
    assert(sent.includes("left out: the provider refused it"), sent);
  }
});

Deno.test("B20 M3 other refusals of a request with an image stay what they are", async () => {
  for (const [status, message] of [[400, "unknown parameter"], [404, "no such model"]] as const) {
    await using server = startFakeOpenAI({ script: () => refusal(status, message) });
    const asked = ask(modelAt(server.base), requestOf({ messages: [look(GOOD)] }));
    await assertRejects(() => asked, BubError, message);
    assertEquals(server.requests.length, 1, message);
  }
});
