import { Audio, Image, Video } from "../../../lib/code/guest/media.mts";
import { assertEquals, assertThrows } from "../../assert.ts";

Deno.test("C5 Image, Audio and Video are as JSON what they were made of", () => {
  const made = [
    new Image({ path: "a.png" }),
    new Audio({ url: "gs://a/b", mediaType: "audio/wav" }),
    new Video({ data: new Uint8Array([1, 2, 3]), mediaType: undefined }),
    new Image({ data: "AQID" }),
  ];
  assertEquals(made.map((media) => JSON.parse(JSON.stringify(media))), [
    { path: "a.png" },
    { url: "gs://a/b", mediaType: "audio/wav" },
    { data: "AQID" },
    { data: "AQID" },
  ]);
});

Deno.test("C5 Image refuses none or two sources, other members and other values", () => {
  const wrong: readonly (readonly [source: unknown, part: string])[] = [
    [undefined, "takes {path}, {url} or {data}, and mediaType if it is known"],
    ["a.png", "new Image(…) takes"],
    [{}, "got {}"],
    [{ path: "a", url: "b" }, "got {path, url}"],
    [{ mediaType: "image/png" }, "got {mediaType}"],
    [{ path: "a", label: "b" }, "it does not take label"],
    [{ path: 5 }, "path must be text"],
    [{ path: "" }, "path must be text"],
    [{ data: [1] }, "data must be text in base64, or a Uint8Array"],
    [{ path: "a", mediaType: 5 }, "mediaType must be text"],
  ];
  for (const [source, part] of wrong) assertThrows(() => new Image(source), TypeError, part);
});
