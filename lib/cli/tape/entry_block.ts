import type { TapeEntry } from "../../tape/entry.ts";
import type { TextStream } from "../console.ts";
import { entryText } from "./entry_text.ts";

/** An entry for people: a heading, what it says, an empty line. */
export function entryBlock(entry: TapeEntry, stream: TextStream): string {
  const { title, body } = entryText(entry);
  return block({ title: `#${entry.id} ${title}`, note: entry.date, body }, stream);
}

/** A heading with a note beside it, text as it is, and an empty line, safe for the stream. */
export function block(
  { title, note = "", body }: {
    readonly title: string;
    readonly note?: string;
    readonly body: string;
  },
  stream: TextStream,
): string {
  const head = stream.paint("bold", stream.safe(title.replaceAll(/\s+/g, " ")));
  const aside = note === "" ? "" : `  ${stream.paint("dim", stream.safe(note))}`;
  const end = body === "" || body.endsWith("\n") ? "" : "\n";
  return `${head}${aside}\n${stream.safe(body)}${end}\n`;
}
