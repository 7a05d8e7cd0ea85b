import { BubError } from "../lib/errors.ts";
import { ENTRY_KINDS } from "../lib/tape/entry.ts";
import { defineTool, type Tool } from "../lib/tool/tool.ts";

const info = defineTool({
  name: "tape.info",
  description: "Facts of this session's tape: entries, anchors, last tokens.",
  parameters: (z) => z.object({}),
  run: async (_, { tape }) => ({ ...await tape.info() }),
});

const search = defineTool({
  name: "tape.search",
  description: "Finds earlier entries of this session's tape by text, newest first.",
  parameters: (z) =>
    z.object({
      query: z.string().describe("Literal text, in any case"),
      limit: z.int().min(1).default(20).describe("Most matches"),
      start: z.string().nullable().default(null).describe("First ISO date or time; UTC by default"),
      end: z.string().nullable().default(null).describe("Last ISO date or time, included"),
      kinds: z.array(z.string()).default(["message", "tool_result"])
        .describe("Also tool_call, system, anchor, event, error"),
    }),
  async run(query, { tape }) {
    const known: readonly string[] = ENTRY_KINDS;
    const unknown = query.kinds.filter((kind) => !known.includes(kind));
    if (unknown.length > 0) {
      throw new BubError(
        "invalid_input",
        `kinds must be of ${known.join(", ")}, got ${JSON.stringify(unknown)}`,
      );
    }
    const { matches, filtered } = await tape.search(query);
    return { matches: matches.map((match) => ({ ...match })), filtered };
  },
});

const anchors = defineTool({
  name: "tape.anchors",
  description: "Names of the tape's anchors, one a line, oldest first.",
  parameters: (z) => z.object({}),
  run: async (_, { tape }) => (await tape.anchors()).join("\n") || "(no anchors)",
});

/** UTF-16 units. */
const MAX_ANCHOR_NAME = 200;
/** What stands for the start of the tape and for its last anchor where an anchor is to be named. */
const RESERVED: readonly string[] = ["none", "last"];

const handoff = defineTool({
  name: "tape.handoff",
  description:
    "Starts a new context: what came before stays on the tape, but is no longer sent to you. Put into summary what you still need.",
  parameters: (z) =>
    z.object({
      name: z.string().default("handoff").describe("Name of the anchor"),
      summary: z.string().default("").describe("What counts from here on"),
    }),
  async run({ name, summary }, { tape }) {
    if (!/^(?=.*\S)[^\p{Cc}\u2028\u2029]+$/u.test(name)) {
      throw new BubError(
        "invalid_input",
        `name must be one line of text for the anchor, got ${JSON.stringify(name)}`,
      );
    }
    if (name.length > MAX_ANCHOR_NAME || RESERVED.includes(name)) {
      throw new BubError(
        "invalid_input",
        `name must be up to ${MAX_ANCHOR_NAME} characters and none of ${RESERVED.join(", ")}, ` +
          `got ${JSON.stringify(name.slice(0, MAX_ANCHOR_NAME))}`,
      );
    }
    await tape.handoff(name, { summary });
    return `anchor added: ${name}`;
  },
});

const reset = defineTool({
  name: "tape.reset",
  description: "Empties this session's tape: everything said so far is gone.",
  parameters: (z) =>
    z.object({
      archive: z.boolean().default(false).describe("Keep it in a file beside the tape first"),
    }),
  async run({ archive }, { tape }) {
    const { archives, kept } = await tape.reset({ archive });
    return [
      "tape reset",
      ...archives.map((name) => `archived as ${name}`),
      ...kept.map(({ sidecar, reason }) => `the sidecar ${sidecar} was kept: ${reason}`),
    ].join("\n");
  },
});

/** What a session can ask of its own tape. */
export const tapeTools: readonly Tool[] = [info, search, anchors, handoff, reset];
