import { readBlocks } from "./block_reader.ts";
import { settledSize } from "./entry_reader.ts";
import { InfoTally } from "./info.ts";
import { parseLine } from "./line.ts";
import type { TapeInfo } from "./store.ts";

/** How lines start that hold neither an anchor nor a `run` event: all but a few of a long tape. */
const PLAIN_START =
  /^\{"id": ?\d+, ?"kind": ?"(?:message|system|tool_call|tool_result|error|event", ?"payload": ?\{"name": ?"(?!run"))/;
/** How whole lines end; what a crash cut short does not. */
const WHOLE_END = /\}, ?"date": ?"[\d:.+TZ-]+"\}$/;
const END_LENGTH = 60;

/**
 * The facts of an open tape file, null where there is none: one block of it in memory at a time. Most lines are only counted, by
 * their two ends: one that is damaged in its middle alone counts too.
 */
export async function fileInfo(file: Deno.FsFile | null, name: string): Promise<TapeInfo> {
  const tally = new InfoTally();
  if (file === null) return tally.info(name);
  for await (const { bytes } of readBlocks(file, settledSize(file), "oldest")) {
    for (const line of new TextDecoder().decode(bytes).split("\n")) addLine(line, tally);
  }
  return tally.info(name);
}

function addLine(line: string, tally: InfoTally): void {
  if (PLAIN_START.test(line) && WHOLE_END.test(line.slice(-END_LENGTH))) {
    tally.count();
    return;
  }
  try {
    tally.add(parseLine(line));
  } catch {
    // Damaged, or the end of the block.
  }
}
