import { join } from "@std/path";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { BubError } from "../../lib/errors.ts";
import type { JsonValue } from "../../lib/json.ts";
import {
  anchorEntry,
  type EntryDraft,
  eventEntry,
  messageEntry,
  toolCallEntry,
  toolResultEntry,
} from "../../lib/tape/entry.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import type { TapeMatches, TapeQuery, TapeStore } from "../../lib/tape/store.ts";
import { Tape } from "../../lib/tape/tape.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const DEFAULTS = { limit: 20, start: null, end: null, kinds: ["message", "tool_result"] };

const user = (content: string, date?: string): EntryDraft => {
  const entry = messageEntry({ role: "user", content });
  return date === undefined ? entry : { ...entry, date };
};

const calls = (query: string, ...names: string[]) =>
  toolCallEntry(names.map((name, index) => ({
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify({ query }) },
  })));

interface Searched {
  readonly tape: Tape;
  find(query: string, options?: Partial<TapeQuery>): Promise<TapeMatches>;
  ids(query: string, options?: Partial<TapeQuery>): Promise<number[]>;
}

/** What must hold for a search, on a file that is sieved and on a store without a search. */
function test(
  sentence: string,
  drafts: readonly EntryDraft[],
  run: (on: Searched) => Promise<void>,
) {
  const searched = async (tape: Tape) => {
    await tape.store.append(tape.name, drafts);
    const find = (query: string, options: Partial<TapeQuery> = {}) =>
      tape.search({ query, ...DEFAULTS, ...options });
    await run({
      tape,
      find,
      ids: async (...args) => (await find(...args)).matches.map(({ id }) => id),
    });
  };
  Deno.test(`${sentence} (memory)`, () => searched(new Tape(new MemoryTapeStore(), "t")));
  Deno.test(`${sentence} (file)`, async () => {
    await using folder = await temporaryFolder();
    const store = new FileTapeStore(folder.path);
    await searched(new Tape(store, "t"));
    store.close();
  });
}

test("TP7 the newest match comes first, whatever the case", [
  user("one Needle"),
  user("nothing"),
  messageEntry({ role: "assistant", content: "another nEEdle" }, { run_id: "r" }),
], async ({ find, ids, tape }) => {
  assertEquals(await ids("NEEDLE"), [3, 1]);
  assertEquals(await ids("needle", { limit: 1 }), [3]);
  const { matches, filtered } = await find("another");
  assertEquals(filtered, 0);
  assertEquals(matches, [{
    id: 3,
    kind: "message",
    date: (await Array.fromAsync(tape.read("newest")))[0]?.date ?? "",
    payload: { role: "assistant", content: "another nEEdle" },
  }]);
});

test("TP7 kind, date, payload and meta are looked at, the id is not", [
  user("x", "2026-12-24T18:30:00+00:00"),
  messageEntry({ role: "user", content: "y" }, { run_id: "run-77" }),
  anchorEntry("phase-1", { summary: "z" }),
], async ({ ids }) => {
  assertEquals(await ids("2026-12-24T18:30"), [1]);
  assertEquals(await ids("RUN-77"), [2]);
  assertEquals(await ids("phase-1"), []);
  assertEquals(await ids("anchor", { kinds: ["anchor"] }), [3]);
  assertEquals(await ids('"id":1'), []);
});

test("TP7 a query is literal text, with quotes and line breaks as they were said", [
  user('say "hi"\nand C:\\dir (a|b)* [x] $1'),
  user("say hi"),
], async ({ ids }) => {
  for (const query of ['"hi"', '"hi"\nand', "C:\\dir", "(a|b)*", "[x]", "$1", '\\"hi\\"']) {
    assertEquals(await ids(query, { limit: 1 }), [1], query);
  }
  assertEquals(await ids(".*"), []);
});

test(
  "TP7 B46 a query without letters and digits is found in what was said, not in the JSON of it",
  [
    user("plain", "2026-12-24T18:30:00.5+00:00"),
    user("list[0]"),
    messageEntry({ role: "user", content: 'a "word", {x}: \\' }, { run_id: "r-1", list: [] }),
    toolResultEntry([{ "odd{key": -1.5 }, ["x"]]),
  ],
  async ({ ids }) => {
    assertEquals(await ids("["), [2]);
    assertEquals(await ids("]"), [2]);
    assertEquals(await ids("{"), [4, 3]);
    assertEquals(await ids(","), [3]);
    assertEquals(await ids('"'), [3]);
    assertEquals(await ids('",'), [3]);
    assertEquals(await ids("\\"), [3]);
    assertEquals(await ids("}: \\"), [3]);
    assertEquals(await ids('":"'), []);
    assertEquals(await ids("-"), [4]);
    assertEquals(await ids("."), [4]);
    assertEquals(await ids("+"), []);
  },
);

test("TP7 B46 no kinds, and a start after the end, are errors", [user("x")], async ({ find }) => {
  const turned = { start: "2026-12-02", end: "2026-12-01" };
  const reasons = [[{ kinds: [] }, "kinds is empty"], [
    turned,
    "start must not be after end",
  ]] as const;
  for (const [options, reason] of reasons) {
    const error = await assertRejects(() => find("x", options), BubError, reason);
    assertEquals(error.kind, "invalid_input");
  }
});

