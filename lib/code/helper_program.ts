import { HelperOutput } from "./helper_output.ts";
import { LineSplitter } from "./line_splitter.ts";
import { HELPER_EXITS, MAX_LINE_UNITS, parseStart } from "./protocol.ts";
import { RunWatch } from "./run_watch.ts";

/**
 * The program of a helper process: it holds one guest in a worker and ends with it. A worker that
 * computes cannot be stopped and one that fills the heap takes the process along, so what can be
 * killed has to be a process; its main thread, which runs none of the code, watches the other.
 */

/** All there are. A worker has none from the start; the process needs some until it has loaded. */
const PERMISSIONS = ["read", "write", "net", "env", "sys", "run", "ffi", "import"] as const;

if (import.meta.main) await serveCode();

/** Runs the code that comes on standard input; ends the process, with its input at the latest. */
export async function serveCode(): Promise<void> {
  const out = new HelperOutput(() => Deno.exit(0));
  await out.open();
  const guest = await startGuest();
  for (const name of PERMISSIONS) Deno.permissions.revokeSync({ name });
  const watch = new RunWatch(out, Deno.exit);
  guest.onmessage = ({ data }) => {
    // Guests send single lines; anything else was not sent by ours.
    if (typeof data !== "string" || data.includes("\n")) return;
    if (watch.allows(data)) out.send(data);
  };
  out.send('["ready"]');
  await forward(guest, watch, out);
  Deno.exit(0);
}

/**
 * Resolves when the guest has loaded and taken away from itself what code must not have, with the
 * way to it.
 */
async function startGuest(): Promise<MessagePort> {
  const worker = new Worker(new URL("./guest/main.mts", import.meta.url), {
    type: "module",
    deno: { permissions: "none" },
  });
  worker.onerror = (event) => {
    event.preventDefault();
    Deno.exit(HELPER_EXITS.guest);
  };
  const guest = await new Promise<MessagePort>((resolve) => {
    worker.onmessage = ({ ports: [port] }) => {
      if (port !== undefined) resolve(port);
    };
  });
  // What is used for the first time takes milliseconds: timers, and messages to a worker.
  setTimeout(() => {}, 0);
  guest.postMessage("[]");
  return guest;
}

/** Passes the lines of the host on to the guest until there are no more: the host has ended. */
async function forward(guest: MessagePort, watch: RunWatch, out: HelperOutput): Promise<void> {
  const lines = new LineSplitter(MAX_LINE_UNITS);
  let started = false;
  for await (const chunk of Deno.stdin.readable) {
    lines.push(chunk, (line) => {
      if (started) return guest.postMessage(line);
      started = true;
      start(line);
    });
  }

  /** Code may end this process at once, so the host is told before that there is any. */
  async function start(line: string): Promise<void> {
    out.send('["started"]');
    await out.drained();
    watch.start(parseStart(line));
    guest.postMessage(line);
  }
}
