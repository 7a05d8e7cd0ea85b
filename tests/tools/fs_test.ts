import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "../assert.ts";
import { BubError } from "../../lib/errors.ts";
import { MediaOutput } from "../../lib/tool/output.ts";
import { fsEdit, fsRead, fsWrite } from "../../tools/fs.ts";
import { temporaryHost } from "../environment/temporary_host.ts";
import { refusal, runTool } from "./run_tool.ts";

/** Smallest whole images there are. */
const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
);
const GIF = Uint8Array.fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");
const WEBP = Uint8Array.fromBase64("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==");
const JPEG = Uint8Array.fromBase64(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////" +
    "////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAA" +
    "AAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z",
);

interface Files extends AsyncDisposable {
  put(name: string, content: string | Uint8Array): Promise<void>;
  /** The file's bytes as Latin-1 text. */
  get(name: string): Promise<string>;
  read(args: Record<string, unknown>): ReturnType<typeof runTool>;
  edit(args: Record<string, unknown>): ReturnType<typeof runTool>;
  write(args: Record<string, unknown>): ReturnType<typeof runTool>;
  readonly folder: string;
}

async function files(): Promise<Files> {
  const host = await temporaryHost();
  const { environment, folder } = host;
  return {
    folder,
    put: (name, content) =>
      Deno.writeFile(
        `${folder}/${name}`,
        typeof content === "string" ? Uint8Array.from(content, (c) => c.charCodeAt(0)) : content,
      ),
    get: async (name) =>
      Array.from(await Deno.readFile(`${folder}/${name}`), (b) => String.fromCharCode(b)).join(""),
    read: (args) => runTool(fsRead, environment, args),
    edit: (args) => runTool(fsEdit, environment, args),
    write: (args) => runTool(fsWrite, environment, args),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

const utf8 = (text: string) => new TextEncoder().encode(text);

Deno.test("F1 fs.read returns the file as it is, line endings kept, no byte-order mark", async () => {
  await using f = await files();
  await f.put("r", "\xef\xbb\xbfa\r\nb\nc\rd");
  assertEquals(await f.read({ path: "r" }), "a\r\nb\nc\rd");
  assertEquals(await f.read({ path: "r", limit: 1 }), "a\r\n");
  assertEquals(await f.read({ path: "r", offset: 1, limit: 1 }), "b\n");
  assertEquals(await f.read({ path: "r", offset: 1, limit: 99 }), "b\nc\rd");
  await f.put("ü ñ.txt", utf8("grüße 👋\n"));
  assertEquals(await f.read({ path: "ü ñ.txt" }), "grüße 👋\n");
});

Deno.test("F1 B16 fs.read reaches the last line and says how many there are beyond it", async () => {
  await using f = await files();
  await f.put("r", "a\nb\nc");
  assertEquals(await f.read({ path: "r", offset: 2 }), "c");
  const past = [[3, "offset 3 is past the end (3 lines)"], [999, "(3 lines)"]] as const;
  for (const [offset, words] of past) {
    const error = await assertRejects(
      () => f.read({ path: "r", offset, limit: 5 }),
      BubError,
      words,
    );
    assertEquals(error.kind, "invalid_input");
  }
  await f.put("one", "a\n");
  await assertRejects(() => f.read({ path: "one", offset: 1 }), BubError, "(1 line)");
  await f.put("nil", "");
  assertEquals(await f.read({ path: "nil" }), "");
  assertEquals(await f.read({ path: "nil", offset: 0, limit: 3 }), "");
  await assertRejects(() => f.read({ path: "nil", offset: 1 }), BubError, "(0 lines)");
});

Deno.test("F1 B16 fs.read takes no negative, zero or broken numbers", () => {
  for (
    const args of [{ offset: -1 }, { limit: 0 }, { limit: -5 }, { offset: 1.5 }, { limit: "x" }]
  ) {
    const name = Object.keys(args)[0] ?? "";
    assertStringIncludes(refusal(fsRead, { path: "r", ...args }), name);
  }
});

Deno.test("F1 B13 fs.read refuses bytes that are not UTF-8 and says where they are", async () => {
  await using f = await files();
  await f.put("l.c", "x=1;\n// \xef\xbf\xbd caf\xe9\n");
  const error = await assertRejects(() => f.read({ path: "l.c" }), BubError, "l.c is not UTF-8");
  assertStringIncludes(error.message, "byte 15 (counted from 0) is 0xe9");
  await f.put("wide", "\xff\xfea\0");
  await assertRejects(() => f.read({ path: "wide" }), BubError, "byte 0");
  await f.put("ok", utf8("a\uFFFDb"));
  assertEquals(await f.read({ path: "ok" }), "a\uFFFDb");
});

Deno.test("F1 fs.read of what is missing or no file is an error that names it", async () => {
  await using f = await files();
  const missing = await assertRejects(() => f.read({ path: "no/such" }), BubError, "no/such");
  assertEquals(missing.kind, "not_found");
  await assertRejects(() => f.read({ path: "." }), BubError, ". is a folder");
});

Deno.test("F2 B20 fs.read shows images by what they hold, whatever they are called", async () => {
  await using f = await files();
  const images = [
    ["a.PNG", PNG, "image/png"],
    ["b.gif", GIF, "image/gif"],
    [
      "c.webp",
      WEBP,
      "image/webp",
    ],
    ["d.jpeg", JPEG, "image/jpeg"],
    ["lie.png", JPEG, "image/jpeg"],
  ] as const;
  for (const [path, data, mediaType] of images) {
    await f.put(path, data);
    const result = await f.read({ path, offset: 7, limit: 1 });
    assert(result instanceof MediaOutput);
    const label = `${mediaType}, ${data.length} bytes, ${path}`;
    assertEquals(result.value, label);
    assertEquals(result.media, [{ mediaType, data: new Uint8Array(data), label }]);
  }
});

Deno.test("F2 B20 fs.read refuses images cut anywhere, and other content under such a name", async () => {
  await using f = await files();
  for (const data of [PNG, GIF, WEBP, JPEG]) {
    for (let length = 12; length < data.length; length++) {
      await f.put("cut.jpg", data.subarray(0, length));
      await assertRejects(() => f.read({ path: "cut.jpg" }), BubError, "cut short or damaged");
    }
  }
  await f.put("fake.png", '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await assertRejects(() => f.read({ path: "fake.png" }), BubError, 'starts with "<svg xmlns=');
  await f.put("empty.gif", "");
  await assertRejects(() => f.read({ path: "empty.gif" }), BubError, "holds no PNG");
});

Deno.test("F2 fs.read checks the size of an image before it reads it", async () => {
  await using f = await files();
  await f.put("big.png", PNG);
  await Deno.truncate(`${f.folder}/big.png`, 20 * 1024 * 1024);
  await assertRejects(() => f.read({ path: "big.png" }), BubError, "20971520 bytes");
  // Behind its end a PNG may hold anything.
  await Deno.truncate(`${f.folder}/big.png`, 10 * 1024 * 1024);
  assert(await f.read({ path: "big.png" }) instanceof MediaOutput);
});

Deno.test("F3 B21 fs.write writes exactly the text", async () => {
  await using f = await files();
  assertEquals(await f.write({ path: "t3", content: "x" }), "wrote 1 byte to t3");
  await f.write({ path: "new/t4", content: "x\n" });
  await f.write({ path: "t5", content: "é\r\n" });
  await f.write({ path: "t6", content: "" });
  assertEquals(await f.get("t3"), "x");
  assertEquals(await f.get("new/t4"), "x\n");
  assertEquals(await f.get("t5"), "\xc3\xa9\r\n");
  assertEquals(await f.get("t6"), "");
  await assertRejects(() => f.write({ path: "t7", content: "a\ud83d" }), BubError, "surrogate");
});

Deno.test("F3 B12 fs.write gives a file the mark that its text has, and none otherwise", async () => {
  await using f = await files();
  await f.put("b.cs", "\xef\xbb\xbfold");
  await f.write({ path: "b.cs", content: "new" });
  assertEquals(await f.get("b.cs"), "new");
  await f.write({ path: "b.cs", content: "\uFEFFnew" });
  assertEquals(await f.get("b.cs"), "\xef\xbb\xbfnew");
});

Deno.test("F4 B10 fs.edit matches LF text in a CRLF file and writes CRLF", async () => {
  await using f = await files();
  await f.put("f", "a\r\nb\r\nc\r\n");
  assertEquals(await f.edit({ path: "f", old: "a\nb", new: "a\nB" }), "replaced 1 match in f");
  assertEquals(await f.get("f"), "a\r\nB\r\nc\r\n");
  await f.edit({ path: "f", old: "B", new: "B1\nB2\r\nB3" });
  assertEquals(await f.get("f"), "a\r\nB1\r\nB2\r\nB3\r\nc\r\n");
  await f.edit({ path: "f", old: "\nc", new: "\nd" });
  assertEquals(await f.get("f"), "a\r\nB1\r\nB2\r\nB3\r\nd\r\n");
  await f.edit({ path: "f", old: "B1\nB2\nB3\n", new: "" });
  assertEquals(await f.get("f"), "a\r\nd\r\n");
  await f.edit({ path: "f", old: "\n", new: "\n\n" });
  assertEquals(await f.get("f"), "a\r\n\r\nd\r\n\r\n");
  await f.edit({ path: "f", old: "d\r\n\r\n", new: "d" });
  assertEquals(await f.get("f"), "a\r\n\r\nd");
  await f.edit({ path: "f", old: "d", new: "d\ne" });
  assertEquals(await f.get("f"), "a\r\n\r\nd\r\ne");
});

Deno.test("F4 B10 fs.edit gives an LF file no CR, and each place of a mixed one its own", async () => {
  await using f = await files();
  await f.put("lf", "a\nb\nc\n");
  await f.edit({ path: "lf", old: "b", new: "b\nb" });
  assertEquals(await f.get("lf"), "a\nb\nb\nc\n");
  await assertRejects(() => f.edit({ path: "lf", old: "a\r\nb", new: "x" }), BubError, "not found");
  await f.put("mixed", "x\r\ny\nx\nz");
  await f.edit({ path: "mixed", old: "x\n", new: "1\n2\n" });
  assertEquals(await f.get("mixed"), "1\r\n2\r\ny\n1\n2\nz");
});

Deno.test("F4 B12 fs.edit matches behind a byte-order mark and keeps it", async () => {
  await using f = await files();
  await f.put("b.cs", "\xef\xbb\xbfusing A;\nx\n");
  await f.edit({ path: "b.cs", old: "using A;", new: "using B;" });
  assertEquals(await f.get("b.cs"), "\xef\xbb\xbfusing B;\nx\n");
});

Deno.test("F4 B13 fs.edit leaves bytes that are no UTF-8 as they are", async () => {
  await using f = await files();
  await f.put("l.c", "x=1;\n// caf\xe9 \xef\xbf\xbd\xff\0\n");
  await f.edit({ path: "l.c", old: "x=1", new: "ü=2" });
  assertEquals(await f.get("l.c"), "\xc3\xbc=2;\n// caf\xe9 \xef\xbf\xbd\xff\0\n");
  await f.put("z.bin", "\0\x01bin");
  await f.edit({ path: "z.bin", old: "bin", new: "BIN" });
  assertEquals(await f.get("z.bin"), "\0\x01BIN");
});

Deno.test("F4 B14 fs.edit takes the new text literally, at every match", async () => {
  await using f = await files();
  const fresh = "$$ $& $1 $' $` \\n";
  await f.put("d.sh", "P=old;tail old\n");
  assertEquals(
    await f.edit({ path: "d.sh", old: "old", new: fresh }),
    "replaced 2 matches in d.sh",
  );
  assertEquals(await f.get("d.sh"), `P=${fresh};tail ${fresh}\n`);
  await f.put("aaa", "aaaaa.*");
  await f.edit({ path: "aaa", old: "aa", new: "aaa" });
  assertEquals(await f.get("aaa"), "aaaaaaa.*");
  await f.edit({ path: "aaa", old: ".*", new: "" });
  assertEquals(await f.get("aaa"), "aaaaaaa");
});

Deno.test("F4 B15 fs.edit refuses an empty old, says no change, and leaves the file", async () => {
  await using f = await files();
  await f.put("e", "abc");
  const empty = await assertRejects(() => f.edit({ path: "e", old: "", new: "X" }), BubError);
  assertMatch(empty.message, /^old is empty/);
  await assertRejects(() => f.edit({ path: "e", old: "abc", new: "abc" }), BubError, "no change");
  const before = await Deno.stat(`${f.folder}/e`);
  await assertRejects(
    () => f.edit({ path: "e", old: "x", new: "y" }),
    BubError,
    "was not found in e",
  );
  const after = await Deno.stat(`${f.folder}/e`);
  assertEquals([after.ino, after.mtime], [before.ino, before.mtime]);
  assertEquals(await f.get("e"), "abc");
  const missing = await assertRejects(() => f.edit({ path: "none", old: "a", new: "b" }), BubError);
  assertEquals(missing.kind, "not_found");
});

Deno.test("F4 fs.edit begins at line `start` and says why nothing matched", async () => {
  await using f = await files();
  await f.put("s", "x\nx\r\nx");
  await f.edit({ path: "s", old: "x", new: "y", start: 1 });
  assertEquals(await f.get("s"), "x\ny\r\ny");
  await assertRejects(
    () => f.edit({ path: "s", old: "x", new: "z", start: 1 }),
    BubError,
    "from line 1 on; it is there before that line",
  );
  await assertRejects(
    () => f.edit({ path: "s", old: "y", new: "z", start: 3 }),
    BubError,
    "(3 lines)",
  );
  await f.put("t", "if (a) {\n\tb;\n}\n");
  await assertRejects(
    () => f.edit({ path: "t", old: "if (a) {\n  b;", new: "" }),
    BubError,
    "with other spaces or line breaks it is there",
  );
});

Deno.test("F4 B21 fs.edit neither adds nor drops the final newline", async () => {
  await using f = await files();
  await f.put("t1", "a\nb\nc\n");
  await f.edit({ path: "t1", old: "c", new: "C" });
  assertEquals(await f.get("t1"), "a\nb\nC\n");
  await f.put("t2", "a\nb");
  await f.edit({ path: "t2", old: "a", new: "A" });
  assertEquals(await f.get("t2"), "A\nb");
  await f.edit({ path: "t1", old: "b\nC\n", new: "" });
  assertEquals(await f.get("t1"), "a\n");
});

Deno.test("F4 B18 six fs.edit calls at once on one file all count", async () => {
  await using f = await files();
  await f.put("n.txt", Array.from({ length: 100 }, (_, i) => `line ${i + 1}\n`).join(""));
  await Deno.mkdir(`${f.folder}/sub`);
  await Deno.symlink("n.txt", `${f.folder}/alias`);
  const paths = [
    "n.txt",
    "./sub/../n.txt",
    "n.txt",
    "./sub/../n.txt",
    "alias",
    `${f.folder}/n.txt`,
  ];
  await Promise.all(
    paths.map((path, i) => f.edit({ path, old: `line ${10 * i + 5}\n`, new: `edit ${i}\n` })),
  );
  const text = await f.get("n.txt");
  assertEquals(text.match(/edit \d/g)?.length, 6);
  assertEquals(text.split("\n").length, 101);
});
