/**
 * A plugin that adds a tool and watches the shell.
 *
 * - `git.summary` tells the state of the repository. It is `deferred`: the model sees its name and
 *   first line, and loads the rest with `tool.describe` when it wants it.
 * - A hook denies shell commands that rewrite what others may have fetched.
 */
import type { Plugin } from "../../lib/plugin/mod.ts";

/** `git push` with `--force`, `-f` or a refspec that starts with `+`. A habit-breaker, no wall. */
const FORCED_PUSH = /\bgit\b[^;&|\n]*\bpush\b[^;&|\n]*\s(--force(?!-with-lease)|-\w*f|\+)/;

const plugin: Plugin = ({ z, defineTool, BubError }) => ({
  name: "careful-git",

  tools: [
    defineTool({
      name: "git.summary",
      description: "Branch, changed files and the latest commits of the repository.",
      exposure: "deferred",
      parameters: z.object({
        commits: z.int().min(1).max(50).default(5).describe("How many commits to list"),
      }),
      async run({ commits }, { shells }) {
        const shell = await shells.start(
          `git status --short --branch && git log --oneline -n ${commits}`,
        );
        await shell.ended;
        const { text } = await shell.output(0, null);
        if (shell.exitCode === 0) return text;
        throw new BubError("tool", "git could not tell about this folder", {
          details: { output: text },
        });
      },
    }),
  ],

  hooks: {
    beforeToolCall({ tool, args }) {
      if (tool.name === "bash" && FORCED_PUSH.test(String(args.command))) {
        return {
          action: "deny",
          message: "a forced push rewrites what others have; push without force, or ask the user",
        };
      }
    },
  },
});

export default plugin;
