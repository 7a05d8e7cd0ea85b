import { join } from "@std/path";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import type { TapeEntry } from "../../lib/tape/entry.ts";
import { BubError } from "../../lib/errors.ts";
import { FailedOutput, type Media, MediaOutput } from "../../lib/tool/output.ts";
import { defineTool } from "../../lib/tool/tool.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { DOT_BASE64, DOT_PNG } from "../dot_png.ts";
import type { RecordedRequest } from "../provider/answer.ts";
import { call, messages, starts } from "./subagent_script.ts";
import { TemporaryAgent } from "./temporary_agent.ts";

const SHA256 = new Uint8Array(await crypto.subtle.digest("SHA-256", DOT_PNG)).toHex();
const URL = `data:image/png;base64,${DOT_BASE64}`;
const LABEL = `image/png, ${DOT_PNG.length} bytes, dot.png`;
const DOT: Media = { mediaType: "image/png", data: DOT_PNG, label: LABEL };
const FILM: Media = {
  mediaType: "video/mp4",
  url: "gs://b/a.mp4",
  label: "video/mp4, gs://b/a.mp4",
};
const SIGNAL = new AbortController().signal;

/** How often a request shows the image. */
function shows(request: RecordedRequest | undefined): number {
  return JSON.stringify(request?.body).split(URL).length - 1;
}

function prompts(tape: readonly TapeEntry[]): JsonObject[] {
  return tape.filter(({ kind, payload }) => kind === "message" && payload.role === "user")
    .map(({ payload }) => payload);
}

Deno.test("TP12 an image of a prompt is sent with it, in later turns and by later processes", async () => {
  await using app = await TemporaryAgent.open(() => ({ text: "A dot." }));
  assertEquals((await app.run("look", { media: [DOT] })).output, "A dot.");
  await app.run("again");
  const later = await app.another();
  await later.session("cli:local").run("once more", { signal: SIGNAL });
  assertEquals(app.server.requests.map(shows), [1, 1, 1]);
  const [first] = app.server.requests;
  assertEquals(messages(first?.body ?? {}).at(-1)?.content, [
    { type: "text", text: "look" },
    { type: "image_url", image_url: { url: URL } },
  ]);
});

Deno.test("TP2 TP12 the tape refers to an image of a prompt and never holds its bytes", async () => {
  await using app = await TemporaryAgent.open(() => ({ text: "A dot." }));
  await app.run("look", { media: [DOT, DOT] });
  const tape = await app.tape();
  const reference = {
    type: "media",
    media_type: "image/png",
    sha256: SHA256,
    size: DOT_PNG.length,
    label: LABEL,
  };
  assertEquals(prompts(tape), [{
    role: "user",
    content: [{ type: "text", text: "look" }, reference, reference],
  }]);
  assertEquals(JSON.stringify(tape).includes(DOT_BASE64), false);
  const names = await Array.fromAsync(Deno.readDir(join(app.home, "media")), ({ name }) => name);
  assertEquals(names.filter((name) => name !== ".lock"), [SHA256]);
  const [start] = app.events.filter(({ type }) => type === "turn.start");
  assertStringIncludes(JSON.stringify(start), `look\\n[${LABEL}]`);
});

Deno.test("B20 TP12 two images that a provider refuses are told apart, in later turns too", async () => {
  await using app = await TemporaryAgent.open(({ body }) =>
    JSON.stringify(body).includes("data:image")
      ? { status: 400, body: { error: { message: "image input is not supported" } } }
      : { text: "ok" }
  );
  const other: Media = { ...DOT, label: LABEL.replace("dot", "other\nname") };
  await app.run("look", { media: [DOT, other] });
  await app.run("again");
  const left = [LABEL, LABEL.replace("dot", "other name")]
    .map((label) => ({ type: "text", text: `[${label}, left out: the provider refused it]` }));
  assertEquals(messages(app.server.requests[2]?.body ?? {})[1]?.content, [
    { type: "text", text: "look" },
    ...left,
  ]);
  assertEquals(app.server.requests.length, 3);
});

Deno.test("TP12 an image of a prompt whose file is gone becomes a text, and the turn goes on", async () => {
  await using app = await TemporaryAgent.open(() => ({ text: "ok" }));
  await app.run("look", { media: [DOT] });
  await Deno.remove(join(app.home, "media", SHA256));
  assertEquals((await app.run("again")).status, "ok");
  assertStringIncludes(
    JSON.stringify(app.server.requests[1]?.body),
    `[${LABEL}: not available]`,
  );
});

Deno.test("TP12 an image of a prompt that cannot be kept is sent once, and a warning", async () => {
  await using app = await TemporaryAgent.open(() => ({ text: "ok" }));
  await Deno.writeTextFile(join(app.home, "media"), "a file where the folder should be");
  assertEquals((await app.run("look", { media: [DOT] })).status, "ok");
  await app.run("again");
  assertEquals(app.server.requests.map(shows), [1, 0]);
  assertMatch(
    JSON.stringify(app.server.requests[1]?.body),
    /dot\.png: not available: media cannot be locked/,
  );
  const warnings = app.events.filter(({ type }) => type === "warning");
  assertEquals(warnings.length, 1);
});

Deno.test("TP12 the image of a turn that was handed off comes with its prompt said again", async () => {
  await using app = await TemporaryAgent.open([
    { status: 400, body: { error: { message: "maximum context length exceeded" } } },
    { text: "A dot." },
  ]);
  assertEquals((await app.run("look", { media: [DOT] })).output, "A dot.");
  assertEquals(app.server.requests.map(shows), [1, 1]);
  assertEquals(JSON.stringify(await app.tape()).includes(DOT_BASE64), false);
});

