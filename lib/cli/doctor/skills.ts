import type { Configuration } from "../../config/resolve.ts";
import { BubError } from "../../errors.ts";
import type { CommandContext } from "../command.ts";
import { loadModules, openAgent } from "../open_agent.ts";
import type { Section } from "./section.ts";

/** The skills that can be used, as far as the scope lets tools see them. */
export async function skillsSection(
  configuration: Configuration,
  context: CommandContext,
): Promise<Section> {
  // Plugins bring no skills, and their own section has loaded them.
  const settings = { ...configuration.settings, plugins: [] };
  try {
    const modules = loadModules(context);
    await using opened = await openAgent(modules, { ...configuration, settings }, context);
    const { skills, problems } = await opened.agent.skills.inspect();
    const notes = problems.filter(({ severity }) => severity === "warning")
      .map(({ location, reason }) => `no skill is taken from ${location}: ${reason}`);
    return { name: "skills", facts: { usable: skills.length }, notes };
  } catch (thrown) {
    if (!(thrown instanceof BubError)) throw thrown;
    return { name: "skills", facts: {}, problems: [thrown.message] };
  }
}
