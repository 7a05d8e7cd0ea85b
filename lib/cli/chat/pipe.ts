import type { Console, TextStream } from "../console.ts";
import type { ChatPort } from "./port.ts";

/** A conversation over pipes, or on a terminal that knows no escape codes: lines in, text out. */
export class ChatPipe implements ChatPort {
  readonly answers: TextStream;
  readonly notes: TextStream;
  readonly isInteractive: boolean;

  constructor({ stdout, stderr }: Console, inputIsTerminal: boolean) {
    this.answers = stdout;
    this.notes = stderr;
    this.isInteractive = inputIsTerminal && stdout.isTerminal;
  }

  setBusy(busy: boolean): void {
    if (!busy && this.isInteractive) void this.answers.write("> ");
  }
}
