/** The keys that edit a line, whichever bytes a terminal sends for them. */
export type KeyName =
  | "enter"
  | "newline"
  | "interrupt"
  | "end-of-input"
  | "backspace"
  | "delete"
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "home"
  | "end"
  | "up"
  | "down"
  | "kill-before"
  | "kill-behind"
  | "kill-word"
  | "clear-screen";

/** What was typed or pasted. */
export type Key =
  | { readonly type: "key"; readonly name: KeyName }
  | { readonly type: "text"; readonly text: string };

const CONTROLS: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\n": "enter",
  "\x01": "home",
  "\x02": "left",
  "\x03": "interrupt",
  "\x04": "end-of-input",
  "\x05": "end",
  "\x06": "right",
  "\x08": "backspace",
  "\x0b": "kill-behind",
  "\x0c": "clear-screen",
  "\x0e": "down",
  "\x10": "up",
  "\x15": "kill-before",
  "\x17": "kill-word",
  "\x7f": "backspace",
};

/** By what stands behind the escape. */
const SEQUENCES: Readonly<Record<string, KeyName>> = {
  "[A": "up",
  "[B": "down",
  "[C": "right",
  "[D": "left",
  "[H": "home",
  "[F": "end",
  "[1~": "home",
  "[3~": "delete",
  "[4~": "end",
  "[7~": "home",
  "[8~": "end",
  "[1;5C": "word-right",
  "[1;5D": "word-left",
  "[1;3C": "word-right",
  "[1;3D": "word-left",
  b: "word-left",
  f: "word-right",
  "\r": "newline",
  "\x7f": "kill-word",
};

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

const ESCAPE = "\x1b";

/** What stands behind an escape, complete: CSI, SS3, or a single character. */
const SEQUENCE = /^(?:\[[0-?]*[ -/]*[@-~]|O[@-~]|[^[O])/;

/** Turns what a terminal sends into keys; sequences and characters may be cut anywhere. */
export class KeyDecoder {
  readonly #decoder = new TextDecoder();
  #rest = "";

  decode(bytes: Uint8Array): readonly Key[] {
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    const keys: Key[] = [];
    for (let next = this.#next(); next !== null; next = this.#next()) {
      this.#rest = this.#rest.slice(next.length);
      if (next.key !== undefined) keys.push(next.key);
    }
    return keys;
  }

  /** The first key in `#rest` and how much of it that is; null: not all of it has come. */
  #next(): { readonly length: number; readonly key: Key | undefined } | null {
    const rest = this.#rest;
    if (rest === "") return null;
    if (rest.startsWith(PASTE_START)) return pasted(rest);
    if (rest.startsWith(ESCAPE)) {
      const sequence = SEQUENCE.exec(rest.slice(ESCAPE.length))?.[0];
      if (sequence === undefined) return null;
      const name = SEQUENCES[sequence.replace(/^O/, "[")];
      return { length: ESCAPE.length + sequence.length, key: name && { type: "key", name } };
    }
    const text = /^\P{Cc}+/u.exec(rest)?.[0];
    if (text !== undefined) return { length: text.length, key: { type: "text", text } };
    const name = CONTROLS[rest.charAt(0)];
    return { length: 1, key: name && { type: "key", name } };
  }
}

function pasted(rest: string) {
  const end = rest.indexOf(PASTE_END);
  if (end === -1) return null;
  const text = rest.slice(PASTE_START.length, end).replaceAll(/\r\n?/g, "\n");
  return { length: end + PASTE_END.length, key: { type: "text", text } as const };
}
