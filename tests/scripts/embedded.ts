import { Buffer } from "node:buffer";

/** What is used here of the metadata that `deno compile` puts into a program. */
export interface Metadata {
  readonly entrypoint_key: string;
  readonly app_name: string;
  /** By kind, such as `allow_read`: null for nothing, an empty list for everything. */
  readonly permissions: Readonly<Record<string, unknown>> & { readonly prompt: boolean };
  readonly unstable_config: { readonly features: readonly string[] };
}

/** An entry of the embedded folders, as `deno compile` writes it: names, and places of contents. */
interface Entry {
  readonly Dir?: { readonly n: string; readonly e: readonly Entry[] };
  readonly File?: { readonly n: string; readonly o: readonly [offset: number, length: number] };
}

/** The word that opens and closes the data of `deno compile` inside of the program. */
const MARK = "d3n0l4nd";

/** Where packages of npm lie in the program. */
const PACKAGES = ".deno_compile_node_modules/";

/** What `deno compile` has put into a program, read without starting it. */
export class Embedded {
  readonly metadata: Metadata;
  readonly #files = new Map<string, Uint8Array>();

  constructor(program: Uint8Array<ArrayBuffer>) {
    const data = Buffer.from(program.buffer, program.byteOffset, program.byteLength);
    const end = data.lastIndexOf(MARK);
    const text = (from: number, length: number) => data.toString("utf8", from, from + length);
    const length = (at: number) => Number(data.readBigUInt64LE(at));
    const start = startOf(data, end);
    this.metadata = JSON.parse(text(start + 16, length(start + 8)));
    // Folders and files are JSON behind its length; the contents follow, behind theirs.
    const folders = data.lastIndexOf('[{"Dir":{"n":".deno"', end);
    const contents = folders + length(folders - 8) + 8;
    const entries: readonly Entry[] = JSON.parse(text(folders, length(folders - 8)));
    this.#add(entries, "", data.subarray(contents, end));
  }

  /** The paths of the files, those of npm packages aside. */
  get ownFiles(): readonly string[] {
    return this.#files.keys().filter((path) => !path.startsWith(PACKAGES)).toArray().sort();
  }

  /** The files of npm packages, such as `zod/4.6.7/package.json`: without the registry's name. */
  get packageFiles(): readonly string[] {
    return this.#files.keys().filter((path) => path.startsWith(PACKAGES))
      .map((path) => path.slice(PACKAGES.length).replace(/^[^/]+\//, "")).toArray().sort();
  }

  /** The text of a file. */
  text(path: string): string {
    const bytes = this.#files.get(path);
    if (bytes === undefined) throw new Error(`${path} is not in the program`);
    return new TextDecoder().decode(bytes);
  }

  #add(entries: readonly Entry[], folder: string, contents: Uint8Array): void {
    for (const { Dir, File } of entries) {
      if (Dir !== undefined) this.#add(Dir.e, `${folder}${Dir.n}/`, contents);
      if (File === undefined) continue;
      const [offset, length] = File.o;
      this.#files.set(`${folder}${File.n}`, contents.subarray(offset, offset + length));
    }
  }
}

/** Where the data of `deno compile` begins: the last mark with the metadata behind it. */
function startOf(data: Buffer, end: number): number {
  let start = end;
  do {
    start = data.lastIndexOf(MARK, start - 1);
    if (start === -1) throw new Error("nothing of deno compile is in this file");
  } while (!data.subarray(start + 16, start + 25).equals(Buffer.from('{"argv":[')));
  return start;
}
