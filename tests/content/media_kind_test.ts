import {
  isMediaType,
  isOfKind,
  mediaTypeAs,
  namedMediaType,
} from "../../lib/content/media_kind.ts";
import { assertEquals } from "../assert.ts";

/** Bytes written as Latin-1 text. */
const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

Deno.test("C5 mediaTypeAs() believes the first bytes, then what is declared", () => {
  const wav = latin1("RIFF\x24\0\0\0WAVEfmt ");
  assertEquals(mediaTypeAs("audio", wav, "audio/mpeg"), "audio/wav");
  assertEquals(mediaTypeAs("video", wav, undefined), "audio/wav");
  assertEquals(mediaTypeAs("audio", latin1("????"), "audio/mpeg"), "audio/mpeg");
  assertEquals(mediaTypeAs("audio", latin1("????"), undefined), undefined);
});

Deno.test("C5 mediaTypeAs() knows the files of sound and film by their first bytes", () => {
  const known: readonly [string, string][] = [
    ["\xff\xfb\x90\x64", "audio/mpeg"],
    ["ID3\x04\0", "audio/mpeg"],
    ["\xff\xf1\x50\x80", "audio/aac"],
    ["fLaC\0", "audio/flac"],
    ["\0\0\0\x20ftypM4A \0", "audio/mp4"],
    ["\0\0\0\x14ftypqt  ", "video/quicktime"],
    ["\0\0\x01\xba", "video/mpeg"],
    ["RIFF\0\0\0\0AVI ", "video/x-msvideo"],
  ];
  for (const [bytes, type] of known) {
    assertEquals(mediaTypeAs("image", latin1(bytes), undefined), type, type);
  }
});

Deno.test("C5 mediaTypeAs() lets a container be what is asked for", () => {
  const mp4 = latin1("\0\0\0\x20ftypisom");
  const webm = latin1("\x1aE\xdf\xa3");
  const ogg = latin1("OggS\0");
  for (const kind of ["audio", "video"] as const) {
    assertEquals(mediaTypeAs(kind, mp4, undefined), `${kind}/mp4`);
    assertEquals(mediaTypeAs(kind, webm, undefined), `${kind}/webm`);
    assertEquals(mediaTypeAs(kind, ogg, undefined), `${kind}/ogg`);
  }
  assertEquals(mediaTypeAs("image", mp4, undefined), "video/mp4");
});

Deno.test("C5 isMediaType() takes what RFC 6838 does, and no parameters", () => {
  for (const text of ["image/png", "Audio/X-odd.1+a", "application/vnd.oasis!#$&^_-x"]) {
    assertEquals(isMediaType(text), true, text);
  }
  const wrong = [
    "",
    "png",
    "image/",
    "/png",
    "audio/../../x",
    "audio/a/b",
    "image/png;q=1",
    " image/png",
    "image/p ng",
    "image/png\n",
    "image/pñg",
    `image/${"a".repeat(128)}`,
  ];
  for (const text of wrong) assertEquals(isMediaType(text), false, text);
});

Deno.test("C5 namedMediaType() goes by the end of a name, in any case", () => {
  assertEquals(namedMediaType("gs://bucket/a.b/Film.MP4"), "video/mp4");
  assertEquals(namedMediaType("notes.txt"), undefined);
  assertEquals(namedMediaType("mp4"), undefined);
  assertEquals(namedMediaType("a.constructor"), undefined);
  assertEquals([isOfKind("video/mp4", "video"), isOfKind("video/mp4", "audio")], [true, false]);
});
