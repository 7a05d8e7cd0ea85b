import { contentLines, entryText } from "../../../lib/cli/tape/entry_text.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { markdown } from "../../../lib/cli/tape/markdown.ts";
import { toolResultEntry } from "../../../lib/tape/entry.ts";
import { numberDrafts } from "../../../lib/tape/line.ts";
import { assertEquals, assertStringIncludes } from "../../assert.ts";

const REFERENCE: JsonObject = {
  type: "media",
  media_type: "image/png",
  sha256: "0".repeat(64),
  size: 70,
  label: "image/png, 70 bytes, a.png",
};

Deno.test("TP12 media are one line each, in whatever form a tape has them", () => {
  const lines: readonly [JsonObject, string][] = [
    [REFERENCE, "[image/png, 70 bytes, a.png]"],
    [
      { type: "media", media_type: "video/mp4", url: "gs://b/a", label: "video/mp4, gs://b/a" },
      "[video/mp4, gs://b/a]",
    ],
    [{ type: "media", mediaType: "audio/wav", data: "A".repeat(2000) }, "[audio/wav, 1.5 KiB]"],
    [
      { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(400)}` } },
      "[image/png, 300 B]",
    ],
    [
      { type: "image_url", image_url: { url: "https://example.com/a.png" } },
      "[image, https://example.com/a.png]",
    ],
    [{ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }, "[input_audio]"],
  ];
  for (const [part, line] of lines) {
    assertEquals(contentLines([{ type: "text", text: "look" }, part]), `look\n${line}`);
  }
});

Deno.test("C3 TP12 a failed result with media shows its sentence, its output and the media", async () => {
  const report = { kind: "tool", message: "it broke", details: { output: "so far" } };
  const text = { type: "text", text: JSON.stringify(report) };
  const [entry] = numberDrafts(
    [toolResultEntry([[text, REFERENCE], [{ type: "text", text: "no JSON" }], "fine"], {
      errors: [0, 1],
      parts: [0, 1],
    })],
    1,
  );
  if (entry === undefined) throw new Error("no entry");
  const failed = "failed: it broke\nso far\n[image/png, 70 bytes, a.png]";
  assertEquals(entryText(entry).body, `${failed}\nfailed: no JSON\nfine`);
  const page = await Array.fromAsync(markdown("x", ReadableStream.from([entry])));
  assertStringIncludes(page.join(""), `\`\`\`\n${failed}\n\`\`\``);
});
