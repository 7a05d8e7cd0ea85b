import { BubError, toBubError } from "../../errors.ts";
import type { TapeMatches, TapeQuery } from "../../tape/store.ts";
import type { Tape } from "../../tape/tape.ts";
import { type ParsedArgs, usage } from "../args.ts";
import type { CommandContext } from "../command.ts";
import { entryBlock } from "./entry_block.ts";
import type { SEARCH_FLAGS } from "./flags.ts";
import { openTapeFolder } from "./tape_folder.ts";

/** `bub tape search QUERY [TAPE]`, with the defaults of `tape.search` (TP7). */
export async function searchTapes(
  { flags, words, literal }: ParsedArgs<typeof SEARCH_FLAGS>,
  context: CommandContext,
): Promise<number> {
  const [query, word] = [...words, ...literal];
  if (query === undefined) throw usage("bub tape search needs the text to look for");
  using folder = await openTapeFolder(flags, context);
  const { stdout } = context.console;
  const name = await folder.select(word, flags["session-id"]);
  const found = await search(folder.tape(name), {
    query,
    limit: flags.limit ?? 20,
    start: flags.start ?? null,
    end: flags.end ?? null,
    kinds: flags.kinds ?? ["message", "tool_result"],
  });
  if (flags.json === true) {
    await stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    return 0;
  }
  const blocks = found.matches.map((match) => entryBlock({ ...match, meta: {} }, stdout));
  await stdout.write(blocks.join("") || "no matches\n");
  return 0;
}

/** What the search calls invalid input was written on the command line. */
async function search(tape: Tape, query: TapeQuery): Promise<TapeMatches> {
  try {
    return await tape.search(query);
  } catch (thrown) {
    const { kind, message } = toBubError(thrown);
    throw kind === "invalid_input" ? new BubError("config", message, { cause: thrown }) : thrown;
  }
}
