import type { SettingValue } from "../config/resolve.ts";
import { SETTINGS, settingSpec } from "../config/schema.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { hideLogin } from "../model/secret.ts";
import type { ParsedArgs } from "./args.ts";
import type { CommandContext } from "./command.ts";
import { commonFlags, configure } from "./configure.ts";
import type { LIST_FLAGS } from "./flags.ts";

/** `bub config`: every setting in force, where it comes from, secrets hidden. */
export async function showConfig(
  { flags }: ParsedArgs<typeof LIST_FLAGS>,
  context: CommandContext,
): Promise<number> {
  using configuration = await configure(commonFlags(flags), context, { saves: false });
  const { settings, values, configFile, homeProblem } = configuration;
  if (homeProblem !== null) void context.console.complain(homeProblem, "yellow");
  const rows = [
    ...Object.keys(SETTINGS).map((key) => row(key, values.get(key))),
    ...[...values].filter(([key]) => !(key in SETTINGS)).map(([key, value]) => row(key, value)),
  ];
  const { stdout } = context.console;
  if (flags.json === true) {
    const report = {
      home: settings.home ?? null,
      workspace: settings.workspace,
      config_file: configFile ?? null,
      settings: rows,
    };
    await stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    return 0;
  }
  const facts = [
    `home       ${settings.home ?? "none"}`,
    `workspace  ${settings.workspace}`,
    `file       ${configFile ?? "none"}`,
  ];
  await stdout.write(stdout.safe([...facts, "", ...table(rows), ""].join("\n")));
  return 0;
}

interface Row extends JsonObject {
  readonly key: string;
  /** Null: unset. Text in the place of a secret. */
  readonly value: JsonValue;
  readonly origin: string;
}

function row(key: string, set: SettingValue | undefined): Row {
  const spec = settingSpec(key);
  if (set === undefined) return { key, value: spec?.default ?? null, origin: "default" };
  const value = spec?.secret === true ? "(hidden)" : withoutLogins(set.value);
  return { key, value, origin: set.origin };
}

function withoutLogins(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value, hideLogin));
}

function table(rows: readonly Row[]): readonly string[] {
  const width = Math.max(...rows.map(({ key }) => key.length));
  return rows.map(({ key, value, origin }) => {
    const shown = value === null
      ? "(unset)"
      : typeof value === "string"
      ? value
      : JSON.stringify(value);
    return `${key.padEnd(width)}  ${origin.padEnd("environment".length)}  ${shown}`;
  });
}
