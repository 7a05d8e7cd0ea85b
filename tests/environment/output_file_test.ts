import { OutputFile } from "../../lib/environment/output_file.ts";
import { BubError } from "../../lib/errors.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";

/** A file of that content, read in small blocks. */
async function withOutput(
  content: string | Uint8Array,
  check: (output: OutputFile, add: (more: string | Uint8Array) => Promise<void>) => Promise<void>,
  blockBytes = 16,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "bub-output-" });
  const output = await OutputFile.create(`${folder}/shells`, blockBytes);
  const add = async (more: string | Uint8Array) => {
    const bytes = typeof more === "string" ? new TextEncoder().encode(more) : more;
    await Deno.writeFile(output.path, bytes, { append: true });
  };
  try {
    await add(content);
    await check(output, add);
  } finally {
    await output.discard();
    await Deno.remove(folder, { recursive: true });
  }
}

function randomBytes(length: number): Uint8Array {
  const parts = ["a", "\n", "é", "€", "😀", "\ufeff"].map((text) => new TextEncoder().encode(text));
  const bytes: number[] = [];
  while (bytes.length < length) {
    const roll = Math.floor(Math.random() * 10);
    bytes.push(...parts[roll] ?? [128 + Math.floor(Math.random() * 128)]);
  }
  return new Uint8Array(bytes.slice(0, length));
}

Deno.test("P2 P5 B03 slice() cuts what one TextDecoder makes of the whole, at any offset", async () => {
  for (let round = 0; round < 60; round++) {
    const bytes = randomBytes(round * round);
    const all = [...new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)];
    await withOutput(bytes, async (output) => {
      for (let i = 0; i < 12; i++) {
        const offset = Math.floor(Math.random() * (all.length + 3));
        const limit = i % 3 === 0 ? null : Math.floor(Math.random() * 40);
        const end = limit === null ? all.length : Math.min(all.length, offset + limit);
        assertEquals(await output.slice(offset, limit, true), {
          text: all.slice(offset, end).join(""),
          next: Math.max(Math.min(offset, all.length), end),
        }, `${bytes.length} bytes, ${offset}, ${limit}`);
      }
      const chunks = await Array.fromAsync(output.follow(() => true, () => Promise.resolve()));
      assertEquals(chunks.join(""), all.join(""));
      assertEquals(await output.tail(7, true), all.slice(-7).join(""));
    });
  }
});

Deno.test("P2 slice() clamps offset and limit to what there is", async () => {
  await withOutput("hällo", async (output) => {
    assertEquals(await output.slice(-5, 2, true), { text: "hä", next: 2 });
    assertEquals(await output.slice(99, null, true), { text: "", next: 5 });
    assertEquals(await output.slice(3, 99, true), { text: "lo", next: 5 });
    assertEquals(await output.slice(2, 0, true), { text: "", next: 2 });
    assertEquals(await output.slice(2, -1, true), { text: "", next: 2 });
  });
});

Deno.test("P5 B03 slice() holds back a character that is not complete yet", async () => {
  await withOutput(new Uint8Array([0x61, 0xe2]), async (output, add) => {
    assertEquals(await output.slice(0, null, false), { text: "a", next: 1 });
    assertEquals(await output.tail(5, false), "a");
    await add(new Uint8Array([0x82, 0xac, 0xe2, 0x82]));
    assertEquals(await output.slice(1, null, false), { text: "€", next: 2 });
    assertEquals(await output.slice(2, null, true), { text: "\ufffd", next: 3 });
    assertEquals(await output.tail(2, true), "€\ufffd");
    assertEquals(await output.tail(1, false), "€");
    await add("😀".repeat(20));
    await add(new Uint8Array([0xf0, 0x9f, 0x98]));
    assertEquals(await output.tail(3, false), "😀😀😀");
  });
});

Deno.test("P2 slice() goes on where the last one ended while the file grows", async () => {
  await withOutput("", async (output, add) => {
    const bytes = randomBytes(2000);
    let [text, next] = ["", 0];
    for (let at = 0; at < bytes.length; at += 7) {
      await add(bytes.subarray(at, at + 7));
      const part = await output.slice(next, null, at + 7 >= bytes.length);
      text += part.text;
      next = part.next;
    }
    assertEquals(text, new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
    assertEquals(next, [...text].length);
  });
});

Deno.test("P2 slice() may be called several times at once", async () => {
  const text = "0123456789".repeat(50);
  await withOutput(text, async (output) => {
    const slices = await Promise.all(
      Array.from({ length: 40 }, (_, i) => output.slice(i * 10, 10, true)),
    );
    assertEquals(slices.map(({ text }) => text).join(""), text.slice(0, 400));
  });
});

Deno.test("P5 slice() of more than 64 MiB is a piece from which next leads on", async () => {
  await withOutput("", async (output) => {
    await Deno.truncate(output.path, 65 * 2 ** 20);
    const { text, next } = await output.slice(5, null, true);
    assertEquals([text.length, next], [16 * 2 ** 20, 5 + 16 * 2 ** 20]);
    const rest = await output.slice(next, null, true);
    assertEquals([rest.text.length, rest.next], [49 * 2 ** 20 - 5, 65 * 2 ** 20]);
  }, 2 ** 16);
});

Deno.test("create() makes folder and file for the owner alone; discard() removes the file", async () => {
  await withOutput("text", async (output) => {
    const mode = async (path: string) => (await Deno.stat(path)).mode! & 0o777;
    assertEquals(await mode(output.path), 0o600);
    assertEquals(await mode(output.path.slice(0, output.path.lastIndexOf("/"))), 0o700);
    await output.discard();
    await output.discard();
    await assertRejects(() => Deno.stat(output.path), Deno.errors.NotFound);
    assertEquals(await output.slice(0, null, true), { text: "", next: 0 });
    assertEquals([await output.size(), await output.tail(4, true)], [0, ""]);
  });
});

Deno.test("P2 output stays readable when its file is deleted by others", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await withOutput("text", async (output) => {
    await Deno.remove(output.path);
    assertEquals(await output.slice(0, null, true), { text: "text", next: 4 });
  });
});

Deno.test("create() says which folder cannot keep output", async () => {
  const file = await Deno.makeTempFile();
  try {
    const error = await assertRejects(() => OutputFile.create(`${file}/shells`), BubError, file);
    assertEquals(error.kind, "storage");
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("sweep() removes outputs that nobody wrote to for a week, and nothing else", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const old = new Date(Date.now() - 8 * 24 * 3_600_000);
    for (const name of ["old.out", "old.out.sh", "new.out", "notes.txt"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
      if (name !== "new.out") await Deno.utime(`${folder}/${name}`, old, old);
    }
    await OutputFile.sweep(folder);
    const left = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    assertEquals(left.sort(), ["new.out", "notes.txt"]);
    await OutputFile.sweep(`${folder}/missing`);
    assert((await Deno.stat(folder)).isDirectory);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
