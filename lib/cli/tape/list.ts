import type { TapeSummary } from "../../tape/store.ts";
import { isSidecar } from "../../tape/name.ts";
import type { ParsedArgs } from "../args.ts";
import type { CommandContext } from "../command.ts";
import { DEFAULT_SESSION } from "../open_agent.ts";
import { oneLine } from "../render/summary.ts";
import { byteSize } from "./byte_size.ts";
import type { LIST_FLAGS } from "./flags.ts";
import { openTapeFolder, type TapeFolder } from "./tape_folder.ts";
import { firstPrompt } from "./title.ts";

/** Characters of a first prompt: in JSON, and in the table. */
const MAX_TITLE = 200;
const MAX_SHOWN = 60;

interface Row {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly modified: Date | null;
  readonly entries: number;
  readonly title: string | null;
  readonly this_workspace: boolean;
  /** The session's id where the name is that of `--session-id` in the workspace, else null. */
  readonly session_id: string | null;
  readonly sidecar: boolean;
}

/** `bub tape list`. */
export async function listTapes(
  { flags }: ParsedArgs<typeof LIST_FLAGS>,
  context: CommandContext,
): Promise<number> {
  using folder = await openTapeFolder(flags, context);
  const { stdout } = context.console;
  const sessionId = flags["session-id"] ?? DEFAULT_SESSION;
  const tapes = (await folder.store.list()).filter(({ name }) =>
    flags.all === true || !isSidecar(name)
  );
  const rows: Row[] = [];
  for (const tape of tapes.toSorted(newestFirst)) rows.push(await row(tape, folder, sessionId));
  if (flags.json === true) {
    await stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  } else if (rows.length === 0) {
    await stdout.write("no tapes yet\n");
  } else {
    await stdout.write(stdout.safe(table(rows).map((line) => `${line}\n`).join("")));
  }
  return 0;
}

async function row(
  { name, size, modified }: TapeSummary,
  folder: TapeFolder,
  sessionId: string,
): Promise<Row> {
  const sidecar = isSidecar(name);
  const title = sidecar ? null : await firstPrompt(folder.store, name);
  return {
    name,
    size,
    modified,
    entries: await lastId(folder, name),
    title: title === null ? null : oneLine(title, MAX_TITLE),
    this_workspace: folder.isHere(name),
    session_id: name === folder.nameOf(sessionId) ? sessionId : null,
    sidecar,
  };
}

/** Ids are consecutive from 1: the last one is the number of entries. */
async function lastId({ store }: TapeFolder, name: string): Promise<number> {
  for await (const { id } of store.read(name, "newest")) return id;
  return 0;
}

function newestFirst(a: TapeSummary, b: TapeSummary): number {
  return (b.modified?.getTime() ?? 0) - (a.modified?.getTime() ?? 0) || (a.name < b.name ? -1 : 1);
}

/** The columns, and which of them are numbers, which stand at the right. */
const HEAD = ["", "TAPE", "CHANGED", "SIZE", "ENTRIES", "SESSION", "FIRST PROMPT"];
const NUMBERS: readonly number[] = [3, 4];

function table(rows: readonly Row[]): readonly string[] {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, n) => Math.max(...lines.map((line) => line[n]?.length ?? 0)));
  return lines.map((line) => {
    const padded = line.map((cell, n) =>
      NUMBERS.includes(n) ? cell.padStart(widths[n] ?? 0) : cell.padEnd(widths[n] ?? 0)
    );
    return padded.join("  ").trimEnd();
  });
}

function cells(row: Row): readonly string[] {
  return [
    row.this_workspace ? "*" : "",
    row.name,
    row.modified === null ? "" : localTime(row.modified),
    byteSize(row.size),
    String(row.entries),
    row.session_id ?? "",
    oneLine(row.title ?? "", MAX_SHOWN),
  ];
}

/** `2026-12-01 07:14` where the user is. */
function localTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace("T", " ");
}
