import { readMessage } from "../../lib/cli/message.ts";
import { BubError } from "../../lib/errors.ts";
import { assertEquals, assertRejects } from "../assert.ts";

/** An input that gives these pieces and then ends, or stays silent. */
function input(pieces: readonly string[], { terminal = false, ends = true } = {}) {
  const rest = pieces.map((piece) => new TextEncoder().encode(piece));
  let reads = 0;
  return {
    isTerminal: () => terminal,
    read(buffer: Uint8Array): Promise<number | null> {
      reads++;
      const piece = rest.shift();
      if (piece === undefined) return ends ? Promise.resolve(null) : new Promise(() => {});
      buffer.set(piece);
      return Promise.resolve(piece.length);
    },
    get reads() {
      return reads;
    },
  };
}

interface Given {
  readonly words?: readonly string[];
  readonly literal?: readonly string[];
  readonly from?: ReturnType<typeof input>;
  readonly signal?: AbortSignal;
}

async function read({ words = [], literal = [], from = input([]), signal }: Given) {
  const hints: string[] = [];
  const message = await readMessage({ words, literal }, from, {
    commandPrefix: ",",
    signal: signal ?? new AbortController().signal,
    onHint: (line) => hints.push(line),
  });
  return { message, hints, reads: from.reads };
}

Deno.test("B69 L2 words and input are joined by a blank line, cut characters made whole", async () => {
  const bytes = new TextEncoder().encode("ä\n\n");
  const from = input([]);
  const pieces = [bytes.slice(0, 1), bytes.slice(1)];
  from.read = (buffer) => {
    const piece = pieces.shift();
    if (piece !== undefined) buffer.set(piece);
    return Promise.resolve(piece?.length ?? null);
  };
  assertEquals((await read({ words: ["sum", "up"], from })).message, "sum up\n\nä");
});

Deno.test("B69 L2 a silent input is left alone with a hint", async () => {
  const { message, hints } = await read({ words: ["hi"], from: input([], { ends: false }) });
  assertEquals(message, "hi");
  assertEquals(hints.length, 1);
  await assertRejects(
    () => read({ from: input([], { ends: false }) }),
    BubError,
    "nothing came on standard input within 200 ms",
  );
});

Deno.test("B69 L2 a terminal is read only when the word - asks for it", async () => {
  const terminal = () => input(["typed\n"], { terminal: true });
  assertEquals((await read({ words: ["hi"], from: terminal() })).reads, 0);
  assertEquals((await read({ words: ["-"], from: terminal() })).message, "typed");
  await assertRejects(() => read({ from: terminal() }), BubError, "there is no message");
});

Deno.test("T6 L2 a text command takes no input unless asked; a doubled prefix is no command", async () => {
  assertEquals((await read({ words: [",git status"], from: input(["x"]) })).reads, 0);
  assertEquals((await read({ words: [",cat", "-"], from: input(["x"]) })).message, ",cat\n\nx");
  assertEquals((await read({ words: [",,git"], from: input(["x"]) })).message, ",,git\n\nx");
});

Deno.test("L2 blank words and blank input are no message", async () => {
  await assertRejects(() => read({ words: ["", " "], from: input(["\n\n"]) }), BubError);
});

Deno.test("L3 waiting for input ends with an interruption", async () => {
  const abort = new AbortController();
  const reading = read({
    words: ["-"],
    from: input([], { ends: false }),
    signal: abort.signal,
  });
  abort.abort(new BubError("interrupted", "stop"));
  const error = await assertRejects(() => reading, BubError, "stop");
  assertEquals(error.kind, "interrupted");
});
