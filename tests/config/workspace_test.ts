import { fromFileUrl, join } from "@std/path";
import { resolveWorkspace } from "../../lib/config/workspace.ts";
import { BubError } from "../../lib/errors.ts";
import { assertEquals, assertThrows } from "../assert.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const ROOT = await Deno.realPath(fromFileUrl(new URL("../..", import.meta.url)));

Deno.test("E2 -w names the workspace by its real path, and ~ expands", async () => {
  await using folder = await temporaryFolder();
  await Deno.mkdir(join(folder.path, "real"));
  await Deno.symlink(join(folder.path, "real"), join(folder.path, "link"));
  assertEquals(resolveWorkspace(join(folder.path, "link"), {}), join(folder.path, "real"));
  const env = { HOME: folder.path, USERPROFILE: folder.path };
  assertEquals(resolveWorkspace("~/real", env), join(folder.path, "real"));
});

Deno.test("E2 a workspace that is missing or a file is a configuration error", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "file");
  await Deno.writeTextFile(file, "");
  assertEquals(
    assertThrows(() => resolveWorkspace(join(folder.path, "no"), {}), BubError, "does not exist")
      .kind,
    "config",
  );
  assertThrows(() => resolveWorkspace(file, {}), BubError, "must be a folder");
});

Deno.test("E2 INIT_CWD counts under our own task only: in the folder of our deno.json", async () => {
  await using folder = await temporaryFolder();
  const env = { INIT_CWD: folder.path };
  const before = Deno.cwd();
  try {
    Deno.chdir(ROOT);
    assertEquals(resolveWorkspace(undefined, env), folder.path);
    assertEquals(resolveWorkspace(undefined, { INIT_CWD: join(folder.path, "gone") }), ROOT);
    assertEquals(resolveWorkspace(undefined, { INIT_CWD: "" }), ROOT);
    Deno.chdir(join(ROOT, "lib"));
    assertEquals(resolveWorkspace(undefined, env), join(ROOT, "lib"));
  } finally {
    Deno.chdir(before);
  }
});
