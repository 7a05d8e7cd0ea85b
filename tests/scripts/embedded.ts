import { Buffer } from "node:buffer";

/** What is used here of the metadata that `deno compile` puts into a program. */
export interface Metadata {
  readonly entrypoint_key: string;
  /** By kind, such as `allow_read`: null for nothing, an empty list for everything. */
  readonly permissions: Readonly<Record<string, unknown>> & { readonly prompt: boolean };
  readonly unstable_config: { readonly features: readonly string[] };
}

export interface Embedded {
  readonly metadata: Metadata;
  /** Names of the embedded files, without their folders. */
  readonly fileNames: ReadonlySet<string>;
}

/** The word that opens and closes the data of `deno compile` inside of the program. */
const MARK = "d3n0l4nd";

/** Reads what `deno compile` has embedded, without starting the program. */
export function readEmbedded(program: Uint8Array<ArrayBuffer>): Embedded {
  const data = Buffer.from(program.buffer, program.byteOffset, program.byteLength);
  const end = data.lastIndexOf(MARK);
  let start = end;
  do {
    start = data.lastIndexOf(MARK, start - 1);
    if (start === -1) throw new Error("nothing of deno compile is in this file");
  } while (!data.subarray(start + 16, start + 25).equals(Buffer.from('{"argv":[')));
  const length = Number(data.readBigUInt64LE(start + 8));
  const metadata: Metadata = JSON.parse(data.toString("utf8", start + 16, start + 16 + length));
  // The folders and files are JSON too, in which every name is the member "n".
  const names = data.toString("latin1", start + 16 + length, end).matchAll(/"n":"([^"\\]+)"/g);
  return { metadata, fileNames: new Set(Array.from(names, ([, name = ""]) => name)) };
}
