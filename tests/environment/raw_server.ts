/** What a request asked for: its path, its header lines and its connection. */
export interface RawRequest {
  readonly path: string;
  /** The whole head, as it came. */
  readonly head: string;
  readonly connection: Deno.TcpConn;
}

/**
 * A loopback server that writes exactly the bytes it is told to: HTTP libraries refuse to be as
 * wrong as real servers are. Each connection takes one request and is closed after its answer.
 */
export class RawServer implements AsyncDisposable {
  readonly url: string;
  readonly requests: RawRequest[] = [];
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #answer: (request: RawRequest) => Promise<void>;
  readonly #running: Promise<void>;
  #closed = false;

  constructor(answer: (request: RawRequest) => Promise<void>) {
    this.#answer = answer;
    this.url = `http://127.0.0.1:${this.#listener.addr.port}`;
    this.#running = this.#serve();
  }

  async #serve(): Promise<void> {
    const open: Promise<void>[] = [];
    for await (const connection of this.#listener) open.push(this.#take(connection));
    await Promise.all(open);
  }

  async #take(connection: Deno.TcpConn): Promise<void> {
    try {
      const head = await readHead(connection);
      const path = head.split(" ")[1] ?? "";
      const request = { path, head, connection };
      this.requests.push(request);
      await this.#answer(request);
    } catch {
      // The client hung up, which some tests are about.
    } finally {
      connection.close();
    }
  }

  /** Takes no more connections and waits for those there are; fine to do twice. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#closed) this.#listener.close();
    this.#closed = true;
    await this.#running;
  }
}

async function readHead(connection: Deno.TcpConn): Promise<string> {
  const decoder = new TextDecoder("latin1");
  const buffer = new Uint8Array(64 * 1024);
  let head = "";
  while (!head.includes("\r\n\r\n")) {
    const read = await connection.read(buffer);
    if (read === null) break;
    head += decoder.decode(buffer.subarray(0, read));
  }
  return head;
}

/** Sends a status line, header lines and a body, and resolves when all is written. */
export async function respond(
  connection: Deno.TcpConn,
  status: string,
  headers: readonly string[],
  body: string | Uint8Array = "",
): Promise<void> {
  const lines = [`HTTP/1.1 ${status}`, "Connection: close", ...headers, "", ""];
  await send(connection, lines.join("\r\n"));
  await send(connection, body);
}

export async function send(connection: Deno.TcpConn, data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
}

/** Resolves when the client has closed its side. */
export async function closedByClient(connection: Deno.TcpConn): Promise<void> {
  try {
    while (await connection.read(new Uint8Array(1024)) !== null);
  } catch {
    // Reset: closed as well.
  }
}
