import { MAX_CHUNKS, SpillTape } from "../lib/spill/spill_tape.ts";
import { defineTool } from "../lib/tool/tool.ts";

/** Reads what was too long to be shown. */
export const spillRead = defineTool({
  name: "spill.read",
  description: "Reads a stored long result in chunks of up to 16 KiB.",
  parameters: (z) =>
    z.object({
      handle: z.string().describe("As the shortened result names it"),
      cursor: z.number().int().min(0).default(0).describe("Chunks to skip: next_cursor to go on"),
      count: z.number().int().min(1).default(1).describe(`At most ${MAX_CHUNKS}`),
      from_end: z.boolean().default(false).describe("Go from the end backwards"),
    }),
  async run({ handle, cursor, count, from_end }, { tape }) {
    const range = { cursor, count, fromEnd: from_end };
    const { content, nextCursor, complete } = await new SpillTape(tape).read(handle, range);
    return { content, next_cursor: nextCursor, complete };
  },
});
