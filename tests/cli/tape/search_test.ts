import { join } from "@std/path";
import {
  eventEntry,
  messageEntry,
  type TapeEntry,
  toolResultEntry,
} from "../../../lib/tape/entry.ts";
import { formatLine, numberDrafts } from "../../../lib/tape/line.ts";
import type { TapeMatches } from "../../../lib/tape/store.ts";
import { Tape } from "../../../lib/tape/tape.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../../assert.ts";
import { TapeHome } from "./tape_home.ts";

const user = (content: string, date?: string) => ({
  ...messageEntry({ role: "user", content }),
  ...(date === undefined ? {} : { date }),
});

Deno.test("L1 TP7 search finds entries by text with the parameters of tape.search", async () => {
  await using home = await TapeHome.open();
  await home.append(
    home.name(),
    user("Needle one", "2026-03-01T10:00:00+00:00"),
    user("nothing", "2026-03-02T10:00:00+00:00"),
    toolResultEntry(["a needle too"]),
    eventEntry("note", { text: "NEEDLE in an event" }),
  );
  const ids = async (...args: string[]) => {
    const { stdout } = await home.run("search", "needle", "--json", ...args);
    const { matches, filtered }: { matches: TapeEntry[]; filtered: number } = JSON.parse(stdout);
    assertEquals(filtered, 0);
    return matches.map(({ id }) => id);
  };
  assertEquals(await ids(), [4, 2]);
  assertEquals(await ids("--limit", "1"), [4]);
  assertEquals(await ids("--kinds", "message,event"), [5, 2]);
  assertEquals(await ids("--start", "2026-03-01", "--end", "2026-03-01"), [2]);
  assertEquals(await ids(home.name().slice(0, 20)), [4, 2], "a tape by the beginning of its name");
});

Deno.test("L1 search prints blocks for people, and says so when there is nothing", async () => {
  await using home = await TapeHome.open();
  await home.append(home.name(), user("Needle one", "2026-03-01T10:00:00+00:00"));
  const { code, stdout } = await home.run("search", "needle");
  assertEquals([code, stdout], [0, "#2 message user  2026-03-01T10:00:00+00:00\nNeedle one\n\n"]);
  const none = await home.run("search", "zebra");
  assertEquals([none.code, none.stdout], [0, "no matches\n"]);
});

Deno.test("L3 search refuses what tape.search refuses, as wrong usage: exit code 2", async () => {
  await using home = await TapeHome.open();
  await home.append(home.name(), user("Needle one"));
  for (const args of [[], [""], ["x", "--start", "yesterday"], ["x", "--limit", "0"]]) {
    const { code, stdout, stderr } = await home.run("search", ...args);
    assertEquals([code, stdout], [2, ""], stderr);
    assertMatch(stderr, /^bub: [^\n]+\n$/);
  }
});

Deno.test("B47 TP10 L1 search --archives finds what was said before resets, the newest archive first", async () => {
  await using home = await TapeHome.open();
  const name = home.name();
  const archives: string[] = [];
  for (const word of ["first", "second", "third"]) {
    await home.append(name, user(`the ${word} needle`), user("the same needle"));
    archives.push(...(await new Tape(home.store, name).reset({ archive: true })).archives);
  }
  await home.append(name, user("a neddle"));
  const search = async (...args: string[]) => {
    const { stdout } = await home.run("search", "needle", "--json", ...args);
    const { matches }: TapeMatches = JSON.parse(stdout);
    return matches.map(({ archive, payload }) => [archive ?? null, payload.content]);
  };
  assertEquals(await search(), [[null, "a neddle"]], "without the flag only the tape");
  const [first, second, third] = archives;
  const all = [
    [third, "the same needle"],
    [third, "the third needle"],
    [second, "the second needle"],
    [first, "the first needle"],
    [null, "a neddle"],
  ];
  assertEquals(await search("--archives"), all);
  assertEquals(await search("--archives", "--limit", "3"), all.slice(0, 3));
  await home.store.remove(name);
  assertEquals(await search("--archives"), all.slice(0, -1), "the tape itself is gone");
  assertEquals(await search("--archives", name.slice(0, 20)), all.slice(0, -1));
  assertEquals((await home.run("search", "needle")).code, 2);
});

Deno.test("B47 L1 search --archives says for people where it found what, numbers after one stamp in order", async () => {
  await using home = await TapeHome.open();
  const name = home.name();
  await home.append(name, user("Needle now", "2026-03-01T10:00:00+00:00"));
  const stamp = `${name}.jsonl.20260201T000000Z`;
  for (const archive of [`${stamp}.bak`, `${stamp}-2.bak`, `${stamp}-10.bak`]) {
    const [entry] = numberDrafts([user(`Needle of ${archive.slice(55)}`, "2026-02-01")], 1);
    assert(entry !== undefined);
    await Deno.writeTextFile(join(home.tapes, archive), formatLine(entry));
  }
  await home.append(home.name("other"), user("a needle of nobody's business"));
  await new Tape(home.store, home.name("other")).reset({ archive: true });
  const { code, stdout } = await home.run("search", "needle", "--archives");
  assertEquals([code, stdout], [
    0,
    "#2 message user  2026-03-01T10:00:00+00:00\nNeedle now\n\n" +
    ["-10.bak", "-2.bak", ".bak"].map((end) =>
      `${stamp}${end}:\n\n#1 message user  2026-02-01\nNeedle of ${`${stamp}${end}`.slice(55)}\n\n`
    ).join(""),
  ]);
});

Deno.test("L1 TP6 info has the fields of tape.info, as JSON and for people", async () => {
  await using home = await TapeHome.open();
  const usage = {
    prompt_tokens: 8,
    completion_tokens: 2,
    total_tokens: 10,
    prompt_tokens_details: { cached_tokens: 4 },
  };
  await home.append(home.name(), user("one"), eventEntry("run", { status: "ok", usage }));
  const json = await home.run("info", "--json");
  assertEquals(JSON.parse(json.stdout), {
    name: home.name(),
    entries: 3,
    anchors: 1,
    last_anchor: "session/start",
    entries_since_last_anchor: 2,
    last_token_usage: 10,
    last_token_cache_hit_rate: 0.5,
  });
  const { stdout } = await home.run("info", home.name());
  assertMatch(stdout, /^last_token_usage +10$/m);
  await home.append(home.name("bare"), user("one"));
  assertStringIncludes(
    (await home.run("info", "--session-id", "bare")).stdout,
    "last_token_cache_hit_rate  (none)\n",
  );
});
