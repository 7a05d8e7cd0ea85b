import { assertEquals, assertMatch, assertThrows } from "../assert.ts";
import { BubError } from "../../lib/errors.ts";
import { type EntryDraft, messageEntry } from "../../lib/tape/entry.ts";
import { formatLine, numberDrafts, parseLine, tapeDate } from "../../lib/tape/line.ts";

Deno.test("TP2 parseLine() keeps unknown fields and kinds", () => {
  const entry = {
    id: 7,
    kind: "hologram",
    payload: { x: [1, { y: null }] },
    meta: { z: "z" },
    date: "2026-12-01T03:56:02.761650+00:00",
    more: { unknown: true },
  };
  assertEquals(parseLine(formatLine(entry)), entry);
  const { meta: _, ...bare } = entry;
  assertEquals(parseLine(JSON.stringify(bare)), { ...entry, meta: {} });
});

Deno.test("TP1 parseLine() takes the old Python form with a timestamp in place of the date", () => {
  const { date, kind, payload, meta } = parseLine(
    '{"id": 1, "kind": "anchor", "payload": {"name": "a"}, "timestamp": 1796097362.7616}',
  );
  assertEquals({ date, kind, payload, meta }, {
    date: "2026-12-01T03:56:02.761+00:00",
    kind: "anchor",
    payload: { name: "a" },
    meta: {},
  });
});

Deno.test("TP3 parseLine() says why a line is no entry", () => {
  const reasons = [
    ["[]", /not a JSON object/],
    ["null", /not a JSON object/],
    ['{"kind": "event"}', /no integer id/],
    ['{"id": "1", "kind": "event"}', /no integer id/],
    ['{"id": 1.5, "kind": "event"}', /no integer id/],
    ['{"id": 1}', /no kind/],
    ['{"id": 2, "x": "caf', /JSON/],
    ["\0\0\0\0", /JSON/],
  ] as const;
  for (const [line, reason] of reasons) {
    assertMatch(assertThrows(() => parseLine(line)).message, reason);
  }
});

Deno.test("TP1 numberDrafts() writes dates with milliseconds and the offset of UTC", () => {
  const [entry] = numberDrafts([messageEntry({})], 3, new Date(Date.UTC(2026, 11, 1, 3, 56, 2, 7)));
  assertEquals([entry?.id, entry?.date], [3, "2026-12-01T03:56:02.007+00:00"]);
  assertEquals(tapeDate(new Date(0)), "1970-01-01T00:00:00.000+00:00");
});

Deno.test("TP3 formatLine() is one line whatever the text", () => {
  const [entry] = numberDrafts([messageEntry({ content: "a\nb\r\u2028\ud800" })], 1);
  const line = entry === undefined ? "" : formatLine(entry);
  assertMatch(line, /^\{[^\n]*\}\n$/);
  assertEquals(new TextDecoder().decode(new TextEncoder().encode(line)), line);
});

Deno.test("TP3 numberDrafts() refuses what nobody could read again", () => {
  const drafts: unknown[] = [[messageEntry({})], null, { payload: {} }, { kind: "event" }];
  drafts.push({ kind: 1, payload: {} }, { kind: "event", payload: [] });
  for (const draft of drafts) {
    const number = () => numberDrafts([messageEntry({}), draft as EntryDraft], 1);
    assertEquals(
      assertThrows(number, BubError, "an entry must be an object").kind,
      "invalid_input",
    );
  }
});
