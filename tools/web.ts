import { BubError } from "../lib/errors.ts";
import { decodeBody } from "../lib/content/charset.ts";
import { binaryType } from "../lib/content/media_type.ts";
import type { FetchResult } from "../lib/environment/environment.ts";
import type { JsonObject } from "../lib/json.ts";
import { defineTool } from "../lib/tool/tool.ts";

const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** What a page that says what went wrong may take of the model's attention, in UTF-16 units. */
const MAX_ERROR_BODY = 16 * 1024;
/** A longer timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What the connection sets itself: a caller's value would be ignored or break the request. */
const CONNECTION_HEADERS = [
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

export const webFetch = defineTool({
  name: "web.fetch",
  description: "Gets a page or file by HTTP; the body as text, at most 10 MiB.",
  parameters: (z) =>
    z.object({
      url: z.string().describe("http: or https: address"),
      headers: z.record(z.string(), z.string()).nullable().default(null)
        .describe("Request headers; default Accept: text/markdown"),
      timeout: z.number().positive().default(10).describe("Seconds for the whole request"),
    }),
  async run({ url, headers, timeout }, { environment, signal }) {
    const limit = AbortSignal.timeout(Math.min(Math.ceil(timeout * 1000), MAX_TIMER_MS));
    const options = {
      headers: requestHeaders(headers ?? {}),
      maxBytes: MAX_BODY_BYTES,
      signal: AbortSignal.any([signal, limit]),
    };
    try {
      return answer(await environment.fetch(url, options));
    } catch (cause) {
      if (!limit.aborted || signal.aborted || cause instanceof BubError) throw cause;
      throw new BubError("timeout", `timed out after ${timeout} s`, { cause });
    }
  },
});

/** The caller's headers over the defaults, one value each, whatever their case. */
function requestHeaders(given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers({ Accept: "text/markdown" });
  for (const [name, value] of Object.entries(given)) {
    if (CONNECTION_HEADERS.includes(name.toLowerCase())) {
      throw new BubError("invalid_input", `header ${name} is set by the connection; leave it out`);
    }
    try {
      headers.set(name, value);
    } catch (cause) {
      const pair = `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
      throw new BubError("invalid_input", `header ${pair} has characters that HTTP forbids`, {
        cause,
      });
    }
  }
  return headers;
}

/** The result of a good answer; throws `tool` with the same fields for one that is not 2xx. */
function answer(response: FetchResult): JsonObject {
  const { url, status } = response;
  const fields = { url, status, content_type: contentType(response), ...content(response) };
  if (status >= 200 && status < 300) return fields;
  throw new BubError("tool", `${url} answered with status ${status}`, {
    details: shortened(fields),
  });
}

function contentType({ headers }: FetchResult): string {
  return headers.get("content-type") ?? "";
}

interface Content {
  readonly body: string;
  readonly truncated?: true;
  readonly note?: string;
}

function content(response: FetchResult): Content {
  const { body: data, truncated } = response;
  const mark = truncated ? { truncated } as const : {};
  const binary = binaryType(data, contentType(response));
  if (binary !== undefined) {
    const size = `${truncated ? "more than " : ""}${data.length}`;
    const unit = size === "1" ? "byte" : "bytes";
    return { body: "", ...mark, note: `not text: ${binary}, ${size} ${unit}` };
  }
  const { text, note } = decodeBody(data, contentType(response), truncated);
  const notes = [truncated && `cut after ${data.length} bytes`, note].filter(Boolean);
  return { body: text, ...mark, ...notes.length > 0 && { note: notes.join("; ") } };
}

/** Error pages can be as long as any other, and an error is passed on whole. */
function shortened(fields: Content & JsonObject): JsonObject {
  if (fields.body.length <= MAX_ERROR_BODY) return fields;
  const end = fields.body.slice(0, MAX_ERROR_BODY).toWellFormed().replace(/\uFFFD$/, "");
  return { ...fields, body: end, truncated: true };
}
