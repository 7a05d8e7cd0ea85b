import type { OutputStream, Style, TextStream } from "../console.ts";
import { signalExitCode } from "../signals.ts";
import type { ByteSource, ChatInput } from "./input.ts";
import { KeyDecoder } from "./keys.ts";
import { LineEditor, type TerminalSize } from "./line_editor.ts";
import type { ChatPort } from "./port.ts";

const BRACKETED_PASTE_ON = "\x1b[?2004h";
const BRACKETED_PASTE_OFF = "\x1b[?2004l";

/** The part of a terminal's input that switches off its own line editing. */
export interface KeySource extends ByteSource {
  setRaw(on: boolean): void;
}

/**
 * A conversation on a terminal: answers run down the screen, and below them is the line being
 * typed. While somebody types, output waits; it comes when the line is sent or emptied.
 */
export class ChatTerminal implements ChatPort, TextStream, Disposable {
  readonly isInteractive = true;
  readonly notes: TextStream;
  readonly #screen: OutputStream;
  readonly #keys: KeySource;
  readonly #editor: LineEditor;
  #busy = true;
  #held = "";
  #midLine = false;

  /**
   * @param screen The terminal.
   * @param stderr Takes the notes when it is not the same terminal.
   */
  constructor(
    screen: OutputStream,
    stderr: OutputStream,
    keys: KeySource,
    size: () => TerminalSize,
  ) {
    this.#screen = screen;
    this.#keys = keys;
    this.#editor = new LineEditor(screen, size);
    this.notes = stderr.isTerminal ? this : stderr;
    keys.setRaw(true);
    void screen.write(BRACKETED_PASTE_ON);
  }

  get answers(): TextStream {
    return this;
  }

  setBusy(busy: boolean): void {
    this.#busy = busy;
    if (busy) return;
    this.#editor.hide();
    this.#release();
    this.#freshLine();
    this.#editor.show();
  }

  write(text: string): Promise<void> {
    if (this.#editor.isShown && this.#editor.isTyping) {
      this.#held += text;
      return Promise.resolve();
    }
    this.#editor.hide();
    const written = this.#put(text);
    if (!this.#busy) this.#editor.show();
    return written;
  }

  safe(text: string): string {
    return this.#screen.safe(text);
  }

  paint(style: Style, text: string): string {
    return this.#screen.paint(style, text);
  }

  /** Reads keys until the terminal hangs up, and pushes what they come to. */
  async read(push: (input: ChatInput) => void): Promise<void> {
    const decoder = new KeyDecoder();
    const buffer = new Uint8Array(4096);
    for (;;) {
      const count = await this.#readKeys(buffer);
      if (count === null) return push({ type: "terminate", exitCode: signalExitCode("SIGHUP") });
      for (const key of decoder.decode(buffer.subarray(0, count))) {
        const edited = this.#editor.press(key);
        this.#arrange();
        if (edited !== null) push(edited);
      }
    }
  }

  [Symbol.dispose](): void {
    this.#editor.hide();
    this.#release();
    this.#freshLine();
    void this.#screen.write(BRACKETED_PASTE_OFF);
    try {
      this.#keys.setRaw(false);
    } catch {
      // The terminal has hung up.
    }
  }

  /** Null when the terminal has hung up: Ctrl-D is a key here and ends nothing by itself. */
  async #readKeys(buffer: Uint8Array): Promise<number | null> {
    try {
      return await this.#keys.read(buffer);
    } catch {
      return null;
    }
  }

  /** While a turn is under way the line is there only if something stands in it. */
  #arrange(): void {
    if (!this.#editor.isShown) this.#release();
    if (!this.#busy) return;
    if (this.#editor.isTyping && !this.#editor.isShown) {
      this.#freshLine();
      this.#editor.show();
    } else if (!this.#editor.isTyping && this.#editor.isShown) {
      this.#editor.hide();
      this.#release();
    }
  }

  #release(): void {
    const held = this.#held;
    this.#held = "";
    if (held !== "") void this.#put(held);
  }

  #freshLine(): void {
    if (this.#midLine) void this.#put("\n");
  }

  #put(text: string): Promise<void> {
    if (text !== "") this.#midLine = !text.endsWith("\n");
    return this.#screen.write(text);
  }
}
