import { join } from "@std/path";
import { findHome, openHome } from "../../lib/config/home.ts";
import { BubError } from "../../lib/errors.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "../assert.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const HOME = Deno.build.os === "windows" ? "USERPROFILE" : "HOME";

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch {
    return false;
  }
}

Deno.test("B73 BUB_HOME wins and the default is not even computed", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a b", "ü");
  const env = {
    BUB_HOME: path,
    get [HOME](): string {
      throw new Error("the default was computed");
    },
  };
  using home = openHome(findHome(env));
  assertEquals([home.path, home.persistent, home.notice], [path, true, null]);
  assert((await Deno.stat(path)).isDirectory);
});

Deno.test("L4 the home folder is .bub in the user's folder, private, and kept", async () => {
  await using folder = await temporaryFolder();
  {
    using home = openHome(findHome({ [HOME]: folder.path }));
    assertEquals([home.path, home.persistent], [join(folder.path, ".bub"), true]);
  }
  const { mode, isDirectory } = await Deno.stat(join(folder.path, ".bub"));
  assert(isDirectory);
  if (Deno.build.os !== "windows") assertEquals((mode ?? 0) & 0o777, 0o700);
  const left = await Array.fromAsync(Deno.readDir(join(folder.path, ".bub")));
  assertEquals(left, [], "nothing is left in it");
});

Deno.test("B73 an empty BUB_HOME counts as unset", async () => {
  await using folder = await temporaryFolder();
  const place = findHome({ BUB_HOME: "", [HOME]: folder.path });
  assertEquals(place, { path: join(folder.path, ".bub"), explicit: false });
});

for (
  const [what, home, says] of [
    ["missing", undefined, "is not set"],
    ["empty", "", "is not set"],
    ["relative", "here", 'an absolute path, not "here"'],
    ["a folder that is not there", "/nowhere/at/all", "/nowhere/at/all does not exist"],
  ]
) {
  Deno.test(`B73 with a user folder that is ${what} nothing is saved, which is said`, async () => {
    const env = home === undefined ? {} : { [HOME]: home };
    let path: string;
    {
      using opened = openHome(findHome(env));
      path = opened.path;
      assertEquals(opened.persistent, false);
      assertStringIncludes(opened.notice ?? "", "nothing will be saved");
      assertStringIncludes(opened.notice ?? "", String(says));
      assert((await Deno.stat(path)).isDirectory);
    }
    assertEquals(await exists(path), false, "the temporary folder goes");
    assertEquals(await exists("/nowhere"), false);
  });
}

Deno.test("B73 a file where the home folder should be: an error for BUB_HOME, else a fallback", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, ".bub");
  await Deno.writeTextFile(file, "");
  const error = assertThrows(() => openHome(findHome({ BUB_HOME: file })), BubError, file);
  assertEquals(error.kind, "config");
  using home = openHome(findHome({ [HOME]: folder.path }));
  assertEquals(home.persistent, false);
});

Deno.test({
  name: "E4 without permission to write, BUB_HOME is an error that names the flag",
  permissions: { read: true, write: false, env: false },
  fn() {
    assertThrows(
      () => openHome(findHome({ BUB_HOME: "/tmp/x" })),
      BubError,
      "--allow-write=/tmp/x",
    );
    assertThrows(() => openHome(findHome({ [HOME]: "/tmp" })), BubError, "set BUB_HOME");
  },
});
