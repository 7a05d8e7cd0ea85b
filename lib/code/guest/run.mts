import type { StartOptions } from "../protocol.ts";
import { Calls } from "./calls.mts";
import { Audio, Image, Video } from "./media.mts";
import { NativePromise, part, quoted } from "./primordials.mts";
import { Printer } from "./printer.mts";
import { Rejections } from "./rejections.mts";
import { takeReports } from "./reports.mts";
import { compile } from "./source.mts";
import { describeThrown } from "./thrown.mts";
import { ToolError } from "./tool_error.mts";
import { makeTools } from "./tools.mts";
import { Wakers } from "./wakers.mts";

/** Milliseconds between two looks at whether anything can still happen. */
const IDLE_MS = 50;

/** The most notes of a run, and UTF-16 units of one. */
const MAX_NOTES = 20;
const MAX_NOTE_UNITS = 1000;

const { setInterval } = globalThis;

/** One run of code: what it has of the world, and how it ends. */
export class Run {
  readonly #post: (line: string) => void;
  readonly #calls: Calls;
  readonly #printer: Printer;
  readonly #wakers = new Wakers();
  readonly #rejections = new Rejections((reason, seconds) => this.#uncaught(reason, seconds));
  /** A timer would take two milliseconds. */
  readonly #tasks = new MessageChannel();
  #lines: readonly string[] = [];
  #notes = 0;
  #ended = false;

  constructor(post: (line: string) => void) {
    this.#post = post;
    this.#calls = new Calls(post);
    this.#printer = new Printer(post);
  }

  /** Gives code what it has beside the language. Resolves when all is warm. */
  async install(): Promise<void> {
    await this.#nextTask();
    const { print } = this.#printer;
    const console = { log: print, info: print, debug: print, warn: print, error: print };
    Object.assign(globalThis, { print, console, ToolError, Image, Audio, Video });
    this.#wakers.install();
  }

  /** Runs the code to its end, and tells the host. */
  async start({ code, tools }: StartOptions): Promise<void> {
    Object.assign(globalThis, { tools: makeTools(tools, this.#calls) });
    const compiled = compile(code);
    if ("problem" in compiled) return this.#end(compiled.problem);
    this.#lines = compiled.lines;
    takeReports({
      thrown: (error) => this.#uncaught(error),
      rejected: (promise, reason) => this.#rejections.add(promise, reason),
      handled: (promise) => this.#rejections.drop(promise),
    });
    this.#watchIdle();
    try {
      // Called without an object: it would be the code's `this`.
      const { run } = compiled;
      const returned = await run();
      await this.#settle();
      this.#end(null, returned !== undefined);
    } catch (thrown) {
      this.#end(describeThrown(thrown, this.#lines));
    }
  }

  answer(number: number, value: unknown): void {
    this.#calls.answer(number, value);
  }

  fail(number: number, kind: string, message: string, details: unknown): void {
    this.#calls.fail(number, kind, message, details);
  }

  /** Waits for calls that the code itself did not wait for, and for what they set off. */
  async #settle(): Promise<void> {
    const names = this.#calls.pendingNames();
    if (names !== "") this.#note(`not awaited: ${names}`);
    do {
      await this.#calls.allAnswered();
      await this.#nextTask();
    } while (this.#calls.pending > 0);
  }

  /** Rejections that nobody handles are told when the task that made them is over. */
  #nextTask(): Promise<unknown> {
    return new NativePromise((resolve) => {
      this.#tasks.port1.onmessage = resolve;
      this.#tasks.port2.postMessage(null);
    });
  }

  /** An error that nothing in the code caught: it fails the run no more than its maker did. */
  #uncaught(thrown: unknown, seconds = 0): void {
    const so = seconds === 0 ? "" : ` for ${seconds} seconds`;
    this.#note(`nobody caught${so}: ${describeThrown(thrown, this.#lines)}`);
  }

  /** Ends a run that waits for what nothing can bring any more. Two looks: tasks take turns. */
  #watchIdle(): void {
    let looks = 0;
    setInterval(() => {
      this.#rejections.tellOld();
      looks = this.#calls.pending + this.#wakers.count === 0 ? looks + 1 : 0;
      if (looks < 2) return;
      this.#end(
        "the code waits for a promise that nothing can settle any more: " +
          "no call, timer or other task is under way",
      );
    }, IDLE_MS);
  }

  #note(text: string): void {
    if (this.#notes++ < MAX_NOTES) this.#post(`["note",${quoted(part(text, 0, MAX_NOTE_UNITS))}]`);
  }

  #end(problem: string | null, returned = false): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#rejections.tellAll();
    const more = this.#notes - MAX_NOTES;
    if (more > 0) this.#post(`["note","${more} more like these are left out"]`);
    this.#post(`["end",${problem === null ? "null" : quoted(problem)},${returned}]`);
  }
}
