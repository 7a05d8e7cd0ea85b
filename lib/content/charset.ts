/** Text made of bytes, with a remark where that took a guess. */
export interface DecodedText {
  readonly text: string;
  /** For the reader: an unknown or wrong charset, bytes that could not be read. */
  readonly note?: string;
}

/** How far into a page browsers look for its `<meta>`. */
const META_BYTES = 1024;

/**
 * The text of a web page or the like. The charset is that of the content type, else of the
 * byte-order mark, else of `<meta>` (or an XML declaration) in the first KB of markup, else UTF-8.
 * One that the bytes plainly contradict gives way to the next. Never throws; with `cut` an
 * incomplete character at the end is dropped.
 */
export function decodeBody(data: Uint8Array, contentType: string, cut: boolean): DecodedText {
  const labels = declaredCharsets(data, contentType);
  const encodings = [...labels.map(encodingOf), "utf-8"].filter((name) => name !== undefined);
  const unknown = labels.find((label) => encodingOf(label) === undefined);
  const fitting = encodings.find((name) => decode(data, name, cut, true) !== undefined);
  const encoding = fitting ?? encodings[0] ?? "utf-8";
  const text = decode(data, encoding, cut, false) ?? "";
  const notes = [
    unknown !== undefined && `unknown charset ${JSON.stringify(unknown)}, read as ${encoding}`,
    fitting === undefined && `bytes that are not ${encoding} are shown as U+FFFD`,
    fitting !== undefined && fitting !== encodings[0] &&
    `the body is not in the declared charset ${encodings[0]}, read as ${encoding}`,
  ].filter((note) => note !== false);
  return notes.length === 0 ? { text } : { text, note: notes.join("; ") };
}

/** The charset label of a content type; undefined when it has none. */
export function charsetParameter(contentType: string): string | undefined {
  const [, double, single, bare] =
    /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i.exec(contentType) ?? [];
  return double ?? single ?? bare;
}

/** The encoding that the byte-order mark of `data` names. */
export function markedEncoding(data: Uint8Array): string | undefined {
  if (data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf) return "utf-8";
  if (data[0] === 0xff && data[1] === 0xfe) return "utf-16le";
  return data[0] === 0xfe && data[1] === 0xff ? "utf-16be" : undefined;
}

/** Labels in the order of their weight. */
function declaredCharsets(data: Uint8Array, contentType: string): string[] {
  const parameter = charsetParameter(contentType);
  const mark = markedEncoding(data);
  const meta = /^$|html|xml/i.test(contentType.split(";", 1)[0] ?? "")
    ? metaCharset(data)
    : undefined;
  // `utf-16` leaves the byte order to the mark.
  const header = parameter?.toLowerCase() === "utf-16" && mark?.startsWith("utf-16")
    ? mark
    : parameter;
  return [header, mark, meta].filter((label) => label !== undefined && label !== "") as string[];
}

function metaCharset(data: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(data.subarray(0, META_BYTES))
    .replaceAll(/<!--[^]*?-->/g, "");
  const label = /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)["']/i.exec(head)?.[1];
  // That the declaration could be read shows that the page is in no such encoding.
  return label !== undefined && /^utf-16/i.test(label) ? "utf-8" : label;
}

/** The name of the encoding that `label` stands for; undefined when there is none. */
function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

/** Undefined when `fatal` and the bytes are no text in that encoding. */
function decode(data: Uint8Array, encoding: string, cut: boolean, fatal: boolean) {
  try {
    return new TextDecoder(encoding, { fatal }).decode(data, { stream: cut });
  } catch {
    return undefined;
  }
}
