import { z } from "zod";
import type { MediaKind } from "../../lib/content/media_kind.ts";
import { BubError } from "../../lib/errors.ts";
import type { Media } from "../../lib/tool/output.ts";
import type { ToolContext } from "../../lib/tool/tool.ts";
import { attachTools } from "../../tools/attach.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { DOT_BASE64, DOT_PNG } from "../dot_png.ts";
import { temporaryHost } from "../environment/temporary_host.ts";

const PNG_URL = `data:image/png;base64,${DOT_BASE64}`;
/** Bytes written as Latin-1 text. */
const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const WAV = latin1("RIFF\x24\0\0\0WAVEfmt ");
const MP4 = latin1("\0\0\0\x20ftypisom\0\0\x02\0");
const MIB = 1024 * 1024;

/** A workspace, and code in it that attaches. */
class Studio implements AsyncDisposable {
  readonly attached: Media[] = [];

  private constructor(private readonly host: Awaited<ReturnType<typeof temporaryHost>>) {}

  static async open(): Promise<Studio> {
    const studio = new Studio(await temporaryHost());
    await studio.put("a.png", DOT_PNG);
    await studio.put("a.wav", WAV);
    await studio.put("a.mp4", MP4);
    return studio;
  }

  get folder(): string {
    return this.host.folder;
  }

  put(name: string, data: Uint8Array): Promise<void> {
    return Deno.writeFile(`${this.folder}/${name}`, data);
  }

  /** Calls `attach_<kind>` with these arguments; returns what it says. */
  async call(kind: MediaKind, args: Record<string, unknown>): Promise<string> {
    const tool = attachTools.find(({ name }) => name === `attach_${kind}`);
    assert(tool !== undefined);
    const context = {
      environment: this.host.environment,
      signal: new AbortController().signal,
      attach: (media: Media) => void this.attached.push(media),
    } as unknown as ToolContext;
    return String(await tool.run(tool.parameters(z).parse(args), context));
  }

  /** The same with the one argument under its name. */
  attach(kind: MediaKind, given: unknown): Promise<string> {
    return this.call(kind, { [kind]: given });
  }

  /** The sentence of a refusal; nothing is attached then. */
  async refusal(kind: MediaKind, given: unknown): Promise<string> {
    const error = await assertRejects(() => this.attach(kind, given), BubError);
    assertEquals(this.attached, []);
    return error.message;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host[Symbol.asyncDispose]();
  }
}

Deno.test("C5 attach_image takes a path, a data: URL and objects with either, and says what it did", async () => {
  await using studio = await Studio.open();
  const named = `attached image/png, ${DOT_PNG.length} bytes, a.png`;
  const bare = `attached image/png, ${DOT_PNG.length} bytes, data`;
  const file = `file://${studio.folder}/a.png`;
  assertEquals(await studio.attach("image", "a.png"), named);
  assertEquals(await studio.attach("image", { path: "a.png", mediaType: "image/jpeg" }), named);
  assertEquals(await studio.attach("image", PNG_URL), bare);
  assertEquals(await studio.attach("image", { url: PNG_URL }), bare);
  assertEquals(await studio.attach("image", { data: DOT_BASE64 }), bare);
  assertEquals(await studio.attach("image", { data: PNG_URL }), bare);
  assertEquals(await studio.attach("image", file), named.replace("a.png", file));
  assertEquals(await studio.attach("image", { url: file }), named.replace("a.png", file));
  assertEquals(studio.attached.length, 8);
  for (const media of studio.attached) {
    assert("data" in media);
    assertEquals([media.mediaType, media.data], ["image/png", DOT_PNG]);
  }
});

Deno.test("C5 a label is one line, whatever the file is called", async () => {
  await using studio = await Studio.open();
  await studio.put("a\n[b]\u2028.png", DOT_PNG);
  const said = await studio.attach("image", "a\n[b]\u2028.png");
  assertEquals(said, `attached image/png, ${DOT_PNG.length} bytes, a [b] .png`);
});

