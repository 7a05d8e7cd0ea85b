import { join } from "@std/path";
import { eventEntry, messageEntry } from "../../../lib/tape/entry.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../../assert.ts";
import { bub } from "../spawn.ts";
import { TapeHome } from "./tape_home.ts";

const prompt = (text: string) => messageEntry({ role: "user", content: text });
const FOREIGN = "0123456789abcdef__fedcba9876543210";

Deno.test("L1 bub tape and bub tape --help list its commands, and help shows each", async () => {
  const [bare, flag, help, one] = await Promise.all([
    bub(["tape"]),
    bub(["tape", "--help"]),
    bub(["help", "tape"]),
    bub(["help", "tape", "show"]),
  ]);
  assertEquals([bare.code, flag.code, help.code, one.code], [0, 0, 0, 0]);
  assertEquals([flag.stdout, help.stdout], [bare.stdout, bare.stdout]);
  for (const name of ["list", "info", "show", "search", "export", "rm", "prune"]) {
    assertMatch(bare.stdout, new RegExp(`^  tape ${name} `, "m"));
  }
  assertStringIncludes(one.stdout, "Usage: bub tape show [TAPE] [FLAGS]");
});

for (
  const [args, message] of [
    [["lits"], '"tape lits" is not a command; did you mean tape list?'],
    [["--json", "list"], "flags come behind the command: bub tape list --json"],
    [["list", "more"], "bub tape list takes no words, but got 1"],
    [["show", "nowhere"], 'there is no tape "nowhere"; bub tape list shows them'],
    [["show"], "has no tape; bub tape list shows those there are"],
    [["show", "--anchor", "none"], "needs --context"],
    [["show", "--context", "--follow"], "do not go with --context"],
    [["show", "x", "--session-id", "y"], "either x or --session-id names the tape, not both"],
    [["prune"], "bub tape prune needs --older-than AGE, such as 30d"],
    [["prune", "--older-than", "30"], 'such as 30d, not "30"'],
    [["rm"], "bub tape rm needs the tape to remove"],
  ] as const
) {
  Deno.test(`L3 bub tape ${args.join(" ")} is wrong usage: exit code 2`, async () => {
    await using home = await TapeHome.open();
    const { code, stdout, stderr } = await home.run(...args);
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, message);
    assertEquals(stderr.trimEnd().split("\n").length, 1, "one line");
    assertEquals(await home.files(home.bench.root), ["work"], "looking makes no home folder");
  });
}

Deno.test("L1 list shows every tape with its first prompt, the last written first", async () => {
  await using home = await TapeHome.open();
  const empty = await home.run("list");
  assertEquals([empty.code, empty.stdout], [0, "no tapes yet\n"]);
  assertEquals((await home.run("list", "--json")).stdout, "[]\n");

  await home.append(home.name(), eventEntry("loop.start", { prompt: "Mend\nit" }), prompt("later"));
  await home.append(FOREIGN, prompt("Elsewhere"));
  await home.append(home.name("commands"), eventEntry("command", { raw: "git status" }));
  await home.append(`${home.name()}__sidecar__spill`, prompt("never shown"));
  await home.age(FOREIGN, 2);
  await home.age(home.name("commands"), 1);
  const { code, stdout } = await home.run("list");
  assertEquals(code, 0);
  const [head, ...rows] = stdout.trimEnd().split("\n");
  assertMatch(head ?? "", /TAPE +CHANGED +SIZE +ENTRIES +SESSION +FIRST PROMPT$/);
  assertEquals(rows.length, 3);
  const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d +\d+ B`;
  assertMatch(rows[0] ?? "", RegExp(`^\\*  ${home.name()}  ${time} +3  cli:local  Mend it$`));
  assertMatch(rows[1] ?? "", RegExp(`^\\*  ${home.name("commands")}  ${time} +2 +git status$`));
  assertMatch(rows[2] ?? "", RegExp(`^   ${FOREIGN}  ${time} +2 +Elsewhere$`));
});

Deno.test("L1 list --json tells workspace, session and sidecars by their names", async () => {
  await using home = await TapeHome.open();
  await home.append(home.name(), prompt("one"));
  await home.append(home.name("ci:7"), prompt("two"));
  await home.append(FOREIGN, prompt("three"));
  await home.append(`${FOREIGN}__sidecar__spill`, prompt("four"));
  const { stdout } = await home.run("list", "--json", "--all", "--session-id", "ci:7");
  const rows: Record<string, unknown>[] = JSON.parse(stdout);
  const row = (name: string) => rows.find((row) => row.name === name);
  assertEquals(rows.length, 4);
  const { size, modified, ...named } = row(home.name("ci:7")) ?? {};
  assertEquals(named, {
    name: home.name("ci:7"),
    entries: 2,
    title: "two",
    this_workspace: true,
    session_id: "ci:7",
    sidecar: false,
  });
  assert(typeof size === "number" && size > 100);
  assert(Math.abs(Date.parse(String(modified)) - Date.now()) < 600_000);
  const facts = (name: string) => {
    const { this_workspace, session_id, sidecar, title } = row(name) ?? {};
    return [this_workspace, session_id, sidecar, title];
  };
  assertEquals(facts(home.name()), [true, null, false, "one"]);
  assertEquals(facts(FOREIGN), [false, null, false, "three"]);
  assertEquals(facts(`${FOREIGN}__sidecar__spill`), [false, null, true, null]);
});

Deno.test("B44 a first prompt of 300 KB and results of 20 MB keep a tape in the list", async () => {
  await using home = await TapeHome.open();
  await home.append(
    home.name(),
    prompt(`Read this: ${"long ".repeat(60_000)}`),
    messageEntry({ role: "assistant", content: "x".repeat(20_000_000) }),
    eventEntry("run", { status: "ok" }),
  );
  const { stdout, stderr } = await home.run("list", "--json");
  const [row] = JSON.parse(stdout);
  assertEquals([row.entries, stderr], [4, ""]);
  assertMatch(row.title, /^Read this: (?:long ){30,}lo?n?g?…$/);
  assertEquals(row.title.length, 200);
});

Deno.test("B74 list prints no control character of a prompt on a line of its own, JSON escapes them", async () => {
  await using home = await TapeHome.open();
  await home.append(home.name(), prompt("\x1b[2Jhi\r\n\x07there"));
  const { stdout } = await home.run("list", "--json");
  assertEquals(JSON.parse(stdout)[0].title, "\x1b[2Jhi \x07there");
  assertEquals(stdout.includes("\x1b"), false);
  assertEquals((await home.run("list")).stdout.trimEnd().split("\n").length, 2);
});

Deno.test("L1 TP3 list passes over damaged lines, with a warning, and reads old tapes", async () => {
  await using home = await TapeHome.open();
  await home.append(home.name(), prompt("good"));
  const path = join(home.tapes, `${home.name()}.jsonl`);
  await Deno.writeTextFile(path, '{"id": 3, "kind": "mess', { append: true });
  const { code, stdout, stderr } = await home.run("list", "--json");
  assertEquals(code, 0);
  assertEquals(JSON.parse(stdout)[0].entries, 2);
  assertMatch(stderr, /^bub: tape \S+ has a damaged line at byte \d+, which is passed over: .*\n$/);
});

Deno.test("L1 without a home folder the commands say so: exit code 2", async () => {
  await using home = await TapeHome.open();
  const { code, stderr } = await bub(["tape", "list"], { env: {}, cwd: home.bench.workspace });
  assertEquals([code, stderr], [
    2,
    "bub: there is no home folder: HOME is not set; BUB_HOME can name one\n",
  ]);
});
