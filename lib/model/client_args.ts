import { BubError } from "../errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** What the client of a provider can be told (`BUB_CLIENT_ARGS`). */
export interface ClientArgs {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Seconds without any data after which a call fails; undefined: the default. */
  readonly timeout: number | undefined;
}

/** The names of each setting; those of Python's clients are taken too. */
const NAMES = {
  headers: ["headers", "default_headers", "extra_headers"],
  query: ["query", "default_query", "extra_query"],
  timeout: ["timeout"],
  organization: ["organization"],
  project: ["project"],
} as const;

/** Reads `BUB_CLIENT_ARGS`. Throws `config` for members it does not know or cannot use. */
export function parseClientArgs(args: JsonObject): ClientArgs {
  const known: readonly string[] = Object.values(NAMES).flat();
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new BubError(
      "config",
      `client_args has the unknown member ${JSON.stringify(unknown)}; known are ${
        known.join(", ")
      }`,
    );
  }
  const { organization, project, timeout } = args;
  return {
    headers: {
      ...(organization === undefined ? {} : { "OpenAI-Organization": String(organization) }),
      ...(project === undefined ? {} : { "OpenAI-Project": String(project) }),
      ...texts(args, NAMES.headers),
    },
    query: texts(args, NAMES.query),
    timeout: seconds(timeout),
  };
}

function texts(args: JsonObject, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = args[name];
    if (value === undefined || value === null) continue;
    if (!isJsonObject(value)) throw wrong(name, value, "an object of texts");
    for (const [key, text] of Object.entries(value)) {
      if (typeof text === "object" && text !== null) throw wrong(`${name}.${key}`, text, "a text");
      found[key] = String(text);
    }
  }
  return found;
}

function seconds(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && value > 0) return value;
  throw wrong("timeout", value, "a positive number of seconds");
}

function wrong(name: string, value: JsonValue, right: string): BubError {
  return new BubError(
    "config",
    `client_args.${name} is ${JSON.stringify(value)}; it must be ${right}`,
  );
}