Deno.test("C5 attach_image takes an Image as its one argument, and what fs_read gave", async () => {
  await using studio = await Studio.open();
  const shown = { type: "media", mediaType: "image/png", data: DOT_BASE64 };
  await studio.call("image", { path: "a.png" });
  await studio.call("image", { text: "image/png, …", media: [shown] });
  await studio.attach("image", { text: "image/png, …", media: [shown] });
  await studio.attach("image", shown);
  assertEquals(studio.attached.map(({ mediaType }) => mediaType), Array(4).fill("image/png"));
  assertEquals(
    await assertRejects(() => studio.call("image", { media: [shown, shown] }), BubError)
      .then(({ message }) => message),
    "image holds 2 media; give one of them, such as result.media[0]",
  );
});

Deno.test("C5 attach_audio and attach_video go by the first bytes, then by what they are told", async () => {
  await using studio = await Studio.open();
  await studio.put("sound.mp3", latin1("no known start"));
  await studio.put("voice", latin1("no known start"));
  assertEquals(await studio.attach("audio", "a.wav"), "attached audio/wav, 16 bytes, a.wav");
  assertEquals(await studio.attach("video", "a.mp4"), "attached video/mp4, 16 bytes, a.mp4");
  assertEquals(await studio.attach("audio", "a.mp4"), "attached audio/mp4, 16 bytes, a.mp4");
  assertEquals(
    await studio.attach("audio", "sound.mp3"),
    "attached audio/mpeg, 14 bytes, sound.mp3",
  );
  assertEquals(
    await studio.attach("audio", { path: "voice", mediaType: "Audio/Opus" }),
    "attached audio/opus, 14 bytes, voice",
  );
  assertEquals(
    await studio.attach("audio", "data:audio/x-odd,%00"),
    "attached audio/x-odd, 1 byte, data",
  );
});

Deno.test("C5 an http(s): URL is fetched through the Environment, a gs: URL is passed on", async () => {
  await using studio = await Studio.open();
  const asked: (string | null)[] = [];
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    asked.push(request.headers.get("accept"));
    switch (new URL(request.url).pathname) {
      case "/a.png":
        return new Response(DOT_PNG, { headers: { "content-type": "text/plain" } });
      case "/voice":
        return new Response("?", { headers: { "content-type": "audio/opus; rate=1" } });
      case "/b.mp3":
        return new Response("?", { headers: { "content-type": "application/octet-stream" } });
      case "/odd.mp3":
        return new Response("?", { headers: { "content-type": "audio/../../x" } });
      case "/page.mp3":
        return new Response("<html>", { headers: { "content-type": "text/html" } });
      default:
        return new Response("gone", { status: 404 });
    }
  });
  const base = `http://127.0.0.1:${server.addr.port}`;
  await studio.attach("image", `${base}/a.png`);
  await studio.attach("audio", { url: `${base}/voice` });
  await studio.attach("audio", `${base}/b.mp3`);
  await studio.attach("audio", `${base}/odd.mp3`);
  assertEquals(asked, ["image/*", "audio/*", "audio/*", "audio/*"]);
  assertEquals(studio.attached.map(({ label }) => label), [
    `image/png, ${DOT_PNG.length} bytes, ${base}/a.png`,
    `audio/opus, 1 byte, ${base}/voice`,
    `audio/mpeg, 1 byte, ${base}/b.mp3`,
    `audio/mpeg, 1 byte, ${base}/odd.mp3`,
  ]);
  studio.attached.length = 0;
  assertEquals(
    await studio.refusal("audio", `${base}/page.mp3`),
    `${base}/page.mp3 is text/html, which is no audio`,
  );
  assertEquals(await studio.refusal("image", `${base}/no`), `${base}/no answered with status 404`);

  await studio.attach("video", "gs://bucket/a film.mp4");
  await studio.attach("image", { url: "gs://bucket/scan", mediaType: "image/heic" });
  assertEquals(studio.attached, [
    {
      mediaType: "video/mp4",
      url: "gs://bucket/a film.mp4",
      label: "video/mp4, gs://bucket/a film.mp4",
    },
    { mediaType: "image/heic", url: "gs://bucket/scan", label: "image/heic, gs://bucket/scan" },
  ]);
});

