import { dirname, join } from "@std/path";
import { parseConfig } from "../lib/config/config_file.ts";
import { parseEnvFile } from "../lib/config/env_file.ts";
import { SETTINGS, type SettingSpec, variableName } from "../lib/config/schema.ts";
import { variableSettings } from "../lib/config/variables.ts";
import { ERROR_KINDS } from "../lib/errors.ts";
import { CALL_STATUSES, TURN_STATUSES } from "../lib/event.ts";
import { isJsonObject } from "../lib/json.ts";
import { PROVIDER_NAMES, providerFacts } from "../lib/model/provider.ts";
import { commandArguments } from "../lib/tool/command_arguments.ts";
import { parseInbound } from "../lib/tool/command_line.ts";
import { parametersOf } from "../lib/tool/parameter.ts";
import { admits } from "../lib/tool/tool.ts";
import { ROOT } from "../scripts/import_map.ts";
import { builtinSchemas, builtinTools } from "../tools/mod.ts";
import { assert, assertEquals } from "./assert.ts";
import { eventFields } from "./docs/event_fields.ts";
import { anchors, blocks, codes, links, type Row, sections } from "./docs/markdown.ts";

const page = (path: string) => Deno.readTextFile(new URL(path, ROOT));
const [configuration, tools, events] = await Promise.all(
  ["configuration", "tools", "events"].map((name) => page(`docs/${name}.md`)),
) as [string, string, string];

/** The rows of one section that have a text in backticks under `column`, by that text. */
function rowsOf(markdown: string, title: string, column: string): ReadonlyMap<string, Row> {
  const found = sections(markdown).find((section) => section.title === title);
  assert(found !== undefined, `there is no section "${title}"`);
  return new Map(
    found.rows.flatMap((row) => codes(row[column] ?? "").slice(0, 1).map((name) => [name, row])),
  );
}

Deno.test("L2 events.md has every event of the union with its fields, and no others", async () => {
  const fields = await eventFields();
  assert(fields.size > 5 && fields.has("result"), [...fields.keys()].join());
  const titles = sections(events).map(({ title }) => title);
  const start = titles.indexOf("Events") + 1;
  const end = titles.indexOf("What you can rely on");
  assertEquals(titles.slice(start, end).sort(), [...fields.keys()].sort());
  for (const [type, names] of fields) {
    assertEquals([...rowsOf(events, type, "field").keys()].sort(), [...names.keys()].sort(), type);
  }
});

Deno.test("L2 events.md has every field of --output json, every status and every error kind", async () => {
  const fields = (await eventFields()).get("result") ?? new Map();
  assertEquals(
    [...rowsOf(events, "One object", "field").keys()].sort(),
    [...fields.keys(), "session_id"].sort(),
  );
  assertEquals([...rowsOf(events, "Error kinds", "kind").keys()], [...ERROR_KINDS]);
  const statuses = (type: string) => codes(rowsOf(events, type, "field").get("status")?.what ?? "");
  assertEquals(statuses("result"), [...TURN_STATUSES]);
  assertEquals(statuses("tool.end"), [...CALL_STATUSES]);
  assertEquals(statuses("step.end"), ["continue", ...TURN_STATUSES]);
});

Deno.test("L2 the example of events.md has exactly the fields of its events", async () => {
  const fields = await eventFields();
  const example = blocks(events).find(({ language }) => language === "jsonl")?.text ?? "";
  const lines = example.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert(lines.length > 10);
  for (const { type, ...rest } of lines) {
    const known = fields.get(type) ?? new Map<string, boolean>();
    const needed = [...known].flatMap(([name, required]) => required || name in rest ? [name] : []);
    assertEquals(Object.keys(rest).sort(), ["session_id", ...needed].sort(), type);
  }
  assertEquals(lines.findIndex(({ type }) => type === "result"), lines.length - 1);
});

Deno.test("L4 configuration.md has every setting with its variable and default, and no others", () => {
  const rows = rowsOf(configuration, "Settings", "key");
  assertEquals([...rows.keys()].sort(), Object.keys(SETTINGS).sort());
  for (const [key, spec] of Object.entries<SettingSpec>(SETTINGS)) {
    const { variable, default: fallback } = rows.get(key) ?? {};
    assertEquals(variable, spec.variable === "none" ? "none" : `\`${variableName(key)}\``, key);
    const expected = spec.default === undefined ? "" : `\`${JSON.stringify(spec.default)}\``;
    assertEquals(fallback, expected, key);
  }
});

