import type { Environment } from "../environment/environment.ts";
import { toBubError } from "../errors.ts";
import type { PromptSection } from "../hook/hooks.ts";
import { skillsPrompt } from "../skill/listing.ts";
import { calledAs } from "../tool/registry.ts";
import type { TurnScope } from "./scope.ts";
import { toolsSection } from "./tools_section.ts";

/** Bytes of `AGENTS.md` that enter the system prompt. */
const INSTRUCTIONS_LIMIT = 64 * 1024;

const ROLE = `You are bub, an agent that does its user's work on this machine through tools.
- Look at real files and run real commands rather than guess. Independent calls go into one step.
- Check your work with the project's own tests or tools before you call it done.
- After a failed call read the error and change the approach.
- Stay within the task. Destroy nothing that was not asked for.
- End with a short plain answer: what you did, found and left open.`;

/** A system prompt, and what the user should know about it. */
export interface SystemPrompt {
  readonly text: string;
  readonly warnings: readonly string[];
}

/** The system prompt of a turn: role, host facts, skills, the workspace's own instructions (M4). */
export async function systemPrompt(scope: TurnScope, today: Date): Promise<SystemPrompt> {
  const { environment } = scope;
  const [shell, tools, skills, instructions] = await Promise.all([
    environment.shellName(),
    toolsSection(scope.tools),
    skillsSection(scope),
    workspaceInstructions(environment),
  ]);
  const facts = [
    `Platform: ${environment.platform}`,
    `Shell: ${shell}`,
    `Workspace: ${environment.workspace} (relative paths start here)`,
    `Date: ${today.toISOString().slice(0, 10)}`,
  ].join("\n");
  const sections: readonly PromptSection[] = [
    { name: "role", text: ROLE },
    { name: "host", text: facts },
    ...tools.map((text) => ({ name: "tools", text })),
    ...profilesSection(scope).map((text) => ({ name: "subagents", text })),
    ...skills.map((text) => ({ name: "skills", text })),
    ...instructions.sections.map((text) => ({ name: "instructions", text })),
  ];
  const hooked = await scope.turnHooks?.systemPrompt(sections) ?? sections;
  const text = hooked.map(({ text }) => text).join("\n\n");
  return { text, warnings: instructions.warnings };
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

/** The profiles of subagents, for a turn that can start some. */
function profilesSection({ subagents, tools }: TurnScope): readonly string[] {
  const profiles = Object.entries(subagents?.profiles ?? {});
  if (profiles.length === 0 || tools.find("subagent") === undefined) return [];
  const lines = profiles.map(([name, { description }]) =>
    description === undefined ? `- ${name}` : `- ${name}: ${firstLine(description)}`
  );
  return [["What a subagent can be started as (agent):", ...lines].join("\n")];
}

/** The skills, for a turn that has the tool to read them. */
async function skillsSection({ skills, tools }: TurnScope): Promise<readonly string[]> {
  if (tools.find("skill") === undefined) return [];
  const usable = await skills.list();
  return usable.length === 0 ? [] : [skillsPrompt(usable, calledAs("skill", tools))];
}

/** What a workspace tells the model. */
interface Instructions {
  readonly sections: readonly string[];
  /** What of it does not arrive as its author meant it. */
  readonly warnings: readonly string[];
}

/**
 * The workspace's `AGENTS.md`, where there is one that may be read: every turn works without, and
 * one that nobody can know of, missing or hidden with the whole workspace, is not worth a word.
 */
async function workspaceInstructions(environment: Environment): Promise<Instructions> {
  try {
    const bytes = await environment.readFile("AGENTS.md", { maxBytes: INSTRUCTIONS_LIMIT });
    const isCut = bytes.length > INSTRUCTIONS_LIMIT;
    const text = new TextDecoder().decode(bytes.subarray(0, INSTRUCTIONS_LIMIT), { stream: isCut });
    const warnings = [
      ...(isCut ? ["AGENTS.md has more than 64 KiB; the model gets the first 64 KiB"] : []),
      ...(isUtf8(bytes.subarray(0, INSTRUCTIONS_LIMIT), isCut)
        ? []
        : ["AGENTS.md is not UTF-8; the model gets U+FFFD in place of what is none"]),
    ];
    if (text.trim() === "") return { sections: [], warnings };
    const cut = isCut ? "\n[cut at 64 KiB]" : "";
    const section = `Instructions of this workspace (AGENTS.md):\n\n${text.trim()}${cut}`;
    return { sections: [section], warnings };
  } catch (error) {
    const { kind, message } = toBubError(error);
    if (kind === "not_found") return { sections: [], warnings: [] };
    const warnings = [`AGENTS.md is not used: ${message}`];
    if (kind === "permission") {
      return { sections: [], warnings: await isListed(environment) ? warnings : [] };
    }
    return { sections: [`(AGENTS.md could not be read: ${message})`], warnings };
  }
}

/** Whether the workspace shows an `AGENTS.md` by name. */
async function isListed(environment: Environment): Promise<boolean> {
  const entries = await environment.listFolder(".").catch(() => []);
  return entries.some(({ name }) => name === "AGENTS.md");
}

/** Whether `bytes` are whole UTF-8; of a cut text the last character may be one in part. */
function isUtf8(bytes: Uint8Array<ArrayBuffer>, isCut: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}