Deno.test("C5 B20 what is no such media is refused in one sentence", async () => {
  await using studio = await Studio.open();
  await studio.put("cut.png", DOT_PNG.subarray(0, 40));
  await studio.put("fake.png", latin1("<svg/>"));
  await studio.put("voice", latin1("?"));
  const expected: readonly [MediaKind, unknown, string][] = [
    ["image", "cut.png", "cut.png is an image/png that is cut short or damaged"],
    ["image", "fake.png", 'fake.png holds no PNG, JPEG, WebP or GIF; it starts with "<svg/>"'],
    ["image", "a.wav", "a.wav holds no PNG"],
    ["image", { data: "AAAA", mediaType: "image/png" }, "data holds no PNG"],
    ["audio", "a.png", "a.png is image/png, which is no audio"],
    ["video", { path: "a.wav", mediaType: "video/mp4" }, "a.wav is audio/wav, which is no video"],
    ["audio", "voice", "voice: nothing says what audio it is, neither its name nor"],
    ["video", "gs://bucket/a.wav", "gs://bucket/a.wav is audio/wav, which is no video"],
    ["video", "gs://bucket/film", "give mediaType"],
    ["image", "missing.png", "missing.png"],
    ["image", ".", ". is a folder"],
  ];
  for (const [kind, given, message] of expected) {
    assertStringIncludes(await studio.refusal(kind, given), message);
  }
});

Deno.test("C5 what says no place is refused with what would", async () => {
  await using studio = await Studio.open();
  const right =
    "image must be a path, an http(s):, gs: or data: URL, or {path | url | data, mediaType?}";
  const expected: readonly [unknown, string][] = [
    [{ path: "a.png", data: "AAAA" }, `${right}, got {"path":"a.png","data":"AAAA"}`],
    [{ mediaType: "image/png" }, right],
    [{ path: 7 }, right],
    [{ data: "?!" }, "data is no base64"],
    ["data:image/png;base64,?", '"data:image/png;base64,?" is no data: URL'],
    ["ftp://host/a.png", '"ftp://host/a.png" is no URL that media are taken from'],
    [{ url: "a.png" }, '"a.png" is no URL that media are taken from'],
    ["gs://bucket", '"gs://bucket" is no URL'],
    ["gs://bucket/x y\n.png", '"gs://bucket/x y\\n.png" is no URL'],
    [{ url: "gs://bu cket/a.png" }, '"gs://bu cket/a.png" is no URL'],
    [{ url: "gs://[x/a.png" }, '"gs://[x/a.png" is no URL'],
    [{ path: "a.png", mediaType: "image/../x" }, "mediaType must be a type such as image/png"],
    [{ path: "a.png", mediaType: "png" }, "mediaType must be a type such as image/png, got"],
    [{ media: [] }, "image holds 0 media"],
    [{ media: [{ media: [] }] }, "image holds 1 media"],
  ];
  for (const [given, message] of expected) {
    assertStringIncludes(await studio.refusal("image", given), message);
  }
  const nothing = await assertRejects(() => studio.call("image", {}), BubError);
  assertEquals([nothing.kind, nothing.message], ["invalid_input", `${right}, got null`]);
});

Deno.test("C5 images are taken up to 10 MiB, sounds and films up to 20, however they come", async () => {
  await using studio = await Studio.open();
  for (const [kind, name, limit] of [["image", "a.png", 10], ["audio", "a.wav", 20]] as const) {
    await Deno.truncate(`${studio.folder}/${name}`, limit * MIB + 1);
    assertEquals(
      await studio.refusal(kind, name),
      `${name} has ${limit * MIB + 1} bytes; at most ${limit} MiB are read`,
    );
    const file = await Deno.readFile(`${studio.folder}/${name}`);
    assertEquals(
      await studio.refusal(kind, { data: file.toBase64() }),
      `data has ${limit * MIB + 1} bytes; at most ${limit} MiB of ${kind} are taken`,
    );
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => new Response(file),
    );
    const url = `http://127.0.0.1:${server.addr.port}/${name}`;
    assertEquals(
      await studio.refusal(kind, url),
      `${url} has more than ${limit} MiB; at most ${limit} MiB of ${kind} are taken`,
    );
    await Deno.truncate(`${studio.folder}/${name}`, limit * MIB);
    await studio.attach(kind, name);
    studio.attached.length = 0;
  }
});

Deno.test("C5 outside of code there is no result to add to", async () => {
  const [tool] = attachTools;
  const context = { signal: new AbortController().signal } as ToolContext;
  const run = async () => await tool?.run({ image: "a.png" }, context);
  const { message } = await assertRejects(run, BubError);
  assertEquals(message, "attach_image adds to the result of run_code; call it from code");
  assertEquals(attachTools.map(({ exposure }) => exposure), ["code", "code", "code"]);
});
