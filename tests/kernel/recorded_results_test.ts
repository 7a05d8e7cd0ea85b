import { join } from "@std/path";
import { isJsonObject } from "../../lib/json.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { DOT_BASE64, DOT_PNG } from "../dot_png.ts";
import { TemporaryAgent } from "./temporary_agent.ts";

const SHA256 = new Uint8Array(
  await crypto.subtle.digest("SHA-256", DOT_PNG),
).toHex();

const read = (path: string) => ({ name: "fs_read", arguments: { path } });

/** An agent whose workspace has one image, and whose model looks at it twice. */
async function openGallery() {
  const app = await TemporaryAgent.open([
    {
      calls: [read("dot.png"), read("dot.png"), {
        name: "bash",
        arguments: { command: "echo hi" },
      }],
    },
    { text: "A dot." },
    { text: "Still a dot." },
    { text: "No dot." },
  ]);
  await Deno.writeFile(join(app.workspace, "dot.png"), DOT_PNG);
  return app;
}

function request(app: TemporaryAgent, n: number): string {
  return JSON.stringify(app.server.requests[n]?.body);
}

Deno.test("F2 TP12 an image that a tool shows reaches the model in the next step and in later turns", async () => {
  await using app = await openGallery();
  assertEquals((await app.run("look")).output, "A dot.");
  assertEquals((await app.run("again")).output, "Still a dot.");
  const url = `data:image/png;base64,${DOT_BASE64}`;
  for (const n of [1, 2]) assertEquals(request(app, n).split(url).length - 1, 2, `request ${n}`);
});

Deno.test("TP2 TP12 the tape refers to an image and never holds its bytes, which are kept once", async () => {
  await using app = await openGallery();
  await app.run("look");
  const tape = await app.tape();
  const entry = tape.find(({ kind }) => kind === "tool_result");
  assert(entry !== undefined && Array.isArray(entry.payload.results));
  const [one, two, text] = entry.payload.results;
  assert(Array.isArray(one));
  const [said, reference] = one;
  assert(isJsonObject(said) && isJsonObject(reference));
  assertEquals(said.type, "text");
  assertMatch(String(said.text), /image\/png.*dot\.png/);
  assertEquals(reference, {
    type: "media",
    media_type: "image/png",
    sha256: SHA256,
    size: DOT_PNG.length,
    label: String(said.text),
  });
  assertEquals([two, text], [one, "hi\n"]);
  assertEquals([entry.meta.parts, entry.meta.errors], [[0, 1], []]);
  assertEquals(JSON.stringify(tape).includes(DOT_BASE64), false);
  const names = await Array.fromAsync(Deno.readDir(join(app.home, "media")), ({ name }) => name);
  assertEquals(names.filter((name) => name !== ".lock"), [SHA256]);
});

Deno.test("TP12 an image whose file is gone becomes a text, and the turn goes on", async () => {
  await using app = await openGallery();
  await app.run("look");
  await Deno.remove(join(app.home, "media", SHA256));
  assertEquals((await app.run("again")).status, "ok");
  assertEquals(request(app, 2).includes(DOT_BASE64), false);
  assertMatch(request(app, 2), /\[image\/png[^\]]*dot\.png: not available\]/);
});

Deno.test("TP12 an image that cannot be kept is a warning and a text, not the end of the turn", async () => {
  await using app = await openGallery();
  await Deno.writeTextFile(join(app.home, "media"), "a file where the folder should be");
  const result = await app.run("look");
  assertEquals([result.status, result.output], ["ok", "A dot."]);
  const warnings = app.events.filter(({ type }) => type === "warning");
  assertEquals(warnings.length, 2);
  assertStringIncludes(JSON.stringify(warnings), "media cannot be locked");
  assertMatch(request(app, 1), /dot\.png: not available: media cannot be locked/);
  assertStringIncludes(request(app, 1), "hi\\n");
});
