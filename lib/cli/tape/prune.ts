import type { TapeSummary } from "../../tape/store.ts";
import { type ParsedArgs, usage } from "../args.ts";
import type { CommandContext } from "../command.ts";
import { parseAge } from "./age.ts";
import { confirm } from "./confirm.ts";
import type { PRUNE_FLAGS } from "./flags.ts";
import { describe, removeShelves } from "./removal.ts";
import { readShelves, type Shelf } from "./shelf.ts";
import { openTapeFolder } from "./tape_folder.ts";

/** `bub tape prune --older-than AGE`. */
export async function pruneTapes(
  { flags }: ParsedArgs<typeof PRUNE_FLAGS>,
  context: CommandContext,
): Promise<number> {
  const { console } = context;
  const age = flags["older-than"];
  if (age === undefined) throw usage("bub tape prune needs --older-than AGE, such as 30d");
  const limit = Date.now() - parseAge(age, "--older-than");
  using folder = await openTapeFolder(flags, context);
  const shelves = outdated(await readShelves(folder), limit, flags.archives === true);
  if (shelves.length === 0) {
    await console.complain(`no tape has been left alone for ${age}`, "dim");
  } else if (flags.yes !== true) {
    for (const { name } of shelves) await console.stderr.write(`${console.stderr.safe(name)}\n`);
    if (!await confirm(`Remove ${describe(shelves)}?`, "tape prune", context)) {
      await console.complain("nothing was removed", "dim");
      return 1;
    }
  }
  const running = await removeShelves(shelves, folder, context);
  for (const name of running) {
    await console.complain(`tape ${name} stays: its session is running`, "yellow");
  }
  return 0;
}

/** What has not been written since `limit`: a tape counts with its sidecars, an archive alone. */
function outdated(shelves: readonly Shelf[], limit: number, archives: boolean): readonly Shelf[] {
  const isOld = ({ modified }: TapeSummary) => modified !== null && modified.getTime() < limit;
  return shelves.map((shelf) => ({
    name: shelf.name,
    tapes: shelf.tapes.every(isOld) ? shelf.tapes : [],
    archives: archives ? shelf.archives.filter(isOld) : [],
  })).filter(({ tapes, archives }) => tapes.length > 0 || archives.length > 0);
}
