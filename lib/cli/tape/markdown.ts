import type { TapeEntry } from "../../tape/entry.ts";
import { callLines, contentLines, errorLines, eventLines, resultTexts } from "./entry_text.ts";

/**
 * A tape as a page of Markdown, piece by piece: the conversation with its calls, results, commands,
 * anchors and errors. What only the program needs is left out: system prompts, other events.
 */
export async function* markdown(
  name: string,
  entries: AsyncIterable<TapeEntry>,
): AsyncGenerator<string, void, void> {
  yield `# Tape ${name}\n`;
  for await (const entry of entries) {
    const text = section(entry);
    if (text !== null) yield `\n## ${heading(entry)}\n\n${text}\n`;
  }
}

function heading({ id, kind, payload, date }: TapeEntry): string {
  const what = kind === "message"
    ? payload.role
    : kind === "anchor"
    ? `anchor ${payload.name}`
    : TITLES[kind];
  return `${id} · ${what ?? kind}${date === "" ? "" : ` · ${date}`}`.replaceAll(/\s+/g, " ");
}

const TITLES: Readonly<Record<string, string>> = {
  tool_call: "calls",
  tool_result: "results",
  event: "command",
};

/** The body of an entry; null where it is not for readers. */
function section({ kind, payload, meta }: TapeEntry): string | null {
  switch (kind) {
    case "message":
      return contentLines(payload.content);
    case "anchor":
      return payload.state === undefined ? "" : fenced(JSON.stringify(payload.state, null, 2));
    case "tool_call": {
      const said = contentLines(payload.content);
      return `${said === "" ? "" : `${said}\n\n`}${fenced(callLines(payload))}`;
    }
    case "tool_result":
      return resultTexts(payload, meta).map(fenced).join("\n\n");
    case "error":
      return fenced(errorLines(payload));
    case "event":
      return payload.name === "command" ? fenced(eventLines(payload)) : null;
    default:
      return null;
  }
}

/** Text as it is, between fences longer than any in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${fence}`;
}
