import { RawServer, respond } from "../environment/raw_server.ts";

/** What is wrong with a release, or with the way to it. */
export interface Fault {
  /** SHA256SUMS in place of the right one. */
  readonly sums?: string;
  /** What is sent of the program in place of all of it, while the head promises the whole. */
  readonly cutAt?: number;
  /** Called when half of the program has been sent; the rest never comes. */
  readonly halfWay?: (connection: Deno.TcpConn) => Promise<void>;
}

/** Version of the releases here. */
export const RELEASED = "0.1.0";

/** What may be meant by `BUB_RELEASES`. */
export const TAKEN_ADDRESSES = [
  "https://example.com/a/b/releases",
  "https://a-b.example:8443/~a/b%20c",
  "http://localhost:8000",
];

/** What may not: it is not safe on its way, or can be read in two ways. */
export const REFUSED_ADDRESSES = [
  "http://example.com/releases",
  "http://127.0.0.1:1@example.com/releases",
  "http://127.0.0.1:1.example.com/releases",
  "http://localhost:80\\@example.com/",
  "http://localhost.example.com:1/",
  "http://127.0.0.1/",
  "http://localhost:/",
  "https://127.0.0.1:1@example.com/releases",
  "https:///releases",
  "https://",
  "https://example.com/?a",
  "https://example.com/\nhttp://example.com/",
  "https://example.com/ ",
  "ftp://example.com/",
  "file:///releases",
  "--upload-file",
];

/** The releases of a repository on a loopback server, with one program in the newest. */
export class Releases implements AsyncDisposable {
  readonly #server: RawServer;

  private constructor(server: RawServer) {
    this.#server = server;
  }

  static async open(name: string, program: string, fault: Fault = {}): Promise<Releases> {
    const bytes = new TextEncoder().encode(program);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    const sums = fault.sums ?? `${"0".repeat(64)}  ${name}.sig\n${digest}  ${name}\n`;
    const folders = ["/latest/download", `/download/v${RELEASED}`];
    return new Releases(
      new RawServer(async ({ path, connection }) => {
        const file = path.slice(path.lastIndexOf("/") + 1);
        const known = folders.includes(path.slice(0, path.lastIndexOf("/")));
        if (known && file === "SHA256SUMS") await respond(connection, "200 OK", [], sums);
        else if (known && file === name) await sendProgram(connection, program, fault);
        else await respond(connection, "404 Not Found", [], "Not Found");
      }),
    );
  }

  /** What `BUB_RELEASES` is set to. */
  get address(): string {
    return this.#server.url;
  }

  /** The paths that were asked for. */
  get paths(): readonly string[] {
    return this.#server.requests.map(({ path }) => path);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}

async function sendProgram(connection: Deno.TcpConn, program: string, fault: Fault): Promise<void> {
  const { halfWay, cutAt = halfWay && program.length / 2 } = fault;
  const headers = [`Content-Length: ${program.length}`];
  await respond(connection, "200 OK", headers, program.slice(0, cutAt));
  await halfWay?.(connection);
}
