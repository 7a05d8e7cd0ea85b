import { join } from "@std/path";
import {
  anchorEntry,
  type EntryDraft,
  errorEntry,
  eventEntry,
  messageEntry,
  SESSION_START,
  toolCallEntry,
  toolResultEntry,
} from "../../../lib/tape/entry.ts";
import { FileMediaStore } from "../../../lib/tape/file_media_store.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../../assert.ts";
import { TapeHome } from "./tape_home.ts";

const user = (content: string) => messageEntry({ role: "user", content });
const call = (id: string, args: string) => ({
  id,
  type: "function" as const,
  function: { name: "fs_read", arguments: args },
});

/** A tape with an entry of every kind. */
function everything(): EntryDraft[] {
  return [
    user("Look at it."),
    toolCallEntry([call("a", '{"path":"x"}'), call("b", '{"path":"y"}')], {}, { content: "Sure." }),
    toolResultEntry(["text\n", { kind: "not_found", message: "no y", details: { output: "o" } }], {
      errors: [1],
    }),
    messageEntry({ role: "assistant", content: "Done." }),
    eventEntry("run", { status: "ok" }),
    eventEntry("command", { raw: "git status", output: "clean" }),
    anchorEntry("phase-1", { summary: "so far" }),
    errorEntry({ kind: "server", message: "overloaded" }),
    user("And now?"),
  ];
}

Deno.test("L1 show prints one block an entry, oldest first, without the dress of JSON", async () => {
  await using home = await TapeHome.open();
  await home.append(home.name(), ...everything());
  const { code, stdout, stderr } = await home.run("show");
  assertEquals([code, stderr], [0, ""]);
  const undated = stdout.replaceAll(/ {2}\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/gm, "");
  assertEquals(
    undated,
    `#1 anchor session/start
{"owner":"human"}

#2 message user
Look at it.

#3 tool_call
Sure.
fs_read {"path":"x"}
fs_read {"path":"y"}

#4 tool_result
text

failed: no y
o

#5 message assistant
Done.

#6 event run
{"status":"ok"}

#7 event command
git status
clean

#8 anchor phase-1
{"summary":"so far"}

#9 error server
overloaded

#10 message user
And now?

`,
  );
});

Deno.test("L1 show takes a name, the beginning of one, or a session of any workspace", async () => {
  await using home = await TapeHome.open();
  const [one, two] = ["aaaa456789abcdef__fedcba9876543210", "aaab456789abcdef__fedcba9876543210"];
  await home.append(one, user("of one"));
  await home.append(`${one}__sidecar__spill`, user("beside one"));
  await home.append(two, user("of two"));
  await home.append(home.name("ci:7"), user("of seven"));
  const last = async (...args: string[]) => {
    const { stdout } = await home.run("show", "--last", "1", "--json", ...args);
    return JSON.parse(stdout).payload.content;
  };
  assertEquals(await last(one), "of one");
  assertEquals(await last("aaaa"), "of one", "a sidecar does not make the beginning ambiguous");
  assertEquals(await last(`${two}.jsonl`), "of two");
  assertEquals(await last(`${one}__sidecar__`), "beside one");
  assertEquals(await last("--session-id", "ci:7"), "of seven");
  assertEquals(await last("--session-id", "ci:7", "-w", home.bench.workspace), "of seven");
  const several = await home.run("show", "aaa");
  assertEquals([several.code, several.stdout], [2, ""]);
  assertEquals(several.stderr, `bub: "aaa" begins the names of 2 tapes: ${one}, ${two}\n`);
});

Deno.test("L1 show --json prints the entries as they are, --last the newest in order", async () => {
  await using home = await TapeHome.open();
  await home.append(home.name(), ...everything());
  const path = join(home.tapes, `${home.name()}.jsonl`);
  await Deno.writeTextFile(
    path,
    '{"id":11,"kind":"strange","payload":{"a":[1]},"meta":{},"date":"2026-01-01","more":"kept"}\n',
    { append: true },
  );
  const whole = await Deno.readTextFile(path);
  assertEquals((await home.run("show", "--json")).stdout, whole);
  const lines = whole.trimEnd().split("\n");
  assertEquals(
    (await home.run("show", "--json", "-n", "2")).stdout,
    lines.slice(-2).map((line) => `${line}\n`).join(""),
  );
  assertMatch(
    (await home.run("show", "-n1")).stdout,
    /^#11 strange {2}2026-01-01\n\{"a":\[1\]\}\n/,
  );
});

Deno.test("TP5 show --context prints what the next model input is built from", async () => {
  await using home = await TapeHome.open();
  await home.append(home.name(), ...everything());
  const context = await home.run("show", "--context");
  assertEquals([context.code, context.stdout], [0, "user\nAnd now?\n\n"]);
  const whole = await home.run("show", "--context", "--anchor", "none", "--json");
  const messages = whole.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(messages.map(({ role }) => role), [
    ...["assistant", "user", "assistant", "tool", "tool"],
    ...["assistant", "assistant", "user"],
  ]);
  assertEquals(messages[0].content, '[Anchor created: session/start]: {"owner":"human"}');
  assertEquals(messages[6].content, '[Anchor created: phase-1]: {"summary":"so far"}');
  const named = await home.run("show", "--context", "--anchor", "session/start");
  assertMatch(named.stdout, /^user\nLook at it\.\n\nassistant\nSure\.\nfs_read \{"path":"x"\}\n/);
  assertMatch(named.stdout, /^tool fs_read\ntext\n\n/m);
  const unknown = await home.run("show", "--context", "--anchor", "phase-2");
  assertEquals([unknown.code, unknown.stdout], [1, ""]);
  assertStringIncludes(unknown.stderr, 'the tape has no anchor named "phase-2"');
});

