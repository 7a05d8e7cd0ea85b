import type { Skill, SkillProblem } from "../skill/skill.ts";
import type { ParsedArgs } from "./args.ts";
import type { CommandContext } from "./command.ts";
import { commonFlags, configure } from "./configure.ts";
import type { TextStream } from "./console.ts";
import type { LIST_FLAGS } from "./flags.ts";
import { loadModules, openAgent } from "./open_agent.ts";

/** `bub skills`: what skills there are and where, and what is wrong with the others. */
export async function listSkills(
  { flags }: ParsedArgs<typeof LIST_FLAGS>,
  context: CommandContext,
): Promise<number> {
  const modules = loadModules(context);
  using configuration = await configure(commonFlags(flags), context, { saves: false });
  await using opened = await openAgent(modules, configuration, context);
  const { skills, problems } = await opened.agent.skills.inspect();
  const { console } = context;
  if (flags.json === true) {
    const value = { skills: skills.map(described), problems };
    await console.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    return 0;
  }
  await console.stdout.write(table(skills, console.stdout));
  for (const problem of problems) {
    await console.complain(sentence(problem), problem.severity === "warning" ? "yellow" : "dim");
  }
  return 0;
}

function described({ name, description, source, location, allowedTools }: Skill) {
  return { name, description, source, location, allowed_tools: allowedTools ?? null };
}

/** Two lines a skill: name, source and description, then the location. */
function table(skills: readonly Skill[], stdout: TextStream): string {
  const width = Math.max(0, ...skills.map(({ name }) => name.length));
  const indent = " ".repeat(width + 2);
  return skills.map(({ name, source, location, description }) => {
    const head = `${name.padEnd(width)}  ${source.padEnd("workspace".length)}`;
    const text = stdout.safe(description.replaceAll(/\s+/g, " "));
    return `${head}  ${text}\n${stdout.paint("dim", indent + stdout.safe(location))}\n`;
  }).join("");
}

function sentence({ location, reason }: SkillProblem): string {
  return `${location}: ${reason}`;
}
