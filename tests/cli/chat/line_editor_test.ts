import { KeyDecoder } from "../../../lib/cli/chat/keys.ts";
import { type Edited, LineEditor } from "../../../lib/cli/chat/line_editor.ts";
import { characterWidth } from "../../../lib/cli/chat/text_width.ts";
import { assert, assertEquals } from "../../assert.ts";

/** A terminal that obeys what the editor sends: text, line ends, cursor moves, erasing. */
class Screen {
  readonly #rows: string[][] = [[]];
  #row = 0;
  #column = 0;

  constructor(readonly columns: number) {}

  write(text: string): Promise<void> {
    // An escape sequence, or one character.
    for (const match of text.matchAll(/\p{Cc}\[(\d*)([A-Z])|\P{M}\p{M}*/gu)) {
      const [part, count = "", letter] = match;
      if (letter === "A") this.#row -= Number(count || 1);
      else if (letter === "C") this.#column += Number(count || 1);
      else if (letter === "J") this.#erase();
      else if (part === "\r") this.#column = 0;
      else if (part === "\n") this.#newLine();
      else this.#put(part);
    }
    return Promise.resolve();
  }

  safe(text: string): string {
    return text;
  }

  paint(_style: string, text: string): string {
    return text;
  }

  /** The rows, and the cursor as row and column. */
  get shown() {
    const rows = this.#rows.map((row) => row.join("").trimEnd());
    return { rows, cursor: [this.#row, this.#column] };
  }

  #put(character: string): void {
    const width = characterWidth(character);
    assert(this.#column + width < this.columns, "the last column stays free");
    const row = this.#rows[this.#row] ?? [];
    row[this.#column] = character;
    for (let covered = 1; covered < width; covered++) row[this.#column + covered] = "";
    this.#column += width;
  }

  #newLine(): void {
    this.#row++;
    if (this.#rows[this.#row] === undefined) this.#rows.push([]);
  }

  #erase(): void {
    this.#rows.splice(this.#row + 1);
    this.#rows[this.#row]?.splice(this.#column);
  }
}

function open(columns = 12) {
  const screen = new Screen(columns);
  const editor = new LineEditor(screen, () => ({ columns, rows: 5 }));
  editor.show();
  const type = (keys: string): Edited[] =>
    new KeyDecoder().decode(new TextEncoder().encode(keys)).map((key) => editor.press(key));
  return { screen, editor, type };
}

Deno.test("LineEditor draws what is typed and where the cursor is, wide characters included", () => {
  const { screen, type } = open();
  type("a日b");
  assertEquals(screen.shown, { rows: ["> a日b"], cursor: [0, 6] });
  type("\x1b[D\x1b[D");
  assertEquals(screen.shown.cursor, [0, 3]);
  type("x\x05y");
  assertEquals(screen.shown.rows, ["> ax日by"]);
});

Deno.test("LineEditor breaks long lines and follows the cursor through them", () => {
  const { screen, type } = open();
  type("abcdefghijklmnop");
  assertEquals(screen.shown, { rows: ["> abcdefghi", "jklmnop"], cursor: [1, 7] });
  type("\x01");
  assertEquals(screen.shown.cursor, [0, 2]);
  type("\x0b");
  assertEquals(screen.shown, { rows: ["> "].map((row) => row.trimEnd()), cursor: [0, 2] });
});

Deno.test("LineEditor takes several pasted lines as one message", () => {
  const { screen, type } = open();
  assertEquals(type("\x1b[200~one\ntwo\x1b[201~"), [null]);
  assertEquals(screen.shown, { rows: ["> one", "two"], cursor: [1, 3] });
  assertEquals(type("!\r").at(-1), { type: "line", text: "one\ntwo!" });
  assertEquals(screen.shown, { rows: ["> one", "two!", ""], cursor: [2, 0] });
});

Deno.test("LineEditor shows the part around the cursor of a text higher than the terminal", () => {
  const { screen, type } = open();
  type("\x1b[200~1\n2\n3\n4\n5\n6\n7\x1b[201~");
  assertEquals(screen.shown, { rows: ["3", "4", "5", "6", "7"], cursor: [4, 1] });
  type("\x1b[D\x01".repeat(7));
  assertEquals(screen.shown, { rows: ["> 1", "2", "3", "4", "5"], cursor: [0, 2] });
});

Deno.test("LineEditor recalls messages, and the one that was begun", () => {
  const { editor, screen, type } = open();
  type("one\r");
  editor.show();
  type("two\r");
  editor.show();
  type("thr\x1b[A");
  assertEquals(screen.shown.rows.at(-1), "> two");
  type("\x1b[A\x1b[A");
  assertEquals(screen.shown.rows.at(-1), "> one");
  type("\x1b[B\x1b[B\x1b[B");
  assertEquals(screen.shown.rows.at(-1), "> thr");
});

Deno.test("LineEditor: Ctrl-C empties the line before it interrupts, Ctrl-D ends an empty one", () => {
  const { editor, type } = open();
  assertEquals(type("abc\x04"), [null, null], "Ctrl-D deletes while something stands there");
  assertEquals(type("\x03\x03\x04"), [null, { type: "interrupt" }, { type: "end" }]);
  assertEquals(editor.isTyping, false);
});

Deno.test("LineEditor leaves nothing on the screen when it is hidden", () => {
  const { editor, screen, type } = open();
  type("abcdefghijklmnop");
  editor.hide();
  assertEquals(screen.shown, { rows: [""], cursor: [0, 0] });
  editor.show();
  assertEquals(screen.shown.rows, ["> abcdefghi", "jklmnop"]);
});
