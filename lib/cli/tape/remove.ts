import { mainTape } from "../../tape/name.ts";
import { type ParsedArgs, usage } from "../args.ts";
import type { CommandContext } from "../command.ts";
import { confirm } from "./confirm.ts";
import type { REMOVE_FLAGS } from "./flags.ts";
import { describe, removeShelves } from "./removal.ts";
import { readShelves, type Shelf } from "./shelf.ts";
import { openTapeFolder, type TapeFolder } from "./tape_folder.ts";

/** `bub tape rm TAPE…`. */
export async function removeTapes(
  { flags, words }: ParsedArgs<typeof REMOVE_FLAGS>,
  context: CommandContext,
): Promise<number> {
  const { console } = context;
  const sessionId = flags["session-id"];
  if (words.length === 0 && sessionId === undefined) {
    throw usage("bub tape rm needs the tape to remove: a name, or --session-id");
  }
  using folder = await openTapeFolder(flags, context);
  const names = new Set<string>();
  for (const word of words.length > 0 ? words : [undefined]) {
    names.add(await folder.select(word, sessionId));
  }
  const shelves = await chosen(names, flags.archives === true, folder);
  const question = `Remove ${[...names].join(", ")} (${describe(shelves)})?`;
  if (flags.yes !== true && !await confirm(question, "tape rm", context)) {
    await console.complain("nothing was removed", "dim");
    return 1;
  }
  const running = await removeShelves(shelves, folder, context);
  for (const name of running) {
    await console.complain(`tape ${name} stays: its session is running`);
  }
  return running.length > 0 ? 1 : 0;
}

/** The named tapes with their sidecars; of one whose sidecar alone is named, only that. */
async function chosen(
  names: ReadonlySet<string>,
  withArchives: boolean,
  folder: TapeFolder,
): Promise<readonly Shelf[]> {
  const wanted = new Set([...names].map(mainTape));
  return (await readShelves(folder)).filter(({ name }) => wanted.has(name)).map((shelf) => {
    const whole = names.has(shelf.name);
    return {
      name: shelf.name,
      tapes: whole ? shelf.tapes : shelf.tapes.filter(({ name }) => names.has(name)),
      archives: whole && withArchives ? shelf.archives : [],
    };
  });
}
