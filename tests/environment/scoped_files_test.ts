import { assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { BubError } from "../../lib/errors.ts";
import type { Scope } from "../../lib/environment/scope.ts";
import type { ScopedEnvironment } from "../../lib/environment/scoped.ts";
import { SECRET, temporaryScope } from "./temporary_scope.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder().decode(data);
const POSIX = { ignore: Deno.build.os === "windows" };

/** The workspace, for reading and writing, and nothing else. */
const workspaceOnly = (folder: string): Scope => ({
  allow: { read: [folder], write: [folder] },
  deny: {},
});

/** Every operation on a path. */
function operations(environment: ScopedEnvironment, path: string) {
  return {
    stat: () => environment.stat(path),
    listFolder: () => environment.listFolder(path),
    readFile: () => environment.readFile(path),
    updateFile: () => environment.updateFile(path, () => bytes("changed")),
    writeFile: () => environment.writeFile(path, bytes("written")),
  };
}

/** What each operation on a path fails with, which must be a denial. */
async function denials(environment: ScopedEnvironment, path: string): Promise<string[]> {
  const messages = [];
  for (const [name, operate] of Object.entries(operations(environment, path))) {
    const error = await assertRejects<BubError>(operate, BubError);
    assertEquals(error.kind, "permission", `${name} ${path}: ${error.message}`);
    messages.push(error.message);
  }
  return messages;
}

Deno.test(
  "E3 E4 nothing outside is touched, by whatever spelling, and each denial names the flag",
  POSIX,
  async () => {
    await using scope = await temporaryScope(workspaceOnly);
    const { environment, folder, outside, root } = scope;
    const secret = `${outside}/secret`;
    const spellings = [
      secret,
      "../outside/secret",
      "./x/../../outside/secret",
      `${folder}/../outside/secret`,
      `/${outside}//secret`,
      `${outside}/./secret`,
      `file://${outside}/secret`,
      `FILE://${outside.replace("outside", "%6Futside")}/secret`,
    ];
    for (const spelling of spellings) {
      const flag = (access: string) =>
        `${access} access to "${secret}" is not allowed; --allow-${access}=${secret} grants it`;
      const expected = ["read", "read", "read", "read", "write"].map(flag);
      assertEquals(await denials(environment, spelling), expected, spelling);
    }
    for (const path of [`${root}/home`, "~/x", `${folder}x`, `${folder} `]) {
      await denials(environment, path);
    }
    assertEquals(await Deno.readTextFile(secret), SECRET);
    assertEquals((await Array.fromAsync(Deno.readDir(root))).length, 3);
  },
);

Deno.test(
  "E3 E4 links lead nowhere outside: files, folders, chains, parents, and what is missing",
  POSIX,
  async () => {
    await using scope = await temporaryScope(workspaceOnly);
    const { environment, folder, outside } = scope;
    await Deno.mkdir(`${folder}/sub`);
    await Deno.symlink("../outside/secret", `${folder}/file`);
    await Deno.symlink("../outside", `${folder}/folder`);
    await Deno.symlink("file", `${folder}/chain`);
    await Deno.symlink("../folder", `${folder}/sub/parent`);
    await Deno.symlink("../outside/missing", `${folder}/dangling`);
    await Deno.symlink("/", `${folder}/root`);
    const leads: [path: string, target: string][] = [
      ["file", `${outside}/secret`],
      ["chain", `${outside}/secret`],
      ["folder/secret", `${outside}/secret`],
      ["sub/parent/secret", `${outside}/secret`],
      ["dangling", `${outside}/missing`],
      ["folder/missing", `${outside}/missing`],
      ["folder/new/deep", `${outside}/new/deep`],
      ["folder", outside],
      ["root/etc/hostname", "/etc/hostname"],
      // Neither is told from what is there.
      ["root/etc/no such file", "/etc/no such file"],
    ];
    for (const [path, target] of leads) {
      const quoted = target.includes(" ") ? `"${target}"` : target;
      for (const [index, message] of (await denials(environment, path)).entries()) {
        const access = index === 4 ? "write" : "read";
        assertEquals(
          message,
          `${path} leads elsewhere: ${access} access to "${target}" is not allowed; ` +
            `--allow-${access}=${quoted} grants it`,
        );
      }
    }
    assertEquals(await Array.fromAsync(Deno.readDir(outside), ({ name }) => name), ["secret"]);
    assertEquals(await Deno.readTextFile(`${outside}/secret`), SECRET);
  },
);

Deno.test("E3 links that stay inside, or come back in, are followed", POSIX, async () => {
  await using scope = await temporaryScope(workspaceOnly);
  const { environment, folder, outside } = scope;
  await Deno.writeTextFile(`${folder}/f`, "inside");
  await Deno.mkdir(`${folder}/sub/dir`, { recursive: true });
  await Deno.symlink("sub", `${folder}/alias`);
  await Deno.symlink("../../f", `${folder}/sub/dir/up`);
  await Deno.symlink(`${folder}/f`, `${outside}/back`);
  await Deno.symlink("../outside/back", `${folder}/round`);
  for (const path of ["alias/dir/up", "./alias/../f", "round", `${folder}//f/`]) {
    assertEquals(text(await environment.readFile(path)), "inside", path);
  }
  await environment.writeFile("alias/new/x", bytes("x"));
  assertEquals(await Deno.readTextFile(`${folder}/sub/new/x`), "x");
  await environment.updateFile("alias/dir/up", () => bytes("changed"));
  assertEquals(await Deno.readTextFile(`${folder}/f`), "changed");
});

Deno.test(
  "E3 hard links inside are inside: nothing tells where else a file has a name",
  POSIX,
  async () => {
    await using scope = await temporaryScope(workspaceOnly);
    const { environment, folder, outside } = scope;
    await Deno.link(`${outside}/secret`, `${folder}/twin`);
    assertEquals(text(await environment.readFile("twin")), SECRET);
  },
);

Deno.test(
  "E3 deny rules win for paths, real paths and what is below, also once there is a link",
  POSIX,
  async () => {
    await using scope = await temporaryScope((folder) => ({
      allow: { read: [folder], write: [folder] },
      deny: { read: ["private", "late"], write: [`${folder}/locked`] },
    }));
    const { environment, folder } = scope;
    for (const name of ["private", "locked", "open"]) await Deno.mkdir(`${folder}/${name}`);
    await Deno.writeTextFile(`${folder}/private/f`, "private");
    await Deno.writeTextFile(`${folder}/locked/f`, "locked");
    await Deno.symlink("../private/f", `${folder}/open/f`);
    await Deno.symlink("../locked", `${folder}/open/locked`);
    const read = async (path: string) =>
      await environment.readFile(path).then(text, ({ message }) => message);
    const write = async (path: string) =>
      await environment.writeFile(path, bytes("x")).catch(({ message }) => message);

    const denied = `read access to "${folder}/private/f" is denied by --deny-read=private`;
    assertEquals(await read("private/f"), denied);
    assertEquals(await read("open/../private/./f"), denied);
    await Deno.symlink("open", `${folder}/way`);
    assertEquals(await read("way/f"), `way/f leads elsewhere: ${denied}`);
    // Made after the rules, it denies what it leads to now.
    await Deno.symlink("locked", `${folder}/late`);
    assertEquals(
      await read("locked/f"),
      `read access to "${folder}/locked/f" is denied by --deny-read=late`,
    );
    await Deno.remove(`${folder}/late`);

    assertEquals(await read("locked/f"), "locked");
    const locked = (path: string) =>
      `write access to "${folder}/locked/${path}" is denied by --deny-write="${folder}/locked"`;
    assertEquals(await write("locked/f"), locked("f"));
    assertEquals(
      await write("open/locked/new/f"),
      `open/locked/new/f leads elsewhere: ${locked("new/f")}`,
    );
    assertEquals(await Deno.readTextFile(`${folder}/locked/f`), "locked");
  },
);

Deno.test("E3 without allow rules all is open but what is denied", POSIX, async () => {
  await using scope = await temporaryScope((_folder, root) => ({
    allow: {},
    deny: { read: [`${root}/outside`], write: true },
  }));
  const { environment, folder, root } = scope;
  await Deno.writeTextFile(`${root}/home/f`, "home");
  await Deno.symlink("../outside", `${folder}/link`);
  assertEquals(text(await environment.readFile("~/f")), "home");
  for (
    const path of [
      "../outside/secret",
      "link/secret",
      "link/missing",
      "/outside/../" + root + "/outside/x",
    ]
  ) {
    const { message } = await assertRejects(() => environment.stat(path), BubError);
    assertStringIncludes(message, `is denied by --deny-read=${root}/outside`);
  }
  // A link in what is denied is not followed to where there is nothing.
  await Deno.symlink("../work space/missing", `${root}/outside/hop`);
  const hop = await assertRejects(() => environment.stat("../work space/link/hop"), BubError);
  assertStringIncludes(
    hop.message,
    `link/hop leads elsewhere: read access to "${root}/outside/hop"`,
  );
  const { message } = await assertRejects(() => environment.writeFile("f", bytes("x")), BubError);
  assertEquals(message, `write access to "${folder}/f" is denied by --deny-write`);
});

Deno.test(
  "E3 an allowed folder that is a link itself is allowed by both of its names",
  POSIX,
  async () => {
    await using scope = await temporaryScope((_folder, root) => {
      Deno.symlinkSync("outside", `${root}/named`);
      return { allow: { read: [`${root}/named`], write: [`${root}/named`] }, deny: {} };
    });
    const { environment, root, outside } = scope;
    for (const path of [`${root}/named`, outside]) {
      assertEquals(text(await environment.readFile(`${path}/secret`)), SECRET);
      await environment.writeFile(`${path}/new/f`, bytes(path));
      assertEquals(await Deno.readTextFile(`${outside}/new/f`), path);
      const missing = await assertRejects(() => environment.stat(`${path}/none`), BubError);
      assertEquals(missing.kind, "not_found");
    }
    await denials(environment, `${root}/home`);
  },
);

Deno.test(
  "E3 F3 the right to one file is enough to write and change just that",
  POSIX,
  async () => {
    await using scope = await temporaryScope({
      allow: { read: ["old", "new", "sub/new"], write: ["old", "new", "sub/new"] },
      deny: {},
    });
    const { environment, folder } = scope;
    await Deno.writeTextFile(`${folder}/old`, "before, and longer");
    await environment.writeFile("old", bytes("one"));
    await environment.updateFile("old", (data) => bytes(`${text(data)}, two`));
    await environment.writeFile("new", bytes("three"));
    await denials(environment, "other");
    await assertRejects(() => environment.writeFile("sub/new", bytes("x")), BubError);
    assertEquals(await Deno.readTextFile(`${folder}/old`), "one, two");
    assertEquals(await Deno.readTextFile(`${folder}/new`), "three");
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    assertEquals(names.sort(), ["new", "old"]);
  },
);

Deno.test("E4 writing takes the right to read too, and says so", POSIX, async () => {
  await using scope = await temporaryScope({ allow: { write: ["."] }, deny: {} });
  const { environment, folder } = scope;
  const { kind, message } = await assertRejects(
    () => environment.writeFile("f", bytes("x")),
    BubError,
  );
  assertEquals(
    [kind, message],
    [
      "permission",
      `read access to "${folder}/f" is not allowed; --allow-read="${folder}/f" grants it`,
    ],
  );
});

Deno.test(
  "E4 what may not be read may not be written either, by link or by name",
  POSIX,
  async () => {
    await using scope = await temporaryScope({ allow: {}, deny: { read: ["private"] } });
    const { environment, folder } = scope;
    await Deno.mkdir(`${folder}/private`);
    await Deno.symlink("private", `${folder}/link`);
    for (const path of ["private/f", "private/new/f", "link/f", "link/new/f"]) {
      const { message } = await assertRejects(
        () => environment.writeFile(path, bytes("x")),
        BubError,
      );
      const target = `${folder}/${path.replace("link", "private")}`;
      const where = path.startsWith("link") ? `${path} leads elsewhere: ` : "";
      assertEquals(message, `${where}read access to "${target}" is denied by --deny-read=private`);
    }
    assertEquals(await Array.fromAsync(Deno.readDir(`${folder}/private`)), []);
    await environment.writeFile("f", bytes("x"));
  },
);

Deno.test(
  "E3 no scope opens bub's own files for writing, and reading them is not bub's business",
  POSIX,
  async () => {
    const open: Scope[] = [
      { allow: {}, deny: { net: true } },
      { allow: { read: true, write: true }, deny: {} },
      { allow: { read: ["/"], write: ["/"] }, deny: { write: ["other"] } },
    ];
    for (const rules of open) {
      await using scope = await temporaryScope(rules, {
        ownFiles: ["home", "work space/plugin.ts"],
      });
      const { environment, folder, root } = scope;
      await Deno.writeTextFile(`${root}/home/config.jsonc`, "{}");
      await Deno.writeTextFile(`${folder}/plugin.ts`, "plugin");
      await Deno.symlink("../home", `${folder}/link`);
      await Deno.symlink("plugin.ts", `${folder}/alias`);
      const own = [
        "~/config.jsonc",
        "~/new/evil.ts",
        "link/config.jsonc",
        "link/evil.ts",
        "plugin.ts",
        "alias",
      ];
      for (const path of own) {
        for (
          const write of [
            () => environment.writeFile(path, bytes("x")),
            () => environment.updateFile(path, () => bytes("x")),
          ]
        ) {
          const { kind, message } = await assertRejects<BubError>(write, BubError);
          if (kind === "not_found") continue;
          assertEquals(kind, "permission");
          assertStringIncludes(message, " is denied: bub's own files are outside of every scope");
        }
      }
      assertEquals(text(await environment.readFile("link/config.jsonc")), "{}");
      assertEquals(await Deno.readTextFile(`${folder}/plugin.ts`), "plugin");
      assertEquals(await Array.fromAsync(Deno.readDir(`${root}/home`), ({ name }) => name), [
        "config.jsonc",
      ]);
      await environment.writeFile("plugin.ts.txt", bytes("x"));
    }
  },
);

Deno.test("E4 of what Deno itself guards it is said that bash reads it", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using scope = await temporaryScope({ allow: { read: true }, deny: {} });
  const { kind, message } = await assertRejects(
    () => scope.environment.readFile("/proc/self/status"),
    BubError,
  );
  assertEquals(kind, "permission");
  assertStringIncludes(message, "/proc/self/status is guarded by Deno");
});

Deno.test("F1 large files cross whole, and a read that is aborted ends at once", async () => {
  await using scope = await temporaryScope(workspaceOnly);
  const { environment, folder } = scope;
  const data = new Uint8Array(9 * 2 ** 20).map((_, i) => i % 251);
  await environment.writeFile("big", data);
  assertEquals(data.length, 9 * 2 ** 20, "what is written stays the caller's");
  assertEquals(await Deno.readFile(`${folder}/big`), data);
  assertEquals(await environment.readFile("big"), data);
  assertEquals((await environment.readFile("big", { maxBytes: 1000 })).length, 1001);
  const reason = new BubError("interrupted", "stop");
  const controller = new AbortController();
  const reading = environment.readFile("big", { signal: controller.signal });
  controller.abort(reason);
  assertEquals(await assertRejects(() => reading), reason);
  assertEquals((await environment.stat("big")).size, data.length);
});
