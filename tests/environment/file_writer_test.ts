import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { inChild, type Operation } from "./child_host.ts";
import { temporaryHost } from "./temporary_host.ts";

const windows = Deno.build.os === "windows";
/** Takes from root what lets it ignore the modes and owners of files. */
const AS_ANYONE = !windows && Deno.uid() === 0
  ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner,-chown"]
  : [];
/** Files end at 16 KiB; with the signal ignored a longer write just fails. Bash counts KiB. */
const FULL_DISK = ["bash", "-c", 'trap "" XFSZ; ulimit -f 16; exec "$0" "$@"'];

async function errors(folder: string, operations: Operation[], launcher: string[]) {
  const outcomes = await inChild(folder, operations, { launcher });
  return outcomes.map((outcome) => "error" in outcome ? outcome.error.message : "ok");
}

async function names(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

Deno.test({
  name: "F3 a write that fails half-way leaves the old content, in place too, and nothing else",
  ignore: windows,
  fn: async () => {
    await using host = await temporaryHost();
    const { folder } = host;
    const old = "old\n".repeat(2_000);
    for (const name of ["plain", "linked"]) await Deno.writeTextFile(`${folder}/${name}`, old);
    await Deno.link(`${folder}/linked`, `${folder}/twin`);
    const long = "x".repeat(20_000);
    const messages = await errors(folder, [
      ["write", "plain", long],
      ["update", "linked", long],
      ["write", "fresh", long],
      ["write", "plain", "fits"],
    ], FULL_DISK);
    assertStringIncludes(messages[0] ?? "", "cannot write plain: File too large");
    assertStringIncludes(messages[1] ?? "", "cannot write linked: File too large");
    assertStringIncludes(messages[2] ?? "", "cannot write fresh: File too large");
    assertEquals(messages[3], "ok");
    assertEquals(await names(folder), ["linked", "plain", "twin"]);
    assertEquals(await Deno.readTextFile(`${folder}/plain`), "fits");
    assert(await Deno.readTextFile(`${folder}/twin`) === old);
  },
});

Deno.test({
  name: "F3 a read-only file is not replaced, a file in a read-only folder is written in place",
  ignore: windows,
  fn: async () => {
    await using host = await temporaryHost();
    const { folder } = host;
    await Deno.writeTextFile(`${folder}/locked`, "old");
    await Deno.chmod(`${folder}/locked`, 0o444);
    await Deno.mkdir(`${folder}/dir`);
    await Deno.writeTextFile(`${folder}/dir/open`, "old, and longer");
    await Deno.chmod(`${folder}/dir`, 0o555);
    const before = await Deno.stat(`${folder}/dir/open`);
    const messages = await errors(folder, [
      ["write", "locked", "new"],
      ["write", "dir/open", "new"],
      ["write", "dir/fresh", "new"],
    ], AS_ANYONE);
    assertEquals(messages, [
      "cannot write locked: Permission denied",
      "ok",
      "cannot write dir/fresh: Permission denied",
    ]);
    assertEquals(await Deno.readTextFile(`${folder}/locked`), "old");
    assertEquals(await Deno.readTextFile(`${folder}/dir/open`), "new");
    assertEquals((await Deno.stat(`${folder}/dir/open`)).ino, before.ino);
    await Deno.chmod(`${folder}/dir`, 0o755);
  },
});

Deno.test({
  name: "F3 the owner of a file stays, whether or not it can be given to a new one",
  ignore: windows || Deno.uid() !== 0,
  fn: async () => {
    await using host = await temporaryHost();
    const { folder } = host;
    for (const launcher of [[], AS_ANYONE]) {
      await Deno.writeTextFile(`${folder}/theirs`, "old");
      await Deno.chown(`${folder}/theirs`, 65534, 65534);
      await Deno.chmod(`${folder}/theirs`, 0o666);
      assertEquals(await errors(folder, [["write", "theirs", "new"]], launcher), ["ok"]);
      const { uid, gid, mode } = await Deno.stat(`${folder}/theirs`);
      assertEquals([uid, gid, (mode ?? 0) & 0o777], [65534, 65534, 0o666]);
      assertEquals(await Deno.readTextFile(`${folder}/theirs`), "new");
    }
    assertEquals(await names(folder), ["theirs"]);
  },
});
