import { ShownMedia } from "../../lib/code/shown_media.ts";
import { BubError } from "../../lib/errors.ts";
import { assertEquals, assertThrows } from "../assert.ts";

const MIB = 2 ** 20;
const sound = (bytes: number) => ({
  mediaType: "audio/wav",
  data: new Uint8Array(bytes),
  label: "audio/wav, a.wav",
});
const LINK = { mediaType: "video/mp4", url: "gs://b/a.mp4", label: "video/mp4, gs://b/a.mp4" };

Deno.test("C3 C5 code that attaches in a loop is stopped by number, links included", () => {
  const { add, all } = new ShownMedia();
  assertEquals(all, []);
  for (let n = 0; n < 64; n++) add(LINK);
  const { kind, message } = assertThrows(() => add(sound(1)), BubError);
  assertEquals([kind, message], ["tool", "one run_code shows at most 64 media"]);
});

Deno.test("C3 C5 media of one run have at most 64 MiB together; a smaller one still fits", () => {
  const shown = new ShownMedia();
  for (let n = 0; n < 3; n++) shown.add(sound(20 * MIB));
  assertThrows(() => shown.add(sound(4 * MIB + 1)), BubError, "64");
  shown.add(sound(4 * MIB));
  assertThrows(() => shown.add(sound(1)), BubError);
  shown.add(LINK);
  assertEquals(shown.all.length, 5);
});
