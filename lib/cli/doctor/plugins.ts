import type { Settings } from "../../config/settings.ts";
import { loadPlugins } from "../../plugin/load.ts";
import type { CommandContext } from "../command.ts";
import type { Section } from "./section.ts";

/** The plugins that load, and those that do not. */
export async function pluginsSection(
  { plugins }: Pick<Settings, "plugins">,
  { builtIn }: CommandContext,
): Promise<Section> {
  const { builtinTools } = await builtIn();
  const reports = plugins.length === 0 ? [] : await loadPlugins(plugins, { tools: builtinTools });
  const broken = reports.flatMap((report) => report.status === "broken" ? [report] : []);
  return {
    name: "plugins",
    facts: { loaded: reports.length - broken.length, broken: broken.length },
    problems: broken.map(({ file, problem }) => `the plugin ${file} is broken: ${problem}`),
  };
}
