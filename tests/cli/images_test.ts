import { join } from "@std/path";
import { readImages } from "../../lib/cli/images.ts";
import { BubError } from "../../lib/errors.ts";
import { assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { DOT_BASE64, DOT_PNG } from "../dot_png.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { bub } from "./spawn.ts";
import { openWorkbench } from "./workbench.ts";

/** A folder with an image, a lie, and worse. */
async function openGallery() {
  const bench = await openWorkbench();
  const put = (name: string, data: Uint8Array) => Deno.writeFile(join(bench.root, name), data);
  await put("dot.png", DOT_PNG);
  await put("dot.txt", DOT_PNG);
  await put("cut.png", DOT_PNG.subarray(0, 40));
  await put("fake.png", new TextEncoder().encode("<svg/>"));
  await put("big.png", DOT_PNG);
  await Deno.truncate(join(bench.root, "big.png"), 10 * 1024 * 1024 + 1);
  return bench;
}

/** Reads them as a user in the home folder `root` would. */
function read(root: string, paths: readonly string[], message = "look") {
  const { signal } = new AbortController();
  return readImages(paths, { message, commandPrefix: ",", env: { HOME: root }, signal });
}

Deno.test("F2 L2 --image takes files by path, ~ and URL; what they hold decides", async () => {
  await using bench = await openGallery();
  const { root } = bench;
  const paths = [join(root, "dot.png"), "~/dot.txt", `file://${root}/dot.png`];
  const images = await read(root, paths);
  assertEquals(images.map(({ mediaType, data }) => [mediaType, data.length]), [
    ["image/png", DOT_PNG.length],
    ["image/png", DOT_PNG.length],
    ["image/png", DOT_PNG.length],
  ]);
  assertEquals(images[1]?.label, `image/png, ${DOT_PNG.length} bytes, ~/dot.txt`);
});

Deno.test("F2 B20 --image refuses in one sentence what fs.read would", async () => {
  await using bench = await openGallery();
  const { root } = bench;
  const expected: readonly [string, string][] = [
    ["cut.png", "cut.png is an image/png that is cut short or damaged"],
    ["fake.png", 'fake.png holds no PNG, JPEG, WebP or GIF; it starts with "<svg/>"'],
    ["big.png", "big.png has 10485761 bytes; at most 10 MiB are read"],
    ["missing.png", "no such file or folder: missing.png"],
    ["work", "work is a folder"],
  ];
  for (const [name, message] of expected) {
    const paths = ["~/dot.png", `~/${name}`];
    const error = await assertRejects(() => read(root, paths), BubError);
    assertEquals(error.kind, "config");
    assertStringIncludes(error.message.replace(`~/${name}`, name), `--image: ${message}`);
  }
  const command = await assertRejects(() => read(root, ["~/dot.png"], ",help"), BubError);
  assertEquals([command.kind, command.message], [
    "config",
    "--image goes with a message for the model, and this one is a text command",
  ]);
  assertEquals((await read(root, ["~/dot.png"], ",,help")).length, 1);
});

Deno.test("L2 TP12 bub run --image shows the model images from the folder the user stands in", async () => {
  await using bench = await openGallery();
  await using server = startFakeOpenAI({ script: () => ({ text: "Two dots." }) });
  const env = {
    ...bench.env,
    BUB_MODEL: "openai-compatible:scripted",
    BUB_API_BASE: server.base,
  };
  const args = ["run", "look", "--image", "dot.png", "--image=dot.txt", "-w", bench.workspace];
  const { code, stdout } = await bub(args, { env, cwd: bench.root });
  assertEquals([code, stdout], [0, "Two dots.\n"]);
  const sent = JSON.stringify(server.requests[0]?.body);
  assertEquals(sent.split(`data:image/png;base64,${DOT_BASE64}`).length - 1, 2);
  const shown = await bub(["tape", "show", "-w", bench.workspace], { env, cwd: bench.root });
  assertStringIncludes(shown.stdout, `look\n[image/png, ${DOT_PNG.length} bytes, dot.png]\n`);
});

Deno.test("L2 F2 a bad --image ends bub run with 2 before any request, and leaves no tape", async () => {
  await using bench = await openGallery();
  await using server = startFakeOpenAI({ script: () => ({ text: "?" }) });
  const env = {
    ...bench.env,
    BUB_MODEL: "openai-compatible:scripted",
    BUB_API_BASE: server.base,
  };
  const outcome = await bub(["run", "look", "--image", "cut.png"], { env, cwd: bench.root });
  assertEquals(outcome, {
    code: 2,
    stdout: "",
    stderr: "bub: --image: cut.png is an image/png that is cut short or damaged\n",
  });
  assertEquals(server.requests.length, 0);
  const made = await Array.fromAsync(Deno.readDir(join(bench.root, "home")), ({ name }) => name);
  assertEquals(made.filter((name) => name === "tapes" || name === "media"), []);
});