Deno.test("TP12 images in the prompt of a kept subagent are kept once, beside the tapes", async () => {
  const prompt = [{ type: "text", text: "look" }, { type: "image_url", image_url: { url: URL } }];
  await using app = await TemporaryAgent.open(({ body }) => {
    const [first] = messages(body).filter(({ role }) => role === "user");
    if (Array.isArray(first?.content)) return { text: "child saw it" };
    return messages(body).some(({ role }) => role === "tool")
      ? { text: "done" }
      : starts({ prompt, session: "gallery" });
  });
  assertEquals((await app.run("go")).output, "done");
  const child = await app.tape("gallery");
  assertEquals(JSON.stringify(child).includes(DOT_BASE64), false);
  const [{ content }] = prompts(child) as [JsonObject];
  assert(Array.isArray(content) && isJsonObject(content[1]));
  const { sha256, label } = content[1];
  assertEquals([sha256, label], [SHA256, `image/png, ${DOT_PNG.length} bytes`]);
  await app.agent.session("gallery").run("again", { signal: SIGNAL });
  assertEquals(shows(app.server.requests.at(-1)), 1);
});

Deno.test("TP12 what a prompt calls base64 and is none becomes a text on the tape", async () => {
  const prompt = [{ type: "text", text: "look" }, {
    type: "media",
    mediaType: "image/png",
    data: "?",
  }];
  await using app = await TemporaryAgent.open(({ body }) => {
    const [first] = messages(body).filter(({ role }) => role === "user");
    if (Array.isArray(first?.content)) return { text: "child" };
    return messages(body).some(({ role }) => role === "tool")
      ? { text: "done" }
      : starts({ prompt, session: "gallery" });
  });
  assertEquals((await app.run("go")).output, "done");
  assertStringIncludes(
    JSON.stringify(prompts(await app.tape("gallery"))),
    "[image/png: its data are not base64]",
  );
});

const film = defineTool({
  name: "film",
  description: "Shows a film that only the provider can open.",
  parameters: (z) => z.object({}),
  run: () => new MediaOutput("a film", [FILM]),
});

const broken = defineTool({
  name: "broken",
  description: "Fails, and shows how far it came.",
  parameters: (z) => z.object({}),
  run: () => new FailedOutput(new BubError("tool", "it broke"), [DOT]),
});

Deno.test("TP12 C5 media by link stay a link on the tape, in results and in prompts", async () => {
  await using app = await TemporaryAgent.open(
    [{ calls: [call("film")] }, { text: "seen" }],
    {},
    { tools: [film] },
  );
  await app.run("look", { media: [FILM] });
  const link = { type: "media", media_type: "video/mp4", url: "gs://b/a.mp4", label: FILM.label };
  const tape = await app.tape();
  assertEquals(prompts(tape)[0]?.content, [{ type: "text", text: "look" }, link]);
  const result = tape.find(({ kind }) => kind === "tool_result");
  assertEquals(result?.payload.results, [[{ type: "text", text: "a film" }, link]]);
  assertEquals([result?.meta.errors, result?.meta.parts], [[], [0]]);
  const note = "[video/mp4, gs://b/a.mp4, left out: this provider takes no such links]";
  assertEquals(JSON.stringify(app.server.requests[1]?.body).split(note).length - 1, 2);
});

Deno.test("C3 TP12 a failed call with media is an error on the tape, and the model sees both", async () => {
  await using app = await TemporaryAgent.open(
    [{ calls: [call("broken")] }, { text: "seen" }],
    {},
    { tools: [broken] },
  );
  await app.run("go");
  const result = (await app.tape()).find(({ kind }) => kind === "tool_result");
  assertEquals([result?.meta.errors, result?.meta.parts], [[0], [0]]);
  const [, , , tool, shown] = messages(app.server.requests[1]?.body ?? {});
  const report = '{"kind":"tool","message":"it broke"}';
  assertEquals([tool?.role, tool?.content], ["tool", report]);
  assertEquals(shown?.content, [
    { type: "text", text: "Attached to the result of broken:" },
    { type: "image_url", image_url: { url: URL } },
  ]);
});

Deno.test("C5 T7 a text command prints a line for each medium, of a failed call too", async () => {
  await using app = await TemporaryAgent.open([], {}, { tools: [film, broken] });
  const shown = await app.run(",film");
  assertEquals([shown.status, shown.output], ["ok", `a film\n${FILM.label}\n`]);
  const failed = await app.run(",broken");
  assertEquals([failed.status, failed.output, failed.error?.message], [
    "error",
    `${LABEL}\n`,
    "it broke",
  ]);
});

Deno.test("B20 images that the provider refuses become notes; turns go on, in this and later processes", async () => {
  await using app = await TemporaryAgent.open(({ body }) => {
    if (JSON.stringify(body).includes("image_url")) {
      return { status: 400, body: { error: { message: "Invalid image data" } } };
    }
    const asked = messages(body).filter(({ role }) => role === "tool").length;
    return asked === 0 ? { calls: [call("fs_read", { path: "dot.png" })] } : { text: "ok" };
  });
  await Deno.writeFile(join(app.workspace, "dot.png"), DOT_PNG);
  const note = "left out: the provider refused it";
  assertEquals((await app.run("look", { media: [DOT] })).status, "ok");
  assertEquals((await app.run("an ordinary turn")).status, "ok");
  const later = await app.another();
  const { status } = await later.session("cli:local").run("and another", { signal: SIGNAL });
  assertEquals(status, "ok");
  assertStringIncludes(JSON.stringify(app.server.requests.at(-1)?.body), note);
});
