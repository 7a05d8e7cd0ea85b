import configuration from "../deno.json" with { type: "json" };

/**
 * The flags of `deno run` that the program runs with, as the task `bub` has them: permissions, no
 * prompts, the lock file, and room for V8 to start without collecting garbage, which saves 8 of
 * 90 ms. The bench and `deno compile` take them from here.
 */
export function programFlags(): readonly string[] {
  const words = configuration.tasks.bub.command.split(" ");
  return words.slice(words.lastIndexOf("run") + 1, words.indexOf("main.ts"));
}
