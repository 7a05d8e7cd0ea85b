import { terminalText } from "../../tool/terminal_text.ts";
import type { TextStream } from "../console.ts";
import { EditBuffer } from "./edit_buffer.ts";
import type { Key } from "./keys.ts";
import { layOut } from "./text_width.ts";

const PROMPT = "> ";

/** How many messages the arrow keys reach back to. */
const HISTORY_LENGTH = 1000;

/** What a key led to; null: nothing but a change of the line. */
export type Edited = { readonly type: "line"; readonly text: string } | {
  readonly type: "interrupt" | "end";
} | null;

/** The size of a terminal, in cells. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** A line of input at the bottom of a terminal: edits it by keys and draws it. */
export class LineEditor {
  readonly #screen: TextStream;
  readonly #size: () => TerminalSize;
  readonly #buffer = new EditBuffer();
  readonly #history: string[] = [];
  /** Place in the history; its length: the line that is being written. */
  #at = 0;
  /** The line being written while older ones are looked at. */
  #draft = "";
  #shown = false;
  /** The row of the cursor within what is drawn. */
  #cursorRow = 0;

  constructor(screen: TextStream, size: () => TerminalSize) {
    this.#screen = screen;
    this.#size = size;
  }

  /** Whether something stands in the line. */
  get isTyping(): boolean {
    return !this.#buffer.isEmpty;
  }

  get isShown(): boolean {
    return this.#shown;
  }

  /** Draws the line where the cursor is. */
  show(): void {
    if (this.#shown) return;
    this.#shown = true;
    this.#cursorRow = 0;
    this.#draw();
  }

  /** Takes the line off the screen; what comes next is written in its place. */
  hide(): void {
    if (!this.#shown) return;
    this.#shown = false;
    void this.#screen.write(`${up(this.#cursorRow)}\r\x1b[J`);
  }

  press(key: Key): Edited {
    const buffer = this.#buffer;
    if (key.type === "text") buffer.insert(key.text);
    else {
      switch (key.name) {
        case "enter":
          return this.#submit();
        case "interrupt":
          if (buffer.isEmpty) return { type: "interrupt" };
          buffer.set("");
          break;
        case "end-of-input":
          if (buffer.isEmpty) return { type: "end" };
          buffer.delete();
          break;
        case "up":
          this.#recall(this.#at - 1);
          break;
        case "down":
          this.#recall(this.#at + 1);
          break;
        case "clear-screen":
          void this.#screen.write("\x1b[H\x1b[2J");
          this.#cursorRow = 0;
          break;
        default:
          edit(buffer, key.name);
      }
    }
    if (this.#shown) this.#draw();
    return null;
  }

  #submit(): Edited {
    const { text } = this.#buffer;
    if (this.#shown) {
      // The line stays where it was typed.
      this.#buffer.move(Infinity);
      this.#draw();
      void this.#screen.write("\r\n");
    }
    this.#shown = false;
    this.#buffer.set("");
    if (text.trim() !== "" && this.#history.at(-1) !== text) this.#history.push(text);
    if (this.#history.length > HISTORY_LENGTH) this.#history.shift();
    this.#at = this.#history.length;
    this.#draft = "";
    return { type: "line", text };
  }

  #recall(at: number): void {
    if (at < 0 || at > this.#history.length) return;
    if (this.#at === this.#history.length) this.#draft = this.#buffer.text;
    this.#at = at;
    this.#buffer.set(this.#history[at] ?? this.#draft);
  }

  #draw(): void {
    const { columns, rows: height } = this.#size();
    const whole = layOut(PROMPT + terminalText(this.#buffer.text), columns);
    const cursor = layOut(PROMPT + terminalText(this.#buffer.before), columns);
    const row = cursor.rows.length - 1;
    // A text higher than the terminal shows the part around the cursor.
    const first = Math.max(0, Math.min(row, whole.rows.length - height));
    const rows = whole.rows.slice(first, first + height);
    const down = rows.length - 1 - (row - first);
    const right = cursor.column === 0 ? "" : `\x1b[${cursor.column}C`;
    void this.#screen.write(
      `${up(this.#cursorRow)}\r\x1b[J${rows.join("\r\n")}${up(down)}\r${right}`,
    );
    this.#cursorRow = row - first;
  }
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : "";
}

function edit(buffer: EditBuffer, name: (Key & { type: "key" })["name"]): void {
  switch (name) {
    case "newline":
      return buffer.insert("\n");
    case "backspace":
      return buffer.backspace();
    case "delete":
      return buffer.delete();
    case "left":
      return buffer.move(-1);
    case "right":
      return buffer.move(1);
    case "word-left":
      return buffer.wordLeft();
    case "word-right":
      return buffer.wordRight();
    case "home":
      return buffer.home();
    case "end":
      return buffer.end();
    case "kill-before":
      return buffer.killBefore();
    case "kill-behind":
      return buffer.killBehind();
    case "kill-word":
      return buffer.killWord();
  }
}