test("TP7 B46 composed and decomposed accents, İ, ß and ligatures are found in either form", [
  user("İİ error here"),
  user("STRASSE"),
  user("un cafe\u0301"),
  user("un café"),
  user("eine Straße"),
  user("the ﬁle"),
], async ({ ids }) => {
  assertEquals(await ids("error", { limit: 1 }), [1]);
  assertEquals((await ids("straße")).slice(0, 2), [5, 2]);
  assertEquals((await ids("café")).slice(0, 2), [4, 3]);
  assertEquals((await ids("CAFE\u0301")).slice(0, 2), [4, 3]);
  assertEquals(await ids("file", { limit: 1 }), [6]);
});

test("TP7 dates bound a search, both ends included", [
  user("needle a", "2026-12-01T23:59:59.999999+00:00"),
  user("needle b", "2026-12-02T12:00:00+00:00"),
  user("needle c", "2026-12-03T00:00:00+00:00"),
], async ({ ids, find }) => {
  assertEquals(await ids("needle", { start: "2026-12-02", end: "2026-12-02" }), [2]);
  assertEquals(await ids("needle", { end: "2026-12-02T12:00:00" }), [2, 1]);
  assertEquals(await ids("needle", { start: "2026-12-02T13:00+01:00" }), [3, 2]);
  for (const options of [{ start: "soon" }, { end: "2026-02-30" }]) {
    const error = await assertRejects(() => find("needle", options), BubError);
    assertEquals(error.kind, "invalid_input");
  }
});

test("TP7 B46 an empty query is an error", [user("x")], async ({ find }) => {
  for (const query of ["", " \n"]) {
    const error = await assertRejects(() => find(query), BubError, "query is empty");
    assertEquals(error.kind, "invalid_input");
  }
});

test("TP7 entries that say the same are found once, the newest of them", [
  user("needle"),
  messageEntry({ role: "assistant", content: "needle" }),
  user("needle"),
  user("neadle"),
  user("neadle"),
], async ({ ids }) => assertEquals(await ids("needle"), [3, 2, 5]));

test("TP7 fuzzy matches follow those that hold the query, and only where these are too few", [
  user("permission denied"),
  user("permisson denied"),
  user("permission granted"),
  user("something else"),
], async ({ ids }) => {
  assertEquals(await ids("permission"), [3, 1, 2]);
  assertEquals(await ids("permission", { limit: 2 }), [3, 1]);
  assertEquals(await ids("permision"), [3, 2, 1]);
  assertEquals(await ids("prmssn"), []);
});

test("TP7 queries under 3 characters are found as they are or not at all", [
  user("ab"),
  user("axb"),
  user("😀"),
], async ({ ids }) => {
  assertEquals(await ids("ab"), [1]);
  assertEquals(await ids("b"), [2, 1]);
  assertEquals(await ids("😀"), [3]);
  assertEquals(await ids("zz"), []);
});

const SEARCHED: JsonValue = { matches: [{ payload: { content: "needle" } }], filtered: 0 };

test("TP7 what searches left behind is passed over and counted", [
  user("needle"),
  calls("needle", "tape_search"),
  toolResultEntry([SEARCHED]),
  calls("x", "bash", "Tape.Search"),
  toolResultEntry(["a needle", SEARCHED], { errors: [] }),
  calls("needle", "bash", "tape_search"),
  toolResultEntry(["nothing", SEARCHED]),
  calls("x", "tape_search"),
  toolResultEntry([{ kind: "invalid_input", message: "not a needle" }], { errors: [0] }),
  eventEntry("command", { raw: "tape.search needle", name: "tape.search", output: "needle" }),
  eventEntry("command", { raw: "echo needle", name: "bash", output: "needle" }),
  toolResultEntry([SEARCHED]),
], async ({ find }) => {
  const usual = await find("needle");
  assertEquals(usual.matches.map(({ id }) => id), [5, 1]);
  assertEquals(usual.matches[0]?.payload, { results: ["a needle"] });
  assertEquals(usual.filtered, 4);
  const others = await find("needle", { kinds: ["event", "tool_call"] });
  assertEquals(others.matches.map(({ id }) => id), [11, 6]);
  assertEquals(others.filtered, 2);
});

test("TP7 B46 B44 a long query and a record of 5 MB are dealt with in bounded time", [
  user("hay ".repeat(600_000) + "İneedle" + " hay".repeat(600_000)),
  user("a".repeat(9_999)),
  user("a".repeat(12_000)),
], async ({ find, ids }) => {
  const started = performance.now();
  const { matches } = await find("needle");
  assertStringIncludes(String(matches[0]?.payload.content), "hay İneedle hay");
  assert(JSON.stringify(matches).length < 1000);
  assertEquals(await ids("a".repeat(10_000), { limit: 1 }), [3]);
  assertEquals(await ids("b".repeat(10_000)), []);
  assert(performance.now() - started < 20_000, `${performance.now() - started} ms`);
});

