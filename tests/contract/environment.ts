import { assert, assertEquals, assertRejects, assertThrows } from "../assert.ts";
import { RawServer, respond } from "../environment/raw_server.ts";
import { BubError } from "../../lib/errors.ts";
import type { Environment } from "../../lib/environment/environment.ts";

/** One environment whose workspace is `folder`, beside it a `home` for `~`; both vanish with it. */
export interface EnvironmentUnderTest extends AsyncDisposable {
  readonly environment: Environment;
  readonly folder: string;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const windows = Deno.build.os === "windows";

/** What an implementation may leave out. */
export interface EnvironmentTraits {
  /** Whether it reaches devices and `/proc`, for which Deno wants all permissions. */
  readonly devices: boolean;
}

/** What every implementation of `Environment` must do; `create` gives each test a fresh one. */
export function testEnvironment(
  name: string,
  create: () => Promise<EnvironmentUnderTest>,
  { devices }: EnvironmentTraits = { devices: true },
): void {
  Deno.test(`E2 ${name}.resolve() takes relative, home, absolute and file: paths`, async () => {
    await using host = await create();
    const { environment, folder } = host;
    const home = folder.replace(/work space$/, "home");
    assertEquals(environment.workspace, folder);
    assertEquals(environment.resolve("a/./b/../c"), `${folder}/a/c`);
    assertEquals(environment.resolve("."), folder);
    assertEquals(environment.resolve("~"), home);
    assertEquals(environment.resolve("~/x y"), `${home}/x y`);
    assertEquals(environment.resolve("~x"), `${folder}/~x`);
    assertEquals(environment.resolve("/etc/passwd"), "/etc/passwd");
    assertEquals(environment.resolve("file:///tmp/a%20b%C3%BC%23"), "/tmp/a bü#");
    assertEquals(environment.resolve("FILE:///tmp/x"), "/tmp/x");
  });

  Deno.test(`E2 ${name}.resolve() refuses what can be no path`, async () => {
    await using host = await create();
    const { environment } = host;
    const refused: [path: string, reason: string][] = [
      ["", "empty"],
      ["a\0b", "NUL"],
      ["file:///a%00", "NUL"],
      ["file:x", "not absolute"],
      ["file:///a%zz", "percent"],
      ["file:///a%ff", "percent"],
      ["file:///a%2fb", "slash"],
      ["file:///a#b", "%23"],
      ["file://host/a", "host"],
    ];
    for (const [path, reason] of refused) {
      const error = assertThrows(() => environment.resolve(path), BubError, reason);
      assertEquals(error.kind, "invalid_input", path);
    }
  });

  Deno.test(`F3 ${name}.writeFile() creates parents, overwrites and leaves nothing else`, async () => {
    await using host = await create();
    const { environment, folder } = host;
    await environment.writeFile("a/b/c.txt", bytes("one"));
    await environment.writeFile(`file://${encodeURI(folder)}/a/b/c.txt`, bytes("two"));
    assertEquals(await environment.readFile("a/b/c.txt"), bytes("two"));
    assertEquals(await environment.stat("a/b/c.txt"), {
      path: `${folder}/a/b/c.txt`,
      kind: "file",
      size: 3,
    });
    assertEquals(await names(`${folder}/a/b`), ["c.txt"]);
  });

  Deno.test(`F3 ${name}.writeFile() refuses a folder, and a file as a parent`, async () => {
    await using host = await create();
    const { environment, folder } = host;
    await Deno.mkdir(`${folder}/dir`);
    await Deno.writeTextFile(`${folder}/file`, "old");
    await assertRejects(
      () => environment.writeFile("dir", bytes("x")),
      BubError,
      "dir is a folder",
    );
    await assertRejects(
      () => environment.writeFile("file/x", bytes("x")),
      BubError,
      "a part of its path is a file",
    );
    assertEquals(await Deno.readTextFile(`${folder}/file`), "old");
  });

  Deno.test({
    name: `F3 ${name}.writeFile() keeps the mode, symbolic links and hard links`,
    ignore: windows,
    fn: async () => {
      await using host = await create();
      const { environment, folder } = host;
      await Deno.writeTextFile(`${folder}/real`, "old, and longer");
      await Deno.chmod(`${folder}/real`, 0o754);
      await Deno.symlink("real", `${folder}/link`);
      await Deno.symlink("link", `${folder}/second`);
      await environment.writeFile("second", bytes("new"));
      assertEquals(await Deno.readTextFile(`${folder}/real`), "new");
      assertEquals((await Deno.stat(`${folder}/real`)).mode! & 0o7777, 0o754);
      assert((await Deno.lstat(`${folder}/link`)).isSymlink);
      assert((await Deno.lstat(`${folder}/second`)).isSymlink);

      await Deno.link(`${folder}/real`, `${folder}/twin`);
      await environment.writeFile("real", bytes("x"));
      assertEquals(await Deno.readTextFile(`${folder}/twin`), "x");
      assertEquals(await names(folder), ["link", "real", "second", "twin"]);
    },
  });

  Deno.test({
    name: `F3 ${name}.writeFile() creates what a dangling link points to, and ends in a loop`,
    ignore: windows,
    fn: async () => {
      await using host = await create();
      const { environment, folder } = host;
      await Deno.mkdir(`${folder}/links`);
      await Deno.symlink("../made/target", `${folder}/links/dangling`);
      await environment.writeFile("links/dangling", bytes("x"));
      assertEquals(await Deno.readTextFile(`${folder}/made/target`), "x");
      assert((await Deno.lstat(`${folder}/links/dangling`)).isSymlink);

      await Deno.symlink("b", `${folder}/a`);
      await Deno.symlink("a", `${folder}/b`);
      await assertRejects(() => environment.writeFile("a", bytes("x")), BubError, "loop");
    },
  });

  Deno.test({
    name: `B18 ${name}.updateFile() loses none of many changes, by whatever spelling`,
    ignore: windows,
    fn: async () => {
      await using host = await create();
      const { environment, folder } = host;
      await Deno.mkdir(`${folder}/sub`);
      await Deno.writeTextFile(`${folder}/n.txt`, "");
      await Deno.symlink("n.txt", `${folder}/alias`);
      const spellings = ["n.txt", "./sub/../n.txt", "alias", `${folder}/n.txt`];
      const append = (i: number) => (data: Uint8Array) =>
        bytes(`${new TextDecoder().decode(data)}${i}\n`);
      await Promise.all(
        Array.from(
          { length: 40 },
          (_, i) => environment.updateFile(spellings[i % 4] ?? "", append(i)),
        ),
      );
      const lines = (await Deno.readTextFile(`${folder}/n.txt`)).trim().split("\n");
      assertEquals(
        lines.map(Number).sort((a, b) => a - b),
        Array.from({ length: 40 }, (_, i) => i),
      );

      await Deno.link(`${folder}/n.txt`, `${folder}/twin`);
      await Promise.all(
        Array.from(
          { length: 40 },
          (_, i) => environment.updateFile(i % 2 === 0 ? "n.txt" : "twin", append(i)),
        ),
      );
      assertEquals((await Deno.readTextFile(`${folder}/twin`)).trim().split("\n").length, 80);
    },
  });

  Deno.test(`B18 ${name}.updateFile() leaves the file when the change throws, and goes on`, async () => {
    await using host = await create();
    const { environment, folder } = host;
    await Deno.writeTextFile(`${folder}/f`, "old");
    const refuse = () => {
      throw new BubError("tool", "no");
    };
    const settled = await Promise.allSettled(
      Array.from(
        { length: 20 },
        (_, i) => environment.updateFile("f", i % 2 === 0 ? refuse : () => bytes("new")),
      ),
    );
    settled.forEach(({ status }, i) => {
      assertEquals(status, i % 2 === 0 ? "rejected" : "fulfilled", `update ${i}`);
    });
    assertEquals(await Deno.readTextFile(`${folder}/f`), "new");
    const missing = await assertRejects(
      () => environment.updateFile("none/f", () => bytes("x")),
      BubError,
      "none/f",
    );
    assertEquals(missing.kind, "not_found");
    assertEquals(await names(folder), ["f"]);
  });

  Deno.test({
    name: `B19 ${name} refuses pipes, sockets, devices and folders before opening them`,
    ignore: windows,
    fn: async () => {
      await using host = await create();
      const { environment, folder } = host;
      await new Deno.Command("mkfifo", { args: [`${folder}/p`] }).output();
      await Deno.symlink("p", `${folder}/to pipe`);
      await Deno.symlink("/dev/zero", `${folder}/dz`);
      using _socket = Deno.listen({ transport: "unix", path: `${folder}/s` });
      const refused = [
        ["p", "pipe", "a named pipe"],
        ["to pipe", "pipe", "a named pipe"],
        ...devices ? [["dz", "device", "a device"] as const] : [],
        ["s", "socket", "a socket"],
        [".", "directory", "a folder"],
      ] as const;
      for (const [path, kind, words] of refused) {
        assertEquals((await environment.stat(path)).kind, kind);
        await assertRejects(() => environment.readFile(path), BubError, words);
        await assertRejects(() => environment.updateFile(path, (data) => data), BubError, words);
        await assertRejects(() => environment.writeFile(path, bytes("x")), BubError, words);
      }
      const missing = await assertRejects(() => environment.readFile("gone"), BubError, "gone");
      assertEquals(missing.kind, "not_found");
      await assertRejects(
        () => environment.readFile("p/below"),
        BubError,
        "is a file, not a folder",
      );
    },
  });

  Deno.test(`F3 ${name}.writeFile() makes no file of a path that names a folder`, async () => {
    await using host = await create();
    const { environment, folder } = host;
    for (const path of ["new/", "new/.", "a/..", `${folder}/new/`]) {
      const write = () => environment.writeFile(path, bytes("x"));
      const error = await assertRejects(write, BubError, `${path} names a folder`);
      assertEquals(error.kind, "invalid_input");
    }
    assertEquals(await names(folder), []);
  });

  Deno.test({
    name: `B19 ${name}.readFile() reads files under /proc, which say they are empty`,
    ignore: Deno.build.os !== "linux" || !devices,
    fn: async () => {
      await using host = await create();
      assertEquals((await host.environment.stat("/proc/self/status")).size, 0);
      const text = new TextDecoder().decode(await host.environment.readFile("/proc/self/status"));
      assert(text.startsWith("Name:"));
    },
  });

  Deno.test(`S1 ${name}.listFolder() names what is in a folder and follows no links`, async () => {
    await using host = await create();
    const { environment, folder } = host;
    await Deno.mkdir(`${folder}/d/sub`, { recursive: true });
    await Deno.writeTextFile(`${folder}/d/f`, "");
    if (!windows) await Deno.symlink("nowhere", `${folder}/d/l`);
    const expected = [
      { name: "f", kind: "file" },
      ...(windows ? [] : [{ name: "l", kind: "link" }]),
      { name: "sub", kind: "directory" },
    ];
    const listed = async (path: string) =>
      (await environment.listFolder(path)).toSorted((a, b) => a.name < b.name ? -1 : 1);
    assertEquals<unknown>(await listed("d"), expected);
    assertEquals<unknown>(await listed(`${folder}/d/sub/..`), expected);
    assertEquals(await listed("d/sub"), []);
    const missing = await assertRejects(() => environment.listFolder("gone"), BubError, "gone");
    assertEquals(missing.kind, "not_found");
    await assertRejects(() => environment.listFolder("d/f"), BubError, "d/f is a file");
  });

  Deno.test(`F1 ${name}.readFile() stops behind maxBytes and heeds its signal`, async () => {
    await using host = await create();
    const { environment, folder } = host;
    await Deno.writeTextFile(`${folder}/f`, "0123456789");
    assertEquals(await environment.readFile("f", { maxBytes: 10 }), bytes("0123456789"));
    assertEquals(await environment.readFile("f", { maxBytes: 4 }), bytes("01234"));
    const signal = AbortSignal.abort();
    await assertRejects(() => environment.readFile("f", { signal }), DOMException);
  });

  Deno.test(`W1 B78 ${name}.fetch() follows redirects and drops credentials on the way`, async () => {
    await using host = await create();
    await using other = new RawServer(({ connection, head }) =>
      respond(connection, "200 OK", ["Content-Type: text/plain"], head)
    );
    await using server = new RawServer(({ connection, path }) =>
      path === "/a"
        ? respond(connection, "302 Found", ["Location: ./b c?x=1"])
        : respond(connection, "307 Moved", [`Location: ${other.url}/end`])
    );
    const result = await host.environment.fetch(server.url.replace("//", "//me:s%40cret@") + "/a", {
      headers: new Headers({ Cookie: "k=v", "X-Mine": "1" }),
      maxBytes: 10_000,
      signal: AbortSignal.timeout(10_000),
    });
    assertEquals(result.url, `${other.url}/end`);
    assertEquals(result.status, 200);
    assertEquals(result.headers.get("content-type"), "text/plain");
    assertEquals(server.requests.map(({ path }) => path), ["/a", "/b%20c?x=1"]);
    assert(server.requests[0]?.head.includes(`authorization: Basic ${btoa("me:s@cret")}`));
    const last = new TextDecoder().decode(result.body).toLowerCase();
    assert(last.includes("x-mine: 1"));
    assert(!last.includes("cookie") && !last.includes("authorization"), last);
  });

  Deno.test(`P1 ${name}.createShells() runs commands in the workspace without model keys`, async () => {
    await using host = await create();
    const shells = host.environment.createShells();
    const shell = await shells.start("pwd; echo ${BUB_API_KEY-none} ${BUB_X_API_KEY-none}");
    await shell.ended;
    assertEquals((await shell.output(0, null)).text, `${host.folder}\nnone none\n`);
    await shells.stopAll();
    assert((await host.environment.shellName()).length > 0);
  });
}

async function names(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}
