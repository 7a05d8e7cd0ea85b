/** A process that writes to tapes, for tests with more than one; see `child.ts`. */
import { join } from "@std/path";
import { toBubError } from "../../lib/errors.ts";
import { messageEntry, SESSION_START } from "../../lib/tape/entry.ts";
import { formatLine } from "../../lib/tape/line.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { acquireSessionLock } from "../../lib/tape/session_lock.ts";

const [mode = "", folder = "", tape = "", text = "x", count = "0", repeat = "1"] = Deno.args;
const store = new FileTapeStore(folder);
const draft = (n: number) =>
  messageEntry({ role: "user", content: text.repeat(Number(repeat)), writer: Deno.pid, n });
const append = (n: number) => store.append(tape, [draft(n)], { start: [SESSION_START] });
const say = (line: string) => void Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));

switch (mode) {
  /** Appends `count` entries, one at a time. */
  case "append":
    for (let n = 0; n < Number(count); n++) await append(n);
    break;
  /** For each byte of standard input appends `count` entries, and says so after each of them. */
  case "bursts": {
    let n = 0;
    for await (const bytes of Deno.stdin.readable) {
      for (let left = bytes.length * Number(count); left > 0; left--) {
        await append(n++);
        say(`${n}`);
      }
    }
    break;
  }
  /** Appends until killed, and prints the id of each entry once it is acknowledged. */
  case "endless":
    for (let n = 0;; n++) for (const { id } of await append(n)) say(`${id}`);
  /** Appends until that fails, and prints how. */
  case "fill":
    try {
      for (let n = 0;; n++) await append(n);
    } catch (thrown) {
      say(JSON.stringify(toBubError(thrown).report()));
    }
    break;
  /** Says when half an entry is written, and writes the rest a moment later. */
  case "slow": {
    const line = formatLine({ id: 1, kind: "event", payload: {}, meta: {}, date: "" });
    using file = Deno.openSync(join(folder, `${tape}.jsonl`), { append: true, createNew: true });
    file.lockSync(true);
    file.writeSync(new TextEncoder().encode(line.slice(0, 20)));
    say("half");
    await new Promise((resolve) => setTimeout(resolve, 100));
    file.writeSync(new TextEncoder().encode(line.slice(20)));
    break;
  }
  /** Resets the tape, keeping an archive, and prints how that fails. */
  case "archive":
    try {
      await store.reset(tape, [SESSION_START], { archive: true });
    } catch (thrown) {
      say(JSON.stringify(toBubError(thrown).report()));
    }
    break;
  /** Holds the session lock until standard input ends. */
  case "lock": {
    using _lock = await acquireSessionLock(tape, {
      signal: AbortSignal.timeout(30_000),
      onWait: () => say("waiting"),
    });
    say("locked");
    for await (const _ of Deno.stdin.readable);
    break;
  }
  /** Takes and leaves the session lock `count` times and prints how often it was alone with it. */
  case "contend": {
    let alone = 0;
    for (let n = 0; n < Number(count); n++) {
      using _lock = await acquireSessionLock(tape, { signal: AbortSignal.timeout(30_000) });
      try {
        Deno.openSync(`${tape}.inside`, { write: true, createNew: true }).close();
        Deno.removeSync(`${tape}.inside`);
        alone++;
      } catch {
        // Another one is inside, too.
      }
    }
    say(`${alone}`);
    break;
  }
  default:
    throw new Error(`no such mode: ${mode}`);
}
