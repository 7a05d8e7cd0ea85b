import type { Environment } from "../environment/environment.ts";
import { toBubError } from "../errors.ts";

/** Bytes of `AGENTS.md` that enter the system prompt. */
const INSTRUCTIONS_LIMIT = 64 * 1024;

const ROLE = `You are bub, an agent that does its user's work on this machine through tools.
- Act: look at the real files and run the real commands rather than guess. Independent calls go into one step.
- Check your work with the project's own tests or tools before you call it done.
- A failed call is information: read the error, change the approach, do not repeat the same call.
- Stay within the task. Destroy nothing that was not asked for.
- End with a short plain answer: what you did, what you found, what is still open.`;

/** The system prompt of a turn: role, host facts, then the workspace's own instructions (M4). */
export async function systemPrompt(environment: Environment, today: Date): Promise<string> {
  const [shell, instructions] = await Promise.all([
    environment.shellName(),
    workspaceInstructions(environment),
  ]);
  const facts = [
    `Platform: ${environment.platform}`,
    `Shell: ${shell}`,
    `Workspace: ${environment.workspace} (relative paths start here)`,
    `Date: ${today.toISOString().slice(0, 10)}`,
  ].join("\n");
  return [ROLE, facts, ...instructions].join("\n\n");
}

/**
 * The workspace's `AGENTS.md`, where there is one that the scope lets us read: a missing or
 * forbidden one is not the user's mistake, and every turn works without.
 */
async function workspaceInstructions(environment: Environment): Promise<readonly string[]> {
  try {
    const bytes = await environment.readFile("AGENTS.md", { maxBytes: INSTRUCTIONS_LIMIT });
    const text = new TextDecoder().decode(bytes.subarray(0, INSTRUCTIONS_LIMIT)).trim();
    if (text === "") return [];
    const cut = bytes.length > INSTRUCTIONS_LIMIT ? "\n[cut at 64 KiB]" : "";
    return [`Instructions of this workspace (AGENTS.md):\n\n${text}${cut}`];
  } catch (error) {
    const { kind } = toBubError(error);
    if (kind === "not_found" || kind === "permission") return [];
    return [`(AGENTS.md could not be read: ${toBubError(error).message})`];
  }
}