Deno.test("TP5 TP12 show --context has images inline in JSON and by their size for people", async () => {
  await using home = await TapeHome.open();
  const data = new TextEncoder().encode("not quite an image");
  const label = "image/png, 18 bytes, a.png";
  const media = await new FileMediaStore(home.media).put({ mediaType: "image/png", data, label });
  await home.append(
    home.name(),
    toolCallEntry([call("a", "{}")]),
    toolResultEntry([[{ type: "text", text: "look" }, media]], { errors: [], parts: [0] }),
  );
  const json = await home.run("show", "--context", "--json");
  const [, result] = json.stdout.trimEnd().split("\n");
  assertEquals(JSON.parse(result ?? "").content, [
    { type: "text", text: "look" },
    { type: "media", mediaType: "image/png", data: data.toBase64(), label },
  ]);
  assertStringIncludes((await home.run("show", "--context")).stdout, "look\n[image/png, 18 B]\n");
  assertStringIncludes((await home.run("show")).stdout, `look\n[${label}]\n`);
});

Deno.test("B74 show makes control characters visible on a terminal and leaves pipes alone", async () => {
  await using home = await TapeHome.open();
  await home.append(home.name(), user("\x1b]0;pwn\x07\x1b[2Jhi"));
  const piped = await home.run("show", "-n", "1");
  assertStringIncludes(piped.stdout, "\x1b]0;pwn\x07\x1b[2Jhi");
  const shown = await home.onTerminal(["show", "-n", "1"]);
  assertEquals(shown.code, 0);
  assertStringIncludes(shown.text, "␛]0;pwn␇␛[2Jhi");
  assertEquals(shown.text.includes("\x1b]0;"), false);
});

/** The lines a child prints, one after the other. */
function linesOf(child: Deno.ChildProcess) {
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  return async (): Promise<string> => {
    for (;;) {
      const end = rest.indexOf("\n");
      if (end >= 0) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 1);
        return line;
      }
      const { value, done } = await reader.read();
      assert(!done, `the output ended with ${JSON.stringify(rest)}`);
      rest += value;
    }
  };
}

Deno.test("L1 show --follow prints what is appended, survives resets and ends with Ctrl-C", async () => {
  await using home = await TapeHome.open();
  const name = home.name();
  await home.append(name, user("old"), user("one"));
  await using child = await home.start("show", "--follow", "--json", "--last", "1");
  const next = linesOf(child);
  const content = async () => {
    const { id, payload } = JSON.parse(await next());
    return [id, payload.content ?? payload.name];
  };
  assertEquals(await content(), [3, "one"]);
  await home.append(name, user("two"), user("three"));
  assertEquals([await content(), await content()], [[4, "two"], [5, "three"]]);
  await home.store.reset(name, [SESSION_START]);
  assertEquals(await content(), [1, "session/start"]);
  // Grown beyond where it was, in one step: only the entries themselves tell.
  await home.store.reset(name, [SESSION_START, user("a"), user("b")]);
  assertEquals([await content(), await content(), await content()], [
    [1, "session/start"],
    [2, "a"],
    [3, "b"],
  ]);
  await home.store.remove(name);
  await home.append(name, user("anew"));
  assertEquals([await content(), await content()], [[1, "session/start"], [2, "anew"]]);
  child.kill("SIGINT");
  const [{ code }, stderr] = await Promise.all([child.status, new Response(child.stderr).text()]);
  assertEquals([code, stderr.split("\n").length], [130, 4]);
  assertStringIncludes(stderr, "(the tape was reset)\n");
});

Deno.test("B70 L3 show and show --follow end with 141 when their reader has gone", async () => {
  await using home = await TapeHome.open();
  const name = home.name();
  for (let n = 0; n < 50; n++) await home.append(name, user("long ".repeat(20_000)));
  await using big = await home.start("show");
  const reader = big.stdout.getReader();
  await reader.read();
  await reader.cancel();
  const [{ code }, stderr] = await Promise.all([big.status, new Response(big.stderr).text()]);
  assertEquals([code, stderr], [141, ""]);

  await home.store.reset(name, [SESSION_START]);
  await using following = await home.start("show", "--follow");
  const follower = following.stdout.getReader();
  await follower.read();
  await follower.cancel();
  const errors = new Response(following.stderr).text();
  let ended = false;
  const end = following.status.finally(() => ended = true);
  // Nobody learns that a pipe is closed before the next write.
  while (!ended) {
    await home.append(name, user("more"));
    await Deno.stat(home.tapes);
  }
  assertEquals([(await end).code, await errors], [141, ""]);
});

Deno.test("B70 show hands all of 5 MB to a slow reader", async () => {
  await using home = await TapeHome.open();
  for (let n = 0; n < 50; n++) await home.append(home.name(), user("0123456789".repeat(10_000)));
  const path = join(home.tapes, `${home.name()}.jsonl`);
  await using child = await home.start("show", "--json");
  const errors = new Response(child.stderr).text();
  const digest = async (stream: ReadableStream<Uint8Array>) => {
    const bytes = await new Response(stream).bytes();
    return [bytes.length, new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex()];
  };
  // Reads only once the pipe is full and the program waits.
  await Deno.stat(path);
  assertEquals(await digest(child.stdout), await digest((await Deno.open(path)).readable));
  assertEquals([(await child.status).code, await errors], [0, ""]);
});

Deno.test("B70 show into a full device fails, with the reason", async () => {
  if (Deno.build.os !== "linux") return;
  await using home = await TapeHome.open();
  await home.append(home.name(), user("hi"));
  const { code, stderr } = await home.redirected("/dev/full", "show");
  assertEquals(code, 1);
  assertMatch(stderr, /^bub: standard output cannot be written: /);
});
