/** The way to the host: lines with the nonce in front, many in one write. */
export class HelperOutput {
  readonly #encoder = new TextEncoder();
  readonly #nonce = crypto.randomUUID();
  readonly #lost: () => void;
  #waiting = "";
  #writing: Promise<void> | undefined;

  /** `lost`: called where the host reads no longer. */
  constructor(lost: () => void) {
    this.#lost = lost;
  }

  /** Tells the host the nonce, before there is a guest. */
  async open(): Promise<void> {
    await this.#writeAll(this.#encoder.encode(`${this.#nonce}\n`));
  }

  send(line: string): void {
    this.#waiting += `${this.#nonce}${line}\n`;
    this.#writing ??= this.#write();
  }

  /** Resolves when all has been written. */
  async drained(): Promise<void> {
    await this.#writing;
  }

  /** Writes as long as something waits. Not in this thread's time: a slow host stops no watch. */
  async #write(): Promise<void> {
    await undefined;
    while (this.#waiting !== "") {
      const bytes = this.#encoder.encode(this.#waiting);
      this.#waiting = "";
      await this.#writeAll(bytes);
    }
    this.#writing = undefined;
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
    } catch {
      this.#lost();
    }
  }
}
