import { BubError, toBubError } from "../../errors.ts";
import type { TapeMatch, TapeMatches, TapeQuery } from "../../tape/store.ts";
import { type ParsedArgs, usage } from "../args.ts";
import type { CommandContext } from "../command.ts";
import type { TextStream } from "../console.ts";
import { entryBlock } from "./entry_block.ts";
import type { SEARCH_FLAGS } from "./flags.ts";
import { type Archive, archivedTape, newestArchive, readArchives } from "./shelf.ts";
import { openTapeFolder, type TapeFolder } from "./tape_folder.ts";

/**
 * `bub tape search QUERY [TAPE]`, with the defaults of `tape.search` (TP7); with `--archives` also
 * in what the tape held before it was reset, or removed.
 */
export async function searchTapes(
  { flags, words, literal }: ParsedArgs<typeof SEARCH_FLAGS>,
  context: CommandContext,
): Promise<number> {
  const [query, word] = [...words, ...literal];
  if (query === undefined) throw usage("bub tape search needs the text to look for");
  using folder = await openTapeFolder(flags, context);
  const { stdout } = context.console;
  const archives = flags.archives === true ? await archivesIn(folder) : [];
  const name = await folder.select(
    word,
    flags["session-id"],
    archives.map((archive) => archivedTape(archive.name)),
  );
  const found = await searchIn(folder, name, archives, {
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
  await stdout.write(blocks(found.matches, stdout) || "no matches\n");
  return 0;
}

/** The archives of all tapes, the newest first. */
async function archivesIn({ files, path }: TapeFolder): Promise<readonly Archive[]> {
  if (files === null) throw usage("--archives looks into files, but a plugin keeps the tapes here");
  return (await readArchives(path)).toSorted(newestArchive);
}

/** What the search calls invalid input was written on the command line. */
async function searchIn(
  folder: TapeFolder,
  name: string,
  archives: readonly Archive[],
  query: TapeQuery,
): Promise<TapeMatches> {
  const own = archives.map((archive) => archive.name).filter((it) => archivedTape(it) === name);
  try {
    if (folder.files === null) return await folder.tape(name).search(query);
    return await folder.files.search(name, query, own);
  } catch (thrown) {
    const { kind, message } = toBubError(thrown);
    throw kind === "invalid_input" ? new BubError("config", message, { cause: thrown }) : thrown;
  }
}

/** The matches for people; those of an archive below a line that names it. */
function blocks(matches: readonly TapeMatch[], stdout: TextStream): string {
  let place: string | undefined;
  return matches.map(({ archive, ...match }) => {
    const head = archive === place ? "" : `${stdout.safe(archive ?? "on the tape itself")}:\n\n`;
    place = archive;
    return head + entryBlock({ ...match, meta: {} }, stdout);
  }).join("");
}
