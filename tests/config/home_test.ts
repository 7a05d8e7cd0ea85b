import { dirname, join } from "@std/path";
import { findHome, homeProblem, openHome } from "../../lib/config/home.ts";
import { BubError } from "../../lib/errors.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "../assert.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const HOME = Deno.build.os === "windows" ? "USERPROFILE" : "HOME";

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
  assertEquals([home.path, home.scratch, home.notice], [path, path, null]);
  assert((await Deno.stat(path)).isDirectory);
});

Deno.test("L4 the home folder is .bub in the user's folder, private, and kept", async () => {
  await using folder = await temporaryFolder();
  {
    using home = openHome(findHome({ [HOME]: folder.path }));
    assertEquals(home.path, join(folder.path, ".bub"));
  }
  const { mode, isDirectory } = await Deno.stat(join(folder.path, ".bub"));
  assert(isDirectory);
  if (Deno.build.os !== "windows") assertEquals((mode ?? 0) & 0o777, 0o700);
  const left = await Array.fromAsync(Deno.readDir(join(folder.path, ".bub")));
  assertEquals(left, [], "nothing is left in it");
});

Deno.test("B73 an empty BUB_HOME counts as unset", async () => {
  await using folder = await temporaryFolder();
  const { path, explicit } = findHome({ BUB_HOME: "", [HOME]: folder.path });
  assertEquals([path, explicit], [join(folder.path, ".bub"), false]);
});

for (
  const [what, home, says] of [
    ["missing", undefined, "is not set"],
    ["empty", "", "is not set"],
    ["relative", "here", 'an absolute path, not "here"'],
    ["a folder that is not there", "MISSING", "MISSING does not exist"],
  ] as const
) {
  Deno.test(`B73 with a user folder that is ${what} nothing is saved, which is said`, async () => {
    await using folder = await temporaryFolder();
    const missing = join(folder.path, "not", "there");
    const temporary = join(folder.path, "tmp");
    await Deno.mkdir(temporary);
    const env = {
      TMPDIR: temporary,
      TMP: temporary,
      ...(home === undefined ? {} : { [HOME]: home.replace("MISSING", missing) }),
    };
    {
      using opened = openHome(findHome(env));
      assertEquals([opened.path, dirname(opened.scratch)], [undefined, temporary]);
      assertStringIncludes(opened.notice ?? "", "nothing will be saved");
      assertStringIncludes(opened.notice ?? "", says.replace("MISSING", missing));
      assert((await Deno.stat(opened.scratch)).isDirectory);
    }
    assertEquals(await Array.fromAsync(Deno.readDir(temporary)), [], "the temporary folder goes");
    assertEquals(await Array.fromAsync(Deno.readDir(folder.path), ({ name }) => name), ["tmp"]);
  });
}

Deno.test("B73 a file where the home folder should be: an error for BUB_HOME, else a fallback", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, ".bub");
  await Deno.writeTextFile(file, "");
  const error = assertThrows(() => openHome(findHome({ BUB_HOME: file })), BubError, file);
  assertEquals(error.kind, "config");
  using home = openHome(findHome({ [HOME]: folder.path }));
  assertEquals(home.path, undefined);
});

Deno.test({
  name: "B73 a folder that takes no folders is not called missing",
  ignore: Deno.build.os !== "linux",
  fn() {
    assertThrows(
      () => openHome(findHome({ BUB_HOME: "/proc/x" })),
      BubError,
      "BUB_HOME=/proc/x cannot be used: no folder can be made in /proc",
    );
    using home = openHome(findHome({ [HOME]: "/proc" }));
    assertStringIncludes(home.notice ?? "", "no folder can be made in /proc");
  },
});

Deno.test({
  name: "E4 without permission to write, BUB_HOME is an error that names the flag",
  permissions: { read: true, write: false, env: true },
  fn() {
    assertThrows(
      () => openHome(findHome({ BUB_HOME: "/tmp/x" })),
      BubError,
      "--allow-write=/tmp/x",
    );
  },
});

Deno.test({
  name: "B73 E4 without any folder to write to nothing is saved, which is said",
  permissions: { read: true, write: false, env: true },
  fn() {
    using home = openHome(findHome({ [HOME]: join("/tmp", "me") }));
    const place = join("/tmp", "me", ".bub");
    assertEquals([home.path, home.scratch], [undefined, place]);
    assertStringIncludes(home.notice ?? "", `nothing will be saved: write access to "${place}"`);
    assertStringIncludes(home.notice ?? "", `--allow-write=${place}`);
    using none = openHome(findHome({ TMPDIR: "/t", TMP: "/t" }));
    assertEquals([none.path, none.scratch], [undefined, join("/t", "bub")]);
  },
});

Deno.test({
  name: "B73 nothing is saved where the home folder and the temporary one take no files",
  ignore: Deno.build.os !== "linux",
  fn() {
    using home = openHome(findHome({ [HOME]: "/proc", TMPDIR: "/proc" }));
    assertEquals([home.path, home.scratch], [undefined, "/proc/.bub"]);
  },
});

Deno.test("L1 B73 homeProblem() foretells what openHome() finds, and leaves nothing behind", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  await Deno.writeTextFile(join(path, "file"), "");
  await Deno.mkdir(join(path, "there", ".bub"), { recursive: true });
  const places = [
    { [HOME]: path },
    { [HOME]: join(path, "there") },
    { [HOME]: join(path, "not", "there") },
    { [HOME]: join(path, "file") },
    { [HOME]: "here" },
    { BUB_HOME: join(path, "deep", "er") },
    { BUB_HOME: join(path, "there") },
    { BUB_HOME: join(path, "file") },
    { BUB_HOME: join(path, "file", "deep") },
  ].map(findHome);
  const problems = places.map(homeProblem);
  const names = await Array.fromAsync(Deno.readDir(path), ({ name }) => name);
  assertEquals(names.sort(), ["file", "there"]);
  const opened = places.map((place) => {
    try {
      using home = openHome(place);
      return home.path !== undefined;
    } catch {
      return false;
    }
  });
  assertEquals(problems.map((problem) => problem === undefined), opened);
  assert(opened.includes(true) && opened.includes(false));
});
