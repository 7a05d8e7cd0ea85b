import { resolve } from "@std/path";
import type { Settings } from "../../config/settings.ts";
import { hostFetch } from "../../environment/host_fetch.ts";
import { adoptProxyVariables } from "../../environment/proxy.ts";
import { BubError, toBubError } from "../../errors.ts";
import type { JsonObject } from "../../json.ts";
import { loadAdapter } from "../../model/adapter.ts";
import { type ModelAccess, modelAccess } from "../../model/resolve.ts";
import { hideLogin } from "../../model/secret.ts";
import { ModelSource } from "../../model/source.ts";
import { openReplays } from "../../recordings.ts";
import { readTapeFile } from "../../tape/recording_file.ts";
import type { Section } from "./section.ts";

/** How long the server may take to answer, in ms. */
const ANSWER_MS = 5_000;

/** Which model answers, what it needs, and unless `offline` whether its server is there. */
export async function modelSection(
  settings: Settings,
  { offline }: { readonly offline: boolean },
): Promise<Section> {
  const { model = null, modelOrigin, fallbackModels } = settings;
  const chosen = { model, from: modelOrigin, fallback_models: fallbackModels };
  const section = (facts: JsonObject, problem?: string) => ({
    name: "model",
    facts: { ...chosen, ...facts },
    problems: problem === undefined ? [] : [problem],
  });
  try {
    const access = modelAccess(requireModel(settings), settings);
    if ("recording" in access) {
      const recording = resolve(settings.workspace, access.recording);
      await readFirst(recording);
      return section({ recording });
    }
    const { answer, problem } = offline ? { answer: "not asked" } : await ask(access, settings);
    const key = access.apiKey === undefined ? "none" : "known";
    return section({ address: shownAddress(access.baseURL), key, answer }, problem);
  } catch (thrown) {
    if (thrown instanceof BubError) return section({}, thrown.message);
    throw thrown;
  }
}

/** `host:port` of the server that the model is asked at; undefined: there is none, or it is unknown. */
export function serverOf(settings: Settings): string | undefined {
  try {
    const access = modelAccess(settings.model ?? "", settings);
    if ("recording" in access) return undefined;
    const { protocol, hostname, port } = new URL(access.baseURL);
    return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  } catch (thrown) {
    if (!(thrown instanceof BubError)) throw thrown;
    return undefined;
  }
}

/** Throws `config` as a run would: for the model, and for those it falls back to. */
function requireModel(settings: Settings): string {
  const replays = openReplays(settings.workspace);
  const options = { replay: (file: string) => replays.model(file), recorder: undefined };
  new ModelSource(settings, options).model(settings.model);
  return settings.model ?? "";
}

/** Reads the first entry of a recording. Throws `config`. */
async function readFirst(file: string): Promise<void> {
  for await (const _entry of readTapeFile(file)) return;
}

interface Answer {
  /** Null: there was none. */
  readonly answer: string | null;
  readonly problem?: string;
}

/** Asks for the list of models: it costs nothing, and most servers look at the key for it. */
async function ask(access: ModelAccess, { env }: Settings): Promise<Answer> {
  const { adapter, baseURL, provider, client: { query } } = access;
  const url = new URL(`${baseURL}/models`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const check = ({ origin }: URL) => {
    if (origin === url.origin) return;
    throw new BubError("tool", `it redirects to ${origin}, where no key is sent`);
  };
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    await loadAdapter(adapter);
    adoptProxyVariables(env);
    const request = { headers: authorization(access), maxBytes: 1, signal };
    const { status } = await hostFetch(url.href, request, { check, env });
    return judged(status, access);
  } catch (thrown) {
    const { kind, message } = toBubError(thrown);
    if (kind === "config") return { answer: null, problem: message };
    const reason = signal.aborted ? `no answer within ${ANSWER_MS / 1000} s` : message;
    const where = shownAddress(baseURL);
    return { answer: null, problem: `${provider} cannot be asked at ${where}: ${reason}` };
  }
}

function judged(status: number, { provider, apiKey }: ModelAccess): Answer {
  const answer = `status ${status}`;
  if (status === 401 || status === 403) {
    const what = apiKey === undefined ? "wants a key" : "refuses the key";
    return { answer, problem: `${provider} ${what} (${answer}); set one that is valid` };
  }
  if (status < 500) return { answer };
  return { answer, problem: `${provider} fails at the moment (${answer}); try again later` };
}

/** The headers that carry the key, as each kind of API has them, and those of `BUB_CLIENT_ARGS`. */
function authorization({ adapter, apiKey, client }: ModelAccess): Headers {
  const headers = new Headers(client.headers);
  if (apiKey === undefined) return headers;
  switch (adapter) {
    case "chat":
    case "responses":
      headers.set("authorization", `Bearer ${apiKey}`);
      break;
    case "messages":
      headers.set("x-api-key", apiKey);
      headers.set("anthropic-version", "2023-06-01");
      break;
    case "gemini":
      headers.set("x-goog-api-key", apiKey);
  }
  return headers;
}

function shownAddress(address: string): string {
  return String(hideLogin("", address));
}
