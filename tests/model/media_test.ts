import type { ChatMessage, ContentPart, MediaPart } from "../../lib/model/model.ts";
import { fitsResult, mediaKey, mediaNote, mediaObstacle } from "../../lib/model/media.ts";
import type { JsonObject } from "../../lib/json.ts";
import { assertEquals, assertNotEquals, assertStringIncludes } from "../assert.ts";
import { startFakeAnthropic } from "../provider/fake_anthropic.ts";
import { startFakeGoogle } from "../provider/fake_google.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import type { FakeProvider, FakeProviderOptions } from "../provider/fake_provider.ts";
import { startFakeResponses } from "../provider/fake_responses.ts";
import { ask, modelAt, requestOf } from "./ask.ts";

const bytes = (mediaType: string, data = "AAAA"): MediaPart => ({ type: "media", mediaType, data });
const PNG = bytes("image/png");
const WAV = bytes("audio/wav");
const MP4 = bytes("video/mp4");
const PDF = bytes("application/pdf");
const LINK: MediaPart = { type: "media", mediaType: "video/mp4", url: "gs://Bucket/a film.mp4" };
const ALL = [PNG, WAV, MP4, PDF, LINK];

interface Provider {
  readonly start: (options: FakeProviderOptions) => FakeProvider;
  readonly model: string;
  readonly env?: Parameters<typeof modelAt>[2];
}

const CHAT: Provider = { start: startFakeOpenAI, model: "openai-compatible:test" };
const RESPONSES: Provider = {
  start: startFakeResponses,
  model: "openai:gpt-5",
  env: { openaiApi: "responses" },
};
const MESSAGES: Provider = { start: startFakeAnthropic, model: "anthropic:claude-sonnet-4-5" };
const GEMINI_3: Provider = { start: startFakeGoogle, model: "google:gemini-3-pro-preview" };
const GEMINI_2: Provider = { start: startFakeGoogle, model: "google:gemini-2.5-flash" };

/** What a provider is sent of these messages: the body's list of messages. */
async function sent(
  { start, model, env }: Provider,
  messages: readonly ChatMessage[],
): Promise<readonly JsonObject[]> {
  await using server = start({ script: [{ text: "ok" }] });
  await ask(modelAt(server.base, model, env), requestOf({ system: "", messages }));
  const body = server.requests[0]?.body;
  return (body?.messages ?? body?.input ?? body?.contents) as readonly JsonObject[];
}

const user = (...content: readonly ContentPart[]): ChatMessage => ({ role: "user", content });

/** A step whose one tool shows media. */
function shown(...media: readonly MediaPart[]): readonly ChatMessage[] {
  const call = {
    id: "call_1",
    type: "function",
    function: { name: "fs_read", arguments: "{}" },
  } as const;
  return [
    { role: "user", content: "go" },
    { role: "assistant", content: "", tool_calls: [call] },
    {
      role: "tool",
      tool_call_id: "call_1",
      name: "fs_read",
      content: [{ type: "text", text: "seen" }, ...media],
    },
  ];
}

const note = (mediaType: string, what = "3 bytes", why = "takes no such media") =>
  `[${mediaType}, ${what}, left out: this provider ${why}]`;
const LINK_NOTE = note("video/mp4", "gs://Bucket/a film.mp4", "takes no such links");

