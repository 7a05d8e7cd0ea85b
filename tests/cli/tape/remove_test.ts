import { join } from "@std/path";
import { messageEntry, SESSION_START } from "../../../lib/tape/entry.ts";
import { FileMediaStore } from "../../../lib/tape/file_media_store.ts";
import { acquireSessionLock } from "../../../lib/tape/session_lock.ts";
import { assertEquals, assertMatch, assertStringIncludes } from "../../assert.ts";
import { sampleMedia } from "../../contract/media_store.ts";
import { TapeHome } from "./tape_home.ts";

const user = (content: string) => messageEntry({ role: "user", content });
const OLD = "0123456789abcdef__0000000000000001";
const NEW = "0123456789abcdef__0000000000000002";
const SIDECAR = `${OLD}__sidecar__spill`;

/** Two tapes, the old one of them with a sidecar and an archive, which was made now. */
async function openHome(): Promise<TapeHome & { readonly archive: string }> {
  const home = await TapeHome.open();
  await home.append(OLD, user("archived"));
  const archive = await home.store.reset(OLD, [SESSION_START], { archive: true });
  await home.append(OLD, user("old"));
  await home.store.append(SIDECAR, [user("beside")]);
  await home.append(NEW, user("new"));
  await home.age(OLD, 48);
  await home.age(SIDECAR, 50);
  await home.age(NEW, 1);
  return Object.assign(home, { archive: archive ?? "" });
}

const file = (name: string) => `${name}.jsonl`;

/** Puts media and refers to it on a tape. */
async function attach(home: TapeHome, tape: string, text: string): Promise<string> {
  const reference = await new FileMediaStore(home.media).put(sampleMedia(text));
  await home.append(tape, messageEntry({ role: "user", content: [reference] }));
  return reference.sha256;
}

function holdSession(home: TapeHome, tape: string): Promise<Disposable> {
  const { signal } = new AbortController();
  return acquireSessionLock(join(home.tapes, `${tape}.lock`), { signal });
}

Deno.test("L1 rm removes a tape with its sidecars and keeps its archives, or takes them too", async () => {
  await using home = await openHome();
  const removed = await home.run("rm", OLD, "--yes");
  assertEquals(removed, { code: 0, stdout: `removed ${SIDECAR}\nremoved ${OLD}\n`, stderr: "" });
  assertEquals(await home.files(home.tapes), [home.archive, file(NEW)].sort());

  await home.append(OLD, user("again"));
  const all = await home.run("rm", "--archives", "-y", NEW, OLD);
  assertEquals(all.code, 0);
  assertEquals(await home.files(home.tapes), []);
});

Deno.test("L1 rm of a sidecar alone leaves its tape, rm by session that of the workspace", async () => {
  await using home = await openHome();
  await home.append(home.name("ci:7"), user("seven"));
  assertEquals((await home.run("rm", "-y", SIDECAR)).stdout, `removed ${SIDECAR}\n`);
  const seven = await home.run("rm", "-y", "--session-id", "ci:7");
  assertEquals(seven.stdout, `removed ${home.name("ci:7")}\n`);
  assertEquals(await home.files(home.tapes), [home.archive, file(OLD), file(NEW)].sort());
});

Deno.test("L1 L3 rm and prune without a terminal need --yes: exit code 2, nothing removed", async () => {
  await using home = await openHome();
  const before = await home.files(home.tapes);
  for (const args of [["rm", OLD], ["prune", "--older-than", "1d"]]) {
    const { code, stdout, stderr } = await home.run(...args);
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, "there is no terminal to ask on; --yes answers it");
  }
  assertEquals(await home.files(home.tapes), before);
});

Deno.test("L1 rm asks on a terminal and removes for a yes alone", async () => {
  if (Deno.build.os !== "linux") return;
  await using home = await openHome();
  const before = await home.files(home.tapes);
  for (const keys of ["n\r", "\r", "yesterday\r"]) {
    const { code, text } = await home.onTerminal(["rm", OLD], keys);
    assertEquals(code, 1);
    assertMatch(
      text,
      RegExp(`Remove ${OLD} \\(1 tape and 1 sidecar, \\d+ B in all\\)\\? \\[y/N\\]`),
    );
    assertMatch(text, /nothing was removed/);
  }
  assertEquals(await home.files(home.tapes), before);
  assertEquals((await home.onTerminal(["rm", OLD], "y\r")).code, 0);
  assertEquals(await home.files(home.tapes), [home.archive, file(NEW)].sort());
});

