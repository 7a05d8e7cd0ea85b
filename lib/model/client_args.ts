import { isJsonObject, type JsonObject } from "../json.ts";

/** What the client of a provider can be told (`BUB_CLIENT_ARGS`). */
export interface ClientArgs {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Seconds without any data after which a call fails; undefined: the default. */
  readonly timeout: number | undefined;
}

/** The names of each member; those of Python's clients are taken too. */
export const CLIENT_ARG_NAMES = {
  headers: ["headers", "default_headers", "extra_headers"],
  query: ["query", "default_query", "extra_query"],
  timeout: ["timeout"],
  organization: ["organization"],
  project: ["project"],
} as const;

/**
 * Reads `BUB_CLIENT_ARGS`, which the configuration has checked. Members that are null count as left
 * out; what is written under several names is put together.
 */
export function parseClientArgs(args: JsonObject): ClientArgs {
  const { organization, project, timeout } = args;
  return {
    headers: {
      ...texts({ "OpenAI-Organization": organization, "OpenAI-Project": project }),
      ...Object.assign({}, ...CLIENT_ARG_NAMES.headers.map((name) => texts(args[name]))),
    },
    query: Object.assign({}, ...CLIENT_ARG_NAMES.query.map((name) => texts(args[name]))),
    timeout: typeof timeout === "number" ? timeout : undefined,
  };
}

function texts(value: JsonObject[string]): Record<string, string> {
  if (!isJsonObject(value)) return {};
  const given = Object.entries(value).filter(([, text]) => text !== undefined && text !== null);
  return Object.fromEntries(given.map(([name, text]) => [name, String(text)]));
}