Deno.test("L4 configuration.md has an example for every setting in force, and all are right", async () => {
  const rows = sections(configuration).find(({ title }) => title === "Settings")?.rows ?? [];
  const examples = rows.flatMap((row) => codes(row["example in `config.jsonc`"] ?? ""));
  const found = await Promise.all(
    examples.map(async (text) => Object.keys(await parseConfig(`{${text}}`, text))[0]),
  );
  const inForce = rows.filter((row) => row.what !== undefined && row.key !== undefined);
  for (const { key = "" } of inForce) {
    assert(found.includes(codes(key)[0]), `${key} has no example`);
  }
  for (const row of rows) {
    const [variable] = codes(row["the same as a variable"] ?? "");
    if (variable === undefined) continue;
    const [name = "", value = ""] = variable.split(/=(.*)/s);
    const { values, warnings } = variableSettings({ [name]: value.replace(/^'(.*)'$/s, "$1") });
    const [text = ""] = codes(row["example in `config.jsonc`"] ?? "");
    assertEquals(values, JSON.parse(`{${text}}`));
    assertEquals(warnings, []);
  }
});

Deno.test("L4 the files that configuration.md shows are right", async () => {
  for (const { language, text } of blocks(configuration)) {
    if (language === "jsonc") await parseConfig(text, "docs/configuration.md");
  }
  const [, after = ""] = configuration.split("\n## --env-file\n");
  const file = parseEnvFile(blocks(after)[0]?.text ?? "", "docs/configuration.md");
  assertEquals(Object.keys(file).length, 4);
  const variables = Object.entries(file).map(([name, { value }]) => [name, value]);
  const { values } = variableSettings(Object.fromEntries(variables));
  assertEquals(values, { model: "openai:gpt-5.1", completion_args: { temperature: 0.2 } });
});

Deno.test("M1 configuration.md has every provider with its keys and bases", () => {
  const rows = rowsOf(configuration, "Models", "provider");
  assertEquals([...rows.keys()], [...PROVIDER_NAMES]);
  for (const name of PROVIDER_NAMES) {
    const facts = providerFacts(name);
    const row = rows.get(name) ?? {};
    assertEquals(codes(row["key, first wins"] ?? ""), [...facts.keyVariables], name);
    assertEquals(codes(row["default base"] ?? ""), facts.base === undefined ? [] : [facts.base]);
    assertEquals(codes(row["base from"] ?? ""), [...facts.baseVariables], name);
    assert(codes(row["such as"] ?? "")[0]?.startsWith(`${name}:`), name);
  }
});

Deno.test("T1 T3 tools.md has every built-in tool with its parameters and defaults, and no others", () => {
  assertEquals(
    sections(tools)[0]?.rows.flatMap(({ tool = "" }) => codes(tool)),
    builtinTools.map(({ name }) => name),
  );
  for (const { name } of builtinTools) {
    const parameters = parametersOf(builtinSchemas[name] ?? {});
    const rows = rowsOf(tools, name, "parameter");
    assertEquals([...rows.keys()], parameters.map((each) => each.name), name);
    for (const { name: parameter, schema } of parameters) {
      const expected = schema.default === undefined ? "" : `\`${JSON.stringify(schema.default)}\``;
      assertEquals(rows.get(parameter)?.default, expected, `${name} ${parameter}`);
    }
  }
});

Deno.test("T6 tools.md has an example for every tool that is a command, and all of them can be read", () => {
  const lines = blocks(tools).flatMap(({ text }) => text.split("\n"))
    .filter((line) => line.startsWith(","));
  const shown = new Set<string>();
  for (const line of lines) {
    const inbound = parseInbound(line, ",");
    assert(inbound.kind === "command", line);
    const name = /^\S+/.exec(inbound.line)?.[0] ?? "";
    const schema = builtinSchemas[name];
    assert(isJsonObject(schema), line);
    const args = commandArguments({ line: inbound.line, from: name.length, offset: 1 }, schema);
    for (const { name: parameter, required } of parametersOf(schema)) {
      assert(!required || parameter in args, `${line}: ${parameter} is missing`);
    }
    shown.add(name);
  }
  const called = builtinTools.filter((tool) => admits(tool, "command"));
  assertEquals([...shown].sort(), called.map(({ name }) => name).sort());
});

Deno.test("the links between README, CONTRIBUTING, CHANGELOG and docs lead somewhere", async () => {
  const docs = (await Array.fromAsync(Deno.readDir(new URL("docs", ROOT))))
    .flatMap(({ name }) => name.endsWith(".md") ? [`docs/${name}`] : []);
  const pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...docs];
  const texts = new Map(
    await Promise.all(
      pages.map(async (path) => [path, await page(path)] as const),
    ),
  );
  const broken: string[] = [];
  let count = 0;
  for (const [path, text] of texts) {
    for (const link of links(text).filter((link) => !/^[a-z]+:/.test(link))) {
      count++;
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : join(dirname(path), file).replaceAll("\\", "/");
      const exists = texts.has(target) || await isThere(target);
      const known = anchor === undefined || anchors(texts.get(target) ?? "").has(anchor);
      if (!exists || !known) broken.push(`${path}: ${link}`);
    }
  }
  assertEquals(broken, []);
  assert(count > 20, String(count));
});

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.stat(new URL(path, ROOT));
    return true;
  } catch {
    return false;
  }
}
