import { parseInbound } from "../tool/command_line.ts";
import { type FlagTable, type ParsedArgs, usage } from "./args.ts";
import { INPUT_WAIT_MS, readInput } from "./input.ts";

export interface MessageSource {
  read(buffer: Uint8Array): Promise<number | null>;
  isTerminal(): boolean;
}

export interface MessageOptions {
  readonly commandPrefix: string;
  readonly signal: AbortSignal;
  /** Takes a line for the user. */
  readonly onHint: (line: string) => void;
}

/**
 * The message of `bub run`: the words, standard input, or both with a blank line between. Input is
 * read when its first byte or its end comes within 200 ms; with the word `-` it is always read, and
 * behind a text command or from a terminal only then. Throws `config` when there is no message.
 */
export async function readMessage(
  { words, literal }: Pick<ParsedArgs<FlagTable>, "words" | "literal">,
  source: MessageSource,
  { commandPrefix, signal, onHint }: MessageOptions,
): Promise<string> {
  const wanted = words.includes("-");
  const text = [...words.filter((word) => word !== "-"), ...literal].join(" ");
  // A text command is whole (T6), and in a loop over a list the input belongs to the loop.
  const isCommand = parseInbound(text, commandPrefix).kind === "command";
  const reads = wanted || (!isCommand && !source.isTerminal());
  const input = reads
    ? await readInput(source, { waitMs: wanted ? null : INPUT_WAIT_MS, signal })
    : "";
  if (input === null && text !== "") {
    onHint("standard input is open but silent, so it was left alone; the word - waits for it");
  }
  const parts = [text, (input ?? "").replace(/[\r\n]+$/, "")].filter((part) => part.trim() !== "");
  if (parts.length > 0) return parts.join("\n\n");
  throw usage(
    input === null
      ? `there is no message: nothing came on standard input within ${INPUT_WAIT_MS} ms, and only ` +
        "the word - waits longer; usage: bub run [MESSAGE…] [FLAGS]"
      : "there is no message; usage: bub run [MESSAGE…] [FLAGS], or the message on standard input",
  );
}
