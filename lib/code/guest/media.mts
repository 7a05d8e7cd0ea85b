/** Where the bytes of media are; exactly one of them. */
const SOURCES = ["path", "url", "data"] as const;
type SourceName = typeof SOURCES[number];

/**
 * What a tool is given to attach: a file's path, an address, or the bytes in base64. As JSON it is
 * what it was made of.
 */
class Media {
  readonly #json: { readonly [name: string]: string } = {};

  constructor(source: unknown) {
    this.#json = checked(new.target.name, source);
    Object.assign(this, this.#json);
  }

  toJSON(): { readonly [name: string]: string } {
    return this.#json;
  }
}

export class Image extends Media {}
export class Audio extends Media {}
export class Video extends Media {}

function checked(name: string, source: unknown): { readonly [name: string]: string } {
  const usage = `new ${name}(…) takes {path}, {url} or {data}, and mediaType if it is known`;
  if (typeof source !== "object" || source === null) throw new TypeError(usage);
  const given = Object.entries(source).filter(([, value]) => value !== undefined);
  const names = given.map(([key]) => key);
  if (names.filter((key) => SOURCES.includes(key as SourceName)).length !== 1) {
    throw new TypeError(`${usage}; got {${names.join(", ")}}`);
  }
  return Object.fromEntries(given.map(([key, value]) => [key, member(usage, key, value)]));
}

function member(usage: string, key: string, value: unknown): string {
  if (key !== "mediaType" && !SOURCES.includes(key as SourceName)) {
    throw new TypeError(`${usage}; it does not take ${key}`);
  }
  if (key === "data" && value instanceof Uint8Array) return value.toBase64();
  if (typeof value === "string" && value !== "") return value;
  const wanted = key === "data" ? "text in base64, or a Uint8Array" : "text";
  throw new TypeError(`${usage}; ${key} must be ${wanted}`);
}
