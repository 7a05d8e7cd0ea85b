import { BubError } from "../lib/errors.ts";
import { defineTool } from "../lib/tool/tool.ts";

// Named by a variable, so that Deno loads it with the first code and not before (see main.ts).
const RUN_CODE = "../lib/code/run_code.ts";

/** Runs code that calls the other tools (C2). */
export const runCode = defineTool({
  name: "run_code",
  description:
    "Runs JavaScript or TypeScript in a sandbox; `await tools.name({...})` calls tools. The result is what it prints with print(...).",
  parameters: (z) =>
    z.object({
      code: z.string().describe("With top-level await"),
      timeout_seconds: z.number().positive().default(120).describe("Ends the run, calls included"),
    }),
  async run({ code, timeout_seconds: timeoutSeconds }, { code: port, signal }) {
    if (port === undefined) throw new BubError("tool", "code cannot run further code");
    const { runCode }: typeof import("../lib/code/run_code.ts") = await import(RUN_CODE);
    return await runCode({ code, timeoutSeconds, signal }, port);
  },
});
