import { alternatives, closeMatches, editDistance } from "../close_match.ts";
import { BubError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { quote } from "./quote.ts";
import { ToolSchemas } from "./schema.ts";
import { admits, type Caller, modelAlias, type Tool } from "./tool.ts";

/** The tools of one session or scope, found by either form of their name, in any case. */
export interface ToolSet {
  readonly tools: readonly Tool[];
  /** Whether the model calls `run_code` alone, whose code calls the others (C1). */
  readonly codeMode: boolean;
  /** The tool that runs code. */
  readonly codeRunner: Tool | undefined;
  find(name: string): Tool | undefined;
  /** Runtime names near `name`, best first, at most three. */
  suggest(name: string): readonly string[];
  /** JSON Schema of the arguments, as models are told it. */
  schema(tool: Tool): Promise<JsonObject>;
  /**
   * Whether the model is given the tool's schema, to call it or to have its code call it: a
   * deferred tool's only once it is loaded (S3).
   */
  offers(tool: Tool): boolean;
  /** The tools that a caller knows of, those it would have to load first included. */
  knownTo(caller: Caller): readonly Tool[];
}

/** What providers take as the name of a function, dots apart. */
const TOOL_NAME = /^[a-z_][\w-]*(\.[\w-]+)*$/i;
const MAX_NAME_LENGTH = 64;

/** The tool that loads deferred ones. */
const LOADER = "tool.describe";

/** The tool that runs code. */
const CODE_RUNNER = "run_code";

/** How many known tools an error lists. */
const SHOWN_NAMES = 20;

/** What a session makes of its tools. */
interface RegistryState {
  /** The deferred tools that the model has asked for. */
  readonly loaded: ReadonlySet<Tool>;
  readonly codeMode: boolean;
}

/** A fixed list of tools. */
export class ToolRegistry implements ToolSet {
  readonly tools: readonly Tool[];
  readonly codeMode: boolean;
  readonly codeRunner: Tool | undefined;
  readonly #byAlias = new Map<string, Tool>();
  readonly #schemas: ToolSchemas;
  readonly #state: RegistryState;

  /**
   * Of tools with the same name the last one counts: plugins come after what they override.
   * Throws `config` for a name that models cannot be given, and for two names with one alias
   * (`fs.read` and `fs_read`).
   */
  constructor(
    tools: Iterable<Tool>,
    schemas: ToolSchemas = new ToolSchemas(),
    state: RegistryState = { loaded: new Set(), codeMode: false },
  ) {
    for (const tool of tools) {
      checkName(tool.name);
      const alias = aliasKey(tool.name);
      const earlier = this.#byAlias.get(alias);
      if (earlier !== undefined && earlier.name.toLowerCase() !== tool.name.toLowerCase()) {
        throw new BubError(
          "config",
          `the tools ${earlier.name} and ${tool.name} would both be ${alias} to the model; ` +
            `one of them needs another name`,
        );
      }
      this.#byAlias.set(alias, tool);
    }
    this.tools = [...this.#byAlias.values()];
    this.#schemas = schemas;
    this.#state = state;
    this.codeRunner = this.find(CODE_RUNNER);
    this.codeMode = state.codeMode && this.codeRunner !== undefined;
  }

  find(name: string): Tool | undefined {
    return this.#byAlias.get(aliasKey(name.trim()));
  }

  suggest(name: string): readonly string[] {
    return suggestTools(name, this.tools);
  }

  schema(tool: Tool): Promise<JsonObject> {
    return this.#schemas.of(tool);
  }

  /** Where nothing can load a deferred tool, it is offered from the start. */
  offers(tool: Tool): boolean {
    if (tool === this.codeRunner) return this.codeMode;
    switch (tool.exposure) {
      case "default":
        return true;
      case "deferred":
        return this.#state.loaded.has(tool) || this.find(LOADER) === undefined;
      case "code":
        return this.codeMode;
      case "command":
        return false;
    }
  }

  knownTo(caller: Caller): readonly Tool[] {
    if (caller === "command") return this.tools.filter((tool) => admits(tool, caller));
    if (caller === "model" && this.codeMode) {
      return this.tools.filter((tool) => tool === this.codeRunner);
    }
    return this.tools.filter((tool) => admits(tool, caller) && tool !== this.codeRunner);
  }

  /** The tools of a turn: those the model knows of, in code mode those its code does too. */
  forTurn(): readonly Tool[] {
    const known = this.knownTo("model");
    return this.codeMode ? [...known, ...this.knownTo("code")] : known;
  }

  /** The tools whose schemas a model is given to call them itself. */
  forModel(): readonly Tool[] {
    return this.knownTo("model").filter((tool) => this.offers(tool));
  }

  /** The tools that code may call now, in code mode or out of it. */
  forCode(): readonly Tool[] {
    return this.knownTo("code").filter((tool) => tool.exposure !== "deferred" || this.offers(tool));
  }

  /** The tools a model knows by name alone, until it asks for them; loaded ones are among them. */
  deferred(): readonly Tool[] {
    if (this.find(LOADER) === undefined) return [];
    return this.tools.filter(({ exposure }) => exposure === "deferred");
  }

  /** The same tools, of which the named deferred ones are loaded; unknown names say nothing. */
  load(names: Iterable<string>): ToolRegistry {
    const loaded = new Set([...names].flatMap((name) => this.find(name) ?? []));
    return new ToolRegistry(this.tools, this.#schemas, { ...this.#state, loaded });
  }

  /** The same tools in code mode, or out of it; without `run_code` there is no such mode. */
  inCodeMode(codeMode: boolean): ToolRegistry {
    if (codeMode === this.codeMode) return this;
    return new ToolRegistry(this.tools, this.#schemas, { ...this.#state, codeMode });
  }

  /**
   * Only the named tools, in the order they have here; in code mode also the one that calls them.
   * Throws `config` for an unknown name, and outside code mode for what is there in it alone.
   */
  scope(names: Iterable<string>): ToolRegistry {
    const wanted = new Set<Tool>();
    for (const name of names) {
      const tool = this.find(name);
      if (tool === undefined) {
        throw new BubError("config", unknownTool(name, this.tools));
      }
      if (!this.codeMode && (tool === this.codeRunner || tool.exposure === "code")) {
        const message = `${tool.name} is there in code mode only, which is off; --code-mode ` +
          "switches it on";
        throw new BubError("config", message);
      }
      wanted.add(tool);
    }
    const runner = this.codeMode && wanted.size > 0 ? this.codeRunner : undefined;
    const kept = this.tools.filter((tool) => wanted.has(tool) || tool === runner);
    return new ToolRegistry(kept, this.#schemas, this.#state);
  }
}

/** What a person or script is shown of a tool. */
export interface ToolDescription {
  readonly name: string;
  /** The name models use. */
  readonly alias: string;
  readonly exposure: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
}

export async function describeTool(tools: ToolSet, tool: Tool): Promise<ToolDescription> {
  const { name, exposure, description } = tool;
  const parameters = await tools.schema(tool);
  return { name, alias: modelAlias(name), exposure, description, parameters };
}

/**
 * Runtime names that `name` was probably meant to be, best first, at most three: misspelt ones,
 * then those that share a word with it (`read_file` and `fs.read`, others of one family).
 */
export function suggestTools(name: string, tools: readonly Tool[]): readonly string[] {
  const wanted = aliasKey(name);
  const words = new Set(wanted.split("_").filter((word) => word !== ""));
  const names = new Map(tools.map((tool) => [aliasKey(tool.name), tool.name]));
  const related = [...names.keys()]
    .filter((alias) => alias.split("_").some((word) => words.has(word)))
    .map((alias) => ({ alias, distance: editDistance(wanted, alias) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ alias }) => alias);
  const found = new Set([...closeMatches(wanted, names.keys()), ...related]);
  return [...found].slice(0, 3).map((alias) => names.get(alias) ?? alias);
}

/**
 * One sentence for a name that is no tool: the close ones, and some that there are. `show` turns
 * a runtime name into the form the reader uses.
 */
export function unknownTool(
  name: string,
  tools: readonly Tool[],
  show: (name: string) => string = (name) => name,
): string {
  const given = name.trim() === "" ? "a call without a tool name" : `unknown tool ${quote(name)}`;
  const close = suggestTools(name, tools).map(show);
  const meant = close.length === 0 ? "" : `, did you mean ${alternatives(close)}?`;
  const known = tools.slice(0, SHOWN_NAMES).map((tool) => show(tool.name)).join(", ") || "none";
  const more = tools.length > SHOWN_NAMES ? ` and ${tools.length - SHOWN_NAMES} more` : "";
  return `${given}${meant === "" ? ";" : meant} known tools: ${known}${more}`;
}

/** How a model calls a tool: by its alias, in code mode as a member of `tools`. */
export function calledAs(name: string, { codeMode }: ToolSet): string {
  const alias = modelAlias(name);
  if (!codeMode) return alias;
  return /^\w+$/.test(alias) ? `tools.${alias}` : `tools[${JSON.stringify(alias)}]`;
}

/** The form in which names are compared: alias, lower case. */
function aliasKey(name: string): string {
  return modelAlias(name).toLowerCase();
}

function checkName(name: string): void {
  if (TOOL_NAME.test(name) && name.length <= MAX_NAME_LENGTH) return;
  throw new BubError(
    "config",
    `no model can be given a tool named ${quote(name)}; names are up to ${MAX_NAME_LENGTH} ` +
      `letters, digits, _ and -, with dots between words`,
  );
}
