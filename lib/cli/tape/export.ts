import { resolve } from "@std/path";
import { startFolder } from "../../config/workspace.ts";
import type { TapeEntry } from "../../tape/entry.ts";
import { formatLine } from "../../tape/line.ts";
import type { ParsedArgs } from "../args.ts";
import type { CommandContext } from "../command.ts";
import { Interruption } from "../signals.ts";
import type { EXPORT_FLAGS } from "./flags.ts";
import { markdown } from "./markdown.ts";
import { pour } from "./pour.ts";
import { openTapeFolder } from "./tape_folder.ts";
import { writeWhole } from "./whole_file.ts";

/** `bub tape export [TAPE]`. */
export async function exportTape(
  { flags, words: [word] }: ParsedArgs<typeof EXPORT_FLAGS>,
  context: CommandContext,
): Promise<number> {
  using interruption = new Interruption(context.exit);
  using folder = await openTapeFolder(flags, context);
  const { stdout } = context.console;
  const name = await folder.select(word, flags["session-id"]);
  const entries = folder.store.read(name, "oldest");
  const pieces = flags.format === "md" ? markdown(name, entries) : jsonLines(entries);
  if (flags.output === undefined) {
    const signal = AbortSignal.any([interruption.signal, stdout.failed]);
    await pour(pieces, (text) => stdout.write(stdout.safe(text)), signal);
    return interruption.exitCode ?? 0;
  }
  const { signal } = interruption;
  try {
    await writeWhole(resolve(startFolder(context.env), flags.output), async (write) => {
      await pour(pieces, write, signal);
      signal.throwIfAborted();
    });
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
  return interruption.exitCode ?? 0;
}

async function* jsonLines(entries: AsyncIterable<TapeEntry>): AsyncGenerator<string, void, void> {
  for await (const entry of entries) yield formatLine(entry);
}
