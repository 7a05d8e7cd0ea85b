import {
  eventEntry,
  messageEntry,
  type TapeEntry,
  toolResultEntry,
} from "../../../lib/tape/entry.ts";
import { assertEquals, assertMatch, assertStringIncludes } from "../../assert.ts";
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
