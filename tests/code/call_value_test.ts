import { callValue } from "../../lib/code/call_value.ts";
import { MAX_VALUE_UNITS } from "../../lib/code/protocol.ts";
import { BubError } from "../../lib/errors.ts";
import { FailedOutput, MediaOutput, StreamedOutput } from "../../lib/tool/output.ts";
import { renderOutput } from "../../lib/tool/result.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import { DOT_BASE64, DOT_PNG } from "../dot_png.ts";

function valueOf(output: unknown) {
  return callValue({ callId: "c/1", name: "x", elapsedMs: 0, ...renderOutput(output) });
}

Deno.test("C2 code gets texts and JSON values as they are, no text for the model in their place", async () => {
  for (const value of ["", "a", { a: [1, null] }, [], 0, false, null]) {
    assertEquals(await valueOf(value), value);
  }
});

Deno.test("C2 C5 what shows media is {text, media}, bytes in base64 and links as they are", async () => {
  const image = { mediaType: "image/png", data: DOT_PNG, label: "a.png" };
  const film = { mediaType: "video/mp4", url: "gs://b/film.mp4", label: "film" };
  assertEquals(await valueOf(new MediaOutput("two", [image, film])), {
    text: "two",
    media: [
      { type: "media", mediaType: "image/png", data: DOT_BASE64 },
      { type: "media", mediaType: "video/mp4", url: "gs://b/film.mp4" },
    ],
  });
});

Deno.test("C2 a failed call throws its error, with media or without", async () => {
  const error = new BubError("not_found", "no such file");
  const thrown = await assertRejects(() => valueOf(new FailedOutput(error, [])), BubError);
  assert(thrown === error);
});

Deno.test("C2 P5 streamed text reaches code whole as far as code can take it, else as its preview", async () => {
  async function* chunks(count: number) {
    for (let n = 0; n < count; n++) yield await Promise.resolve("x".repeat(2 ** 20));
  }
  const streamed = (count: number) => new StreamedOutput("head and tail", () => chunks(count));
  const most = MAX_VALUE_UNITS / 2 ** 20;
  assertEquals(await valueOf(streamed(most)), "x".repeat(MAX_VALUE_UNITS));
  assertEquals(await valueOf(streamed(most + 1)), "head and tail");
});