Deno.test("TP7 TP1 a tape of other programs is found in: blanks, escapes, dates as numbers, damage", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(
    join(folder.path, "t.jsonl"),
    [
      '{"id": 1, "kind": "message", "payload": {"role": "user", "content": "Gr\\u00f6\\u00dfe caf\\u0065\\u0301"}, "meta": {}, "timestamp": 1764561362.5}',
      '{"id": 2, "kind": "message", "payload": {"role": "user", "content": "a, b: c", "n": [1, 2]}, "meta": {}, "date": "2026-12-01T00:00:00+00:00"}',
      '{"id": 3, "kind": "message", "payload": {"role": "us',
      '{"id": 3, "kind": "note", "payload": {"content": "größe"}, "meta": {}, "date": ""}',
    ].join("\n"),
  );
  const damages: number[] = [];
  const store = new FileTapeStore(folder.path, { onDamage: ({ offset }) => damages.push(offset) });
  const ids = async (query: string, kinds = DEFAULTS.kinds) =>
    (await store.search("t", { ...DEFAULTS, query, kinds })).matches.map(({ id }) => id);
  assertEquals(await ids("größe"), [1]);
  assertEquals(await ids("GRÖSSE", ["note", "message"]), [3, 1]);
  assertEquals(await ids("café"), [1]);
  assertEquals(await ids("2025-12"), [1]);
  assertEquals(await ids("a, b: c"), [2]);
  assertEquals(await ids("[1,2]"), [2]);
  assertEquals(await ids(",2"), [2]);
  assertEquals(await ids('"role":"user"'), [2, 1]);
  assertEquals(damages.length, 1);
});

Deno.test("TP7 an unknown tape has no matches", async () => {
  await using folder = await temporaryFolder();
  const nothing = { matches: [], filtered: 0 };
  const query = { ...DEFAULTS, query: "x" };
  assertEquals(await new FileTapeStore(folder.path).search("t", query), nothing);
  assertEquals(await new Tape(new MemoryTapeStore(), "t").search(query), nothing);
});

Deno.test("B47 TP7 archives are searched behind the tape, what only nearly matches last of all", async () => {
  await using folder = await temporaryFolder();
  const store = new FileTapeStore(folder.path);
  const said = [
    [user("needle"), user("once more needle")],
    [calls("x", "tape_search"), toolResultEntry([SEARCHED]), user("once more needle")],
    [user("neadle")],
  ];
  const archives: string[] = [];
  for (const drafts of said) {
    await store.append("t", drafts);
    if (drafts !== said.at(-1)) {
      archives.unshift(await store.reset("t", [], { archive: true }) ?? "");
    }
  }
  const query = { ...DEFAULTS, query: "needle" };
  const { matches, filtered } = await store.search("t", query, [...archives, "gone.bak"]);
  const [second, first] = archives;
  assertEquals(matches.map(({ id, archive }) => [id, archive]), [
    [3, second],
    [1, first],
    [1, undefined],
  ]);
  assertEquals(filtered, 1);
  assertEquals((await store.search("t", query)).matches.length, 1);
  store.close();
});

Deno.test("TP7 a store's own search takes the place of the common one", async () => {
  const answer = { matches: [], filtered: 7 };
  const store: TapeStore = Object.assign(new MemoryTapeStore(), {
    search: () => Promise.resolve(answer),
  });
  assertEquals(await new Tape(store, "t").search({ ...DEFAULTS, query: "x" }), answer);
});

Deno.test("TP7 the sieve of the file store loses no match that the common search finds", async () => {
  await using folder = await temporaryFolder();
  const words = ["über", "CAFÉ", "cafe\u0301", "Straße", "STRASSE", "ﬁnd", 'a"b', "x\\y", "l1\nl2"];
  words.push("{1,2}", "測試", "😀", "Needle", "neadle", "\u001b[31m", "end: it", "İ", "\ud83d");
  let state = 11;
  const random = (n: number) => (state = state * 1103515245 + 12345 & 0x7fffffff) % n;
  const text = () =>
    Array.from({ length: 1 + random(6) }, () => words[random(words.length)]).join(" ");
  const drafts = Array.from(
    { length: 300 },
    (_, n) => n % 7 === 0 ? toolResultEntry([text(), { n, t: text() }]) : user(text()),
  );
  const file = new FileTapeStore(folder.path);
  const memory = new MemoryTapeStore();
  for (const store of [file, memory]) await store.append("t", drafts);
  const found = async (store: FileTapeStore | MemoryTapeStore, query: string) => {
    const { matches } = await new Tape(store, "t").search({ ...DEFAULTS, query, limit: 1000 });
    return matches.map(({ id }) => id);
  };
  let total = 0;
  for (
    const query of [
      ...words,
      ...words.map((word) => word.toUpperCase()),
      ...Array.from({ length: 40 }, text),
    ]
  ) {
    const expected = await found(memory, query);
    total += expected.length;
    assertEquals(await found(file, query), expected, JSON.stringify(query));
  }
  assert(total > 1000, `${total}`);
  file.close();
});
