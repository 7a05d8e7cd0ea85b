import { HOOK_NAMES } from "../hook/hooks.ts";
import type { JsonObject } from "../json.ts";
import { loadPlugins, type PluginReport } from "../plugin/load.ts";
import type { ParsedArgs } from "./args.ts";
import type { CommandContext } from "./command.ts";
import { commonFlags, configure } from "./configure.ts";
import type { OutputStream } from "./console.ts";
import type { LIST_FLAGS } from "./flags.ts";

/** `bub plugins`: what each plugin brings, and what is wrong with broken ones. */
export async function listPlugins(
  { flags }: ParsedArgs<typeof LIST_FLAGS>,
  context: CommandContext,
): Promise<number> {
  using configuration = await configure(commonFlags(flags), context, { saves: false });
  const { plugins } = configuration.settings;
  const { builtinTools } = await context.builtIn();
  const reports = plugins.length === 0 ? [] : await loadPlugins(plugins, { tools: builtinTools });
  const builtIn = new Set(builtinTools.map(({ name }) => name.toLowerCase()));
  const rows = reports.map((report) => describe(report, builtIn));
  const { stdout } = context.console;
  if (flags.json === true) {
    await stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return 0;
  }
  const text = rows.length === 0
    ? `no plugins; --plugin FILE loads one, and so does a path under "plugins" in ${
      configuration.configFile ?? "the configuration"
    }\n`
    : rows.map((row) => paragraph(row, stdout)).join("\n");
  await stdout.write(text);
  return 0;
}

interface Row extends JsonObject {
  /** Null for a broken one. */
  readonly name: string | null;
  readonly file: string;
  readonly status: PluginReport["status"];
  readonly tools: readonly {
    readonly name: string;
    readonly exposure: string;
    /** Whether it stands in the place of a built-in tool. */
    readonly overrides: boolean;
  }[];
  readonly hooks: readonly string[];
  readonly events: readonly string[];
  /** What is wrong; null: nothing. */
  readonly problem: string | null;
}

function describe(report: PluginReport, builtIn: ReadonlySet<string>): Row {
  const { file, status } = report;
  if (report.status === "broken") {
    const { problem } = report;
    return { name: null, file, status, tools: [], hooks: [], events: [], problem };
  }
  const { name, tools = [], hooks = {}, events = {} } = report.parts;
  return {
    name,
    file,
    status,
    tools: tools.map(({ name, exposure }) => ({
      name,
      exposure,
      overrides: builtIn.has(name.toLowerCase()),
    })),
    hooks: HOOK_NAMES.filter((hook) => hooks[hook] !== undefined),
    events: Object.keys(events),
    problem: null,
  };
}

function paragraph({ name, file, tools, hooks, events, problem }: Row, out: OutputStream): string {
  if (problem !== null) {
    return out.safe(file) + out.paint("red", " is broken: ") + out.safe(`${problem}\n`);
  }
  const lines = [
    ["tools", tools.map(toolText)],
    ["hooks", hooks],
    ["events", events],
  ] as const;
  const shown = lines.filter(([, names]) => names.length > 0)
    .map(([label, names]) => `  ${label.padEnd("events".length)}  ${names.join(", ")}\n`);
  return `${out.paint("bold", out.safe(`${name}`))}  ${out.safe(`${file}\n${shown.join("")}`)}`;
}

function toolText({ name, exposure, overrides }: Row["tools"][number]): string {
  const notes = [
    ...(exposure === "default" ? [] : [exposure]),
    ...(overrides ? ["instead of the built-in one"] : []),
  ];
  return notes.length === 0 ? name : `${name} (${notes.join(", ")})`;
}
