import type { ParsedArgs } from "../args.ts";
import type { CommandContext } from "../command.ts";
import type { INFO_FLAGS } from "./flags.ts";
import { openTapeFolder } from "./tape_folder.ts";

/** `bub tape info [TAPE]`: what `tape.info` says of the session's own tape (TP6). */
export async function showInfo(
  { flags, words: [word] }: ParsedArgs<typeof INFO_FLAGS>,
  context: CommandContext,
): Promise<number> {
  using folder = await openTapeFolder(flags, context);
  const { stdout } = context.console;
  const name = await folder.select(word, flags["session-id"]);
  const info = await folder.tape(name).info();
  if (flags.json === true) {
    await stdout.write(`${JSON.stringify(info, null, 2)}\n`);
    return 0;
  }
  const rows = Object.entries(info);
  const width = Math.max(...rows.map(([key]) => key.length));
  const lines = rows.map(([key, value]) => `${key.padEnd(width)}  ${value ?? "(none)"}\n`);
  await stdout.write(stdout.safe(lines.join("")));
  return 0;
}
