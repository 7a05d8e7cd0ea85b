import { type Configuration, resolveSettings } from "../config/resolve.ts";
import type { Settings } from "../config/settings.ts";
import { BubError } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import type { FlagValues, ParsedArgs } from "./args.ts";
import type { CommandContext } from "./command.ts";
import { commonFlags, scopeFlags } from "./configure.ts";
import type { TextStream } from "./console.ts";
import { foldersSection } from "./doctor/folders.ts";
import { modelSection, serverOf } from "./doctor/model.ts";
import { networkSection } from "./doctor/network.ts";
import { pluginsSection } from "./doctor/plugins.ts";
import { programSection } from "./doctor/program.ts";
import { namedBy, processSection, toolsSection, type Wanted } from "./doctor/rights.ts";
import type { Section } from "./doctor/section.ts";
import { shellSection } from "./doctor/shell.ts";
import { skillsSection } from "./doctor/skills.ts";
import type { DOCTOR_FLAGS } from "./flags.ts";

const SHELLS = Deno.build.os === "windows" ? ["pwsh", "cmd"] : ["bash", "sh"];
const VARIABLES = ["HOME", "PATH", "BUB_HOME", "BUB_MODEL"];

type DoctorFlags = FlagValues<typeof DOCTOR_FLAGS>;

/** `bub doctor`: whether a run would work here; the exit code is 1 if something is missing. */
export async function doctor(
  { flags }: ParsedArgs<typeof DOCTOR_FLAGS>,
  context: CommandContext,
): Promise<number> {
  const sections = await inspect(flags, context);
  const problems = sections.flatMap(({ problems = [] }) => problems);
  const notes = sections.flatMap(({ notes = [] }) => notes);
  const { stdout } = context.console;
  if (flags.json === true) {
    const facts = sections.filter(({ facts }) => Object.keys(facts).length > 0)
      .map(({ name, facts }) => [name.replaceAll(" ", "_"), facts]);
    const report = {
      ok: problems.length === 0,
      ...Object.fromEntries(facts),
      problems,
      notes,
    };
    await stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else {
    await stdout.write(sections.map((section) => block(section, stdout)).join(""));
    await stdout.write(verdict(problems, notes, stdout));
  }
  return problems.length === 0 ? 0 : 1;
}

/** Looks at everything, one part after another, in the order it is shown. */
async function inspect(flags: DoctorFlags, context: CommandContext): Promise<readonly Section[]> {
  const { envFile, ...common } = commonFlags(flags);
  const given = { ...common, envFile, model: flags.model, scope: scopeFlags(flags) };
  let configuration: Configuration;
  try {
    configuration = await resolveSettings({ flags: given, env: context.env, saves: false });
  } catch (thrown) {
    if (!(thrown instanceof BubError)) throw thrown;
    const settings = { name: "settings", facts: {}, problems: [thrown.message] };
    return [programSection(), processSection(wanted()), settings];
  }
  using _configuration = configuration;
  const { settings, warnings } = configuration;
  const { workspace, scope, env } = settings;
  return [
    programSection(),
    processSection(wanted(settings)),
    toolsSection(scope, workspace),
    foldersSection(configuration, envFile),
    shellSection(settings),
    await modelSection(settings, { offline: flags.offline === true }),
    networkSection(env),
    await pluginsSection(settings, context),
    await skillsSection(configuration, context),
    { name: "settings", facts: {}, notes: warnings },
  ];
}

/** What a run may want of the process, and what its scope names. */
function wanted(settings?: Settings): Wanted {
  const { workspace, home, outputFolder, scope } = settings ?? {};
  const source = Deno.build.standalone ? undefined : import.meta.dirname;
  const folders = [workspace, home, outputFolder, source].filter((path) => path !== undefined);
  const server = settings && serverOf(settings);
  const named = scope && workspace ? namedBy(scope, workspace) : {};
  return {
    read: [...folders, ...named.read ?? []],
    write: [...folders, ...named.write ?? []],
    net: [...server === undefined ? [] : [server], ...named.net ?? []],
    run: [...SHELLS, Deno.execPath(), ...named.run ?? []],
    env: [...VARIABLES, ...named.env ?? []],
  };
}

/** A heading, and a line for each fact. */
function block({ name, facts }: Section, out: TextStream): string {
  const rows = Object.entries(facts);
  if (rows.length === 0) return "";
  const width = Math.max(...rows.map(([key]) => key.length));
  const lines = rows.map(([key, value = null]) =>
    `  ${key.replaceAll("_", " ").padEnd(width)}  ${out.safe(shown(value))}\n`
  );
  return `${out.paint("bold", name)}\n${lines.join("")}\n`;
}

function shown(value: JsonValue): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** One line for each problem and note, or that there is none. */
function verdict(
  problems: readonly string[],
  notes: readonly string[],
  out: TextStream,
): string {
  const lines = [
    ...notes.map((note) => out.paint("yellow", "note: ") + out.safe(note)),
    ...problems.map((problem) => out.paint("red", "problem: ") + out.safe(problem)),
  ];
  if (problems.length === 0) lines.push("Everything that a run needs is there.");
  return lines.map((line) => `${line}\n`).join("");
}
