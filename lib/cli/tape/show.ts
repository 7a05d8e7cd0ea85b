import type { ChatMessage, ContentPart } from "../../model/model.ts";
import type { TapeEntry } from "../../tape/entry.ts";
import { formatLine } from "../../tape/line.ts";
import type { Tape } from "../../tape/tape.ts";
import { type FlagValues, type ParsedArgs, usage } from "../args.ts";
import type { CommandContext } from "../command.ts";
import type { OutputStream } from "../console.ts";
import { Interruption } from "../signals.ts";
import { byteSize } from "./byte_size.ts";
import { block, entryBlock } from "./entry_block.ts";
import type { SHOW_FLAGS } from "./flags.ts";
import { follow } from "./follow.ts";
import { pour } from "./pour.ts";
import { openTapeFolder } from "./tape_folder.ts";

type ShowFlags = FlagValues<typeof SHOW_FLAGS>;

/** `bub tape show [TAPE]`. */
export async function showTape(
  { flags, words: [word] }: ParsedArgs<typeof SHOW_FLAGS>,
  context: CommandContext,
): Promise<number> {
  checkFlags(flags);
  using interruption = new Interruption(context.exit);
  using folder = await openTapeFolder(flags, context);
  const { stdout, stderr } = context.console;
  const name = await folder.select(word, flags["session-id"]);
  const tape = folder.tape(name);
  const signal = AbortSignal.any([interruption.signal, stdout.failed]);
  const write = (text: string) => stdout.write(text);
  const print = flags.json === true
    ? (entry: TapeEntry) => stdout.safe(formatLine(entry))
    : (entry: TapeEntry) => entryBlock(entry, stdout);
  if (flags.context === true) {
    await pour(contextPieces(tape, flags, stdout), write, signal);
    return interruption.exitCode ?? 0;
  }
  let seen: TapeEntry | null = null;
  const noted = async function* () {
    for await (seen of entries(tape, flags.last)) yield print(seen);
  };
  await pour(noted(), write, signal);
  if (flags.follow === true) {
    for await (const growth of follow(tape, () => folder.summary(name), seen, signal)) {
      if (growth.restarted) await stderr.write(stderr.paint("dim", "(the tape was reset)\n"));
      await stdout.write(growth.entries.map(print).join(""));
    }
  }
  return interruption.exitCode ?? 0;
}

function checkFlags({ context, anchor, follow, last }: ShowFlags): void {
  if (context !== true && anchor !== undefined) {
    throw usage("--anchor says where the context starts and needs --context");
  }
  if (context === true && (follow === true || last !== undefined)) {
    throw usage("--follow and --last are about entries and do not go with --context");
  }
}

/** All entries, or the last ones, oldest first. */
async function* entries(tape: Tape, last: number | undefined): AsyncGenerator<TapeEntry> {
  if (last === undefined) {
    yield* tape.read("oldest");
    return;
  }
  const newest: TapeEntry[] = [];
  for await (const entry of tape.read("newest")) {
    if (newest.push(entry) === last) break;
  }
  yield* newest.reverse();
}

async function* contextPieces(
  tape: Tape,
  { anchor = "last", json }: ShowFlags,
  stream: OutputStream,
): AsyncGenerator<string> {
  for (const message of await tape.context(anchor === "none" ? null : anchor)) {
    yield json === true
      ? stream.safe(`${JSON.stringify(message)}\n`)
      : block({ title: messageTitle(message), body: messageBody(message) }, stream);
  }
}

function messageTitle(message: ChatMessage): string {
  return message.role === "tool" ? `tool ${message.name}` : message.role;
}

function messageBody(message: ChatMessage): string {
  const { content } = message;
  const said = typeof content === "string" ? content : content.map(partText).join("\n");
  const calls = message.role === "assistant" ? message.tool_calls ?? [] : [];
  const called = calls.map(({ function: { name, arguments: args } }) => `${name} ${args}`);
  return [said, ...called].filter((part) => part !== "").join("\n");
}

function partText(part: ContentPart): string {
  if (part.type === "text") return part.text;
  const what = "url" in part ? part.url : byteSize(Math.floor(part.data.length * 3 / 4));
  return `[${part.mediaType}, ${what}]`;
}
