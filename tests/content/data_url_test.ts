import { base64Bytes, parseDataUrl } from "../../lib/content/data_url.ts";
import { assertEquals } from "../assert.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

Deno.test("C5 parseDataUrl() reads base64 and percent forms, with whatever parameters", () => {
  const read: readonly [string, string, Uint8Array][] = [
    ["data:image/png;base64,YWI/", "image/png", utf8("ab?")],
    ["DATA:Image/PNG;charset=x;BASE64,YWI_", "image/png", utf8("ab?")],
    ["data:image/png;base64,YW%49%2F", "image/png", utf8("ab?").with(1, 0x62)],
    ["data:;base64,YQ", "", utf8("a")],
    ["data:,", "", utf8("")],
    ["data:text/plain,a%20b,c%00é", "text/plain", utf8("a b,c\0é")],
    ["data:audio/wav,%ff%FE", "audio/wav", Uint8Array.of(0xff, 0xfe)],
    ["data:image/png;base64,YW\n I/", "image/png", utf8("ab?")],
  ];
  for (const [url, mediaType, data] of read) {
    assertEquals(parseDataUrl(url), { mediaType, data: new Uint8Array(data) }, url);
  }
});

Deno.test("C5 parseDataUrl() refuses what is damaged or another URL", () => {
  for (
    const url of [
      "data:image/png;base64",
      "data:image/png;base64,a",
      "data:image/png;base64,a=b=",
      "data:audio/../../x,a",
      "data:image/a\nb,a",
      "data:image/png;base64,%",
      "data:text/plain,100%",
      "data:text/plain,%zz",
      "xdata:,a",
      "http://host/,a",
      "",
    ]
  ) assertEquals(parseDataUrl(url), null, url);
});

Deno.test("C5 base64Bytes() takes both alphabets, with and without padding", () => {
  for (const text of ["+/8=", "-_8=", "-_8"]) {
    assertEquals(base64Bytes(text), Uint8Array.of(0xfb, 0xff), text);
  }
  assertEquals(base64Bytes("ab cd!"), null);
});