Deno.test("M1 Chat Completions get media of prompts as parts of their kind, others as notes", async () => {
  const [message] = await sent(CHAT, [user({ type: "text", text: "look" }, ...ALL)]);
  assertEquals(message?.content, [
    { type: "text", text: "look" },
    { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
    { type: "video_url", video_url: { url: "data:video/mp4;base64,AAAA" } },
    {
      type: "file",
      file: { filename: "document.pdf", file_data: "data:application/pdf;base64,AAAA" },
    },
    { type: "text", text: LINK_NOTE },
  ]);
});

Deno.test("M1 Chat Completions get media of results in the user message behind all results", async () => {
  const messages = await sent(CHAT, shown(PNG, WAV, LINK));
  assertEquals(messages.slice(2), [
    { role: "tool", tool_call_id: "call_1", content: `seen\n${LINK_NOTE}` },
    {
      role: "user",
      content: [
        { type: "text", text: "Attached to the result of fs_read:" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      ],
    },
  ]);
});

Deno.test("M1 Responses get images and documents, in prompts and results, others as notes", async () => {
  const [message] = await sent(RESPONSES, [user({ type: "text", text: "look" }, ...ALL)]);
  assertEquals(message?.content, [
    { type: "input_text", text: "look" },
    { type: "input_image", image_url: "data:image/png;base64,AAAA" },
    { type: "input_text", text: note("audio/wav") },
    { type: "input_text", text: note("video/mp4") },
    {
      type: "input_file",
      filename: "part-4.pdf",
      file_data: "data:application/pdf;base64,AAAA",
    },
    { type: "input_text", text: LINK_NOTE.replace("links", "media") },
  ]);
  const result = (await sent(RESPONSES, shown(PNG, PDF, WAV))).at(-1);
  assertEquals(result, {
    type: "function_call_output",
    call_id: "call_1",
    output: [
      { type: "input_text", text: `seen\n${note("audio/wav")}` },
      { type: "input_image", image_url: "data:image/png;base64,AAAA" },
      { type: "input_file", filename: "data", file_data: "data:application/pdf;base64,AAAA" },
    ],
  });
});

Deno.test("M1 Anthropic gets images and documents, in prompts and results, others as notes", async () => {
  const image = { type: "base64", media_type: "image/png", data: "AAAA" };
  const document = { type: "base64", media_type: "application/pdf", data: "AAAA" };
  const [message] = await sent(MESSAGES, [user({ type: "text", text: "look" }, ...ALL)]);
  assertEquals(withoutCache(message?.content), [
    { type: "text", text: "look" },
    { type: "image", source: image },
    { type: "text", text: note("audio/wav") },
    { type: "text", text: note("video/mp4") },
    { type: "document", source: document },
    { type: "text", text: LINK_NOTE.replace("links", "media") },
  ]);
  const results = (await sent(MESSAGES, shown(PNG, PDF))).at(-1);
  assertEquals(withoutCache(results?.content), [{
    type: "tool_result",
    tool_use_id: "call_1",
    content: [
      { type: "text", text: "seen" },
      { type: "image", source: image },
      { type: "document", source: document },
    ],
  }]);
});

Deno.test("C5 M1 Gemini gets media of every kind in prompts, links as links", async () => {
  const inline = (mimeType: string) => ({ inlineData: { mimeType, data: "AAAA" } });
  const [message] = await sent(GEMINI_3, [user({ type: "text", text: "look" }, ...ALL)]);
  assertEquals(message?.parts, [
    { text: "look" },
    inline("image/png"),
    inline("audio/wav"),
    inline("video/mp4"),
    inline("application/pdf"),
    { fileData: { mimeType: "video/mp4", fileUri: "gs://Bucket/a film.mp4" } },
  ]);
});

Deno.test("C5 M1 Gemini gets images of results in the result, sounds, films and links behind it", async () => {
  const image: MediaPart = { type: "media", mediaType: "image/png", url: "gs://Bucket/a.png" };
  const contents = await sent(GEMINI_3, shown(PNG, WAV, LINK, image));
  const [{ functionResponse }] = contents[2]?.parts as [{ functionResponse: JsonObject }];
  assertEquals(functionResponse.response, { name: "fs_read", content: "seen" });
  assertEquals(functionResponse.parts, [{ inlineData: { mimeType: "image/png", data: "AAAA" } }]);
  assertEquals(contents[3]?.parts, [
    { text: "Attached to the result of fs_read:" },
    { inlineData: { mimeType: "audio/wav", data: "AAAA" } },
    { fileData: { mimeType: "video/mp4", fileUri: "gs://Bucket/a film.mp4" } },
    { fileData: { mimeType: "image/png", fileUri: "gs://Bucket/a.png" } },
  ]);
});

Deno.test("M1 older models of Gemini get one result for a call, whatever it shows", async () => {
  const odd = bytes("application/zip");
  const [, , results] = await sent(GEMINI_2, shown(PNG, odd));
  const parts = results?.parts as readonly JsonObject[];
  assertEquals(parts.map((part) => Object.keys(part)[0]), [
    "functionResponse",
    "inlineData",
    "text",
  ]);
  assertStringIncludes(JSON.stringify(parts[0]), "left out: this provider takes no such media");
});

Deno.test("M1 a failed call with media tells the failure and shows them", async () => {
  const [user, assistant, result] = shown(PNG);
  const failed = { ...result, is_error: true } as ChatMessage;
  const messages = [user, assistant, failed] as ChatMessage[];
  for (const provider of [CHAT, RESPONSES, MESSAGES, GEMINI_3, GEMINI_2]) {
    const text = JSON.stringify(await sent(provider, messages));
    assertStringIncludes(text, "seen", provider.model);
    assertStringIncludes(text, "AAAA", provider.model);
  }
});

Deno.test("M1 every adapter says of each medium whether it takes it, and where", () => {
  const jpeg = bytes("image/jpeg");
  const web = { ...LINK, url: "https://example.com/a.mp4" };
  assertEquals(mediaObstacle(web, "gemini"), "this provider takes no such links");
  assertEquals(mediaObstacle(LINK, "gemini"), undefined);
  for (const adapter of ["chat", "responses", "messages", "gemini"] as const) {
    assertEquals(mediaObstacle(jpeg, adapter), undefined, adapter);
    assertEquals(fitsResult("image/jpeg", adapter), adapter !== "chat", adapter);
  }
});

Deno.test("M1 links are told apart by their addresses, and notes name them", () => {
  const other = { ...LINK, url: "gs://Bucket/b.mp4" };
  assertNotEquals(mediaKey(LINK), mediaKey(other));
  assertEquals(mediaKey(LINK), mediaKey({ ...LINK }));
  assertEquals(mediaNote(other, "why"), "[video/mp4, gs://Bucket/b.mp4, left out: why]");
});

Deno.test("B20 a note says by its label which media it stands for, else how many bytes they are", () => {
  const sizes: readonly [string, string][] = [
    ["", "0 bytes"],
    ["YQ==", "1 byte"],
    ["YWI=", "2 bytes"],
    ["YWI", "2 bytes"],
    ["YWJj", "3 bytes"],
    [new Uint8Array(73).toBase64(), "73 bytes"],
  ];
  for (const [data, size] of sizes) {
    assertEquals(mediaNote(bytes("image/png", data), "why"), `[image/png, ${size}, left out: why]`);
  }
  const label = "image/png, 3 bytes, a.png";
  assertEquals(mediaNote({ ...PNG, label }, "why"), `[${label}, left out: why]`);
});

/** Content blocks less the marks that let Anthropic keep what it has read. */
function withoutCache(content: unknown): unknown {
  return JSON.parse(JSON.stringify(content), (key, value) => {
    return key === "cache_control" ? undefined : value;
  });
}