Deno.test("L1 rm never removes the tape of a running session: exit code 1", async () => {
  await using home = await openHome();
  const before = await home.files(home.tapes);
  {
    using _held = await holdSession(home, OLD);
    for (const name of [OLD, SIDECAR]) {
      const { code, stdout, stderr } = await home.run("rm", "-y", name);
      assertEquals([code, stdout], [1, ""]);
      assertEquals(stderr, `bub: tape ${OLD} stays: its session is running\n`);
    }
    const pruned = await home.run("prune", "-y", "--older-than", "30h");
    assertEquals([pruned.code, pruned.stdout], [0, ""]);
    assertStringIncludes(pruned.stderr, `tape ${OLD} stays`);
  }
  assertEquals(await home.files(home.tapes), before);
  assertEquals((await home.run("rm", "-y", OLD)).code, 0);
});

Deno.test("L1 prune removes what has been left alone for long enough, with its sidecars", async () => {
  await using home = await openHome();
  const none = await home.run("prune", "-y", "--older-than", "3d");
  assertEquals([none.code, none.stdout], [0, ""]);
  assertMatch(none.stderr, /no tape has been left alone for 3d/);
  // A fresh sidecar keeps its tape.
  await home.age(SIDECAR, 1);
  assertEquals((await home.run("prune", "-y", "--older-than", "30h")).stdout, "");
  await home.age(SIDECAR, 50);
  const { stdout } = await home.run("prune", "-y", "--older-than", "30h", "--archives");
  assertEquals(stdout, `removed ${SIDECAR}\nremoved ${OLD}\n`, "the archive is young");
  const then = new Date(Date.now() - 48 * 3_600_000);
  await Deno.utime(join(home.tapes, home.archive), then, then);
  const archives = await home.run("prune", "-y", "--older-than", "1.5d", "--archives");
  assertEquals(archives.stdout, `removed ${home.archive}\n`);
  assertEquals(await home.files(home.tapes), [file(NEW)]);
});

Deno.test("TP12 rm drops the media that no tape, sidecar or archive refers to any more", async () => {
  await using home = await openHome();
  const own = await attach(home, OLD, "only on the old tape");
  const shared = await attach(home, OLD, "on both");
  await attach(home, NEW, "on both");
  const beside = await attach(home, `${NEW}__sidecar__spill`, "beside the new tape");
  const archived = await attach(home, "other", "in an archive");
  await home.store.reset("other", [], { archive: true });
  const { sha256: orphan } = await new FileMediaStore(home.media).put(sampleMedia("of a crash"));
  const all = [own, shared, beside, archived, orphan].sort();
  assertEquals(await home.files(home.media), all);

  const { stdout } = await home.run("rm", "-y", OLD);
  assertMatch(stdout, /removed 2 media files without a tape, 30 B\n$/);
  assertEquals(await home.files(home.media), [shared, beside, archived].sort());
});

Deno.test("TP12 while a session runs, media put today stay though no tape refers to them", async () => {
  await using home = await openHome();
  const { sha256: fresh } = await new FileMediaStore(home.media).put(sampleMedia("fresh"));
  const { sha256: stale } = await new FileMediaStore(home.media).put(sampleMedia("stale"));
  const then = new Date(Date.now() - 48 * 3_600_000);
  await Deno.utime(join(home.media, stale), then, then);
  {
    using _held = await holdSession(home, NEW);
    assertEquals((await home.run("rm", "-y", OLD)).code, 0);
    assertEquals(await home.files(home.media), [fresh]);
  }
  assertMatch(
    (await home.run("prune", "-y", "--older-than", "9w")).stdout,
    /removed 1 media file /,
  );
  assertEquals(await home.files(home.media), []);
});

Deno.test("L1 rm and prune pass over links that lead nowhere, to themselves or to a folder", async () => {
  if (Deno.build.os === "windows") return;
  await using home = await openHome();
  const kept = await attach(home, OLD, "kept");
  await attach(home, NEW, "dropped");
  await home.age(OLD, 1);
  await Deno.symlink("loop.jsonl", join(home.tapes, "loop.jsonl"));
  await Deno.symlink("gone", join(home.tapes, "gone.jsonl"));
  await Deno.mkdir(join(home.tapes, "folder.jsonl"));
  const removed = await home.run("rm", "-y", NEW);
  assertEquals([removed.code, removed.stderr], [0, ""]);
  assertEquals(await home.files(home.media), [kept]);
  await home.age(OLD, 48);
  const pruned = await home.run("prune", "-y", "--older-than", "30h");
  assertEquals([pruned.code, pruned.stderr], [0, ""]);
  assertEquals(await home.files(home.media), []);
});

Deno.test("L1 rm and prune leave no empty file of a sidecar", async () => {
  await using home = await openHome();
  const left = join(home.tapes, file(SIDECAR));
  await Deno.truncate(left);
  const { stdout } = await home.run("prune", "-y", "--older-than", "30h");
  assertEquals(stdout, `removed ${OLD}\n`);
  assertEquals(await home.files(home.tapes), [home.archive, file(NEW)].sort());
});
