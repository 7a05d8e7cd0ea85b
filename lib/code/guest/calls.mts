import { MAX_HELD_UNITS, MAX_VALUE_UNITS } from "../protocol.ts";
import { MAX_CALLS } from "../sandbox.ts";
import { create, NativePromise, quoted } from "./primordials.mts";
import { fill, ToolError } from "./tool_error.mts";

/** UTF-16 units of a tool's name, dots and all. */
const MAX_NAME_UNITS = 1000;

/** What waits for the answer to a call. */
interface Waiting {
  readonly name: string;
  /** UTF-16 units of its argument. */
  readonly units: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: ToolError) => void;
  /** What it is rejected with, if it is. */
  readonly error: ToolError;
}

/** The calls of one run. Only so many are with the host at a time; the others wait here
 * in order. */
export class Calls {
  readonly #post: (line: string) => void;
  /** By number; without a prototype that code could have changed, as the next. */
  readonly #waiting: Record<number, Waiting> = create(null);
  readonly #lines: Record<number, string> = create(null);
  #made = 0;
  #sent = 0;
  #answered = 0;
  /** Units of the arguments of the calls that are with the host. */
  #held = 0;
  #whenAllAnswered: (() => void) | undefined;

  constructor(post: (line: string) => void) {
    this.#post = post;
  }

  /** How many calls were made. */
  get made(): number {
    return this.#made;
  }

  /** How many of them have no answer yet. */
  get pending(): number {
    return this.#made - this.#answered;
  }

  /** Makes a call; `args` is JSON text. Rejects with a `ToolError`. */
  make(name: string, args: string): Promise<unknown> {
    const error = new ToolError();
    return new NativePromise((resolve, reject) => {
      if (args.length > MAX_VALUE_UNITS) {
        const message = `what ${name} is given is too long: as JSON it has ${args.length} ` +
          `characters, and ${MAX_VALUE_UNITS} are the most`;
        return reject(fill(error, "invalid_input", message));
      }
      if (name.length > MAX_NAME_UNITS) {
        const message = `no tool has a name of ${name.length} characters`;
        return reject(fill(error, "unknown_tool", message));
      }
      const number = ++this.#made;
      this.#waiting[number] = { name, units: args.length, resolve, reject, error };
      this.#lines[number] = `["call",${number},${quoted(name)},${quoted(args)}]`;
      this.#send();
    });
  }

  answer(number: number, value: unknown): void {
    const waiting = this.#take(number);
    waiting?.resolve(value);
    this.#goOn();
  }

  fail(number: number, kind: string, message: string, details: unknown): void {
    const waiting = this.#take(number);
    waiting?.reject(fill(waiting.error, kind, message, details));
    this.#goOn();
  }

  /** Resolves when no call is without its answer. */
  allAnswered(): Promise<void> {
    return new NativePromise((resolve) => {
      this.#whenAllAnswered = resolve;
      this.#goOn();
    });
  }

  /** The tools of the calls that have no answer yet: `bash (2), fs_read`. */
  pendingNames(): string {
    const counts: Record<string, number> = create(null);
    for (const number in this.#waiting) {
      const name = this.#waiting[number]?.name ?? "";
      counts[name] = (counts[name] ?? 0) + 1;
    }
    let names = "";
    for (const name in counts) {
      const times = counts[name] === 1 ? "" : ` (${counts[name]})`;
      names += `${names === "" ? "" : ", "}${name}${times}`;
    }
    return names;
  }

  #take(number: number): Waiting | undefined {
    const waiting = this.#waiting[number];
    if (waiting === undefined) return undefined;
    delete this.#waiting[number];
    this.#answered++;
    this.#held -= waiting.units;
    return waiting;
  }

  #goOn(): void {
    this.#send();
    if (this.pending === 0) this.#whenAllAnswered?.();
  }

  #send(): void {
    while (this.#sent < this.#made && this.#sent - this.#answered < MAX_CALLS) {
      const number = this.#sent + 1;
      const units = this.#waiting[number]?.units ?? 0;
      if (this.#held + units > MAX_HELD_UNITS) return;
      const line = this.#lines[number] ?? "";
      delete this.#lines[number];
      this.#sent = number;
      this.#held += units;
      this.#post(line);
    }
  }
}
