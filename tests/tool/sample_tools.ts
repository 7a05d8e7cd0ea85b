import { BubError } from "../../lib/errors.ts";
import { defineTool } from "../../lib/tool/tool.ts";

/** Returns its arguments, as they arrive at `run`. */
export const read = defineTool({
  name: "fs.read",
  description: "Reads a file.",
  parameters: (z) =>
    z.object({
      path: z.string().describe("Path of the file"),
      offset: z.number().int().min(0).default(0).describe("Lines to skip"),
      limit: z.number().int().min(0).nullable().default(null).describe("Most lines to return"),
    }),
  run: (args) => args,
});

export const edit = defineTool({
  name: "fs.edit",
  description: "Edits a file.",
  parameters: (z) =>
    z.object({ path: z.string().describe("Path"), old: z.string().describe("Old text") }),
  run: ({ path, old }) => `${path}: ${old}`,
});

/** Takes one parameter of every kind that commands convert. */
export const mixed = defineTool({
  name: "mixed",
  description: "Takes values of all kinds.",
  parameters: (z) =>
    z.object({
      text: z.string().nullable().default(null).describe("Text"),
      count: z.number().nullable().default(null).describe("A number"),
      flag: z.boolean().default(false).describe("A switch"),
      kinds: z.array(z.string()).default(["message"]).describe("A list"),
      headers: z.record(z.string(), z.string()).nullable().default(null).describe("An object"),
      prompt: z.union([z.string(), z.array(z.string())]).optional().describe("Text or a list"),
      mode: z.enum(["fast", "slow"]).optional().describe("A choice"),
      level: z.union([z.literal(1), z.literal(2)]).optional().describe("A number of two"),
    }),
  run: (args) => args,
});

export const info = defineTool({
  name: "tape.info",
  description: "Says how large the tape is.",
  parameters: (z) => z.object({}),
  run: (args) => ({ name: "x", args }),
});

export const fail = defineTool({
  name: "fail",
  description: "Fails.",
  parameters: (z) => z.object({}),
  run: () => {
    throw new BubError("tool", "command exited with code 3", { details: { output: "so far\n" } });
  },
});

export const quit = defineTool({
  name: "quit",
  description: "Ends the session.",
  exposure: "command",
  parameters: (z) => z.object({}),
  run: () => "bye",
});

export const attach = defineTool({
  name: "attach_image",
  description: "Attaches an image.",
  exposure: "code",
  parameters: (z) => z.object({}),
  run: () => "attached",
});
