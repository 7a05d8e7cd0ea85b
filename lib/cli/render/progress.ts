import type { BubEvent } from "../../event.ts";
import type { Usage } from "../../model/model.ts";
import { complain, type Style, type TextStream } from "../console.ts";
import { argumentSummary, duration, failureSummary, taskEnd, taskLabel } from "./summary.ts";

type EventOf<T extends BubEvent["type"]> = Extract<BubEvent, { type: T }>;

/** Lines of a call's output that one `-v` shows. */
const SHOWN_LINES = 10;

/** Which lines go to standard error: `-q` leaves warnings alone, `-v` adds, `-vv` shows all. */
export type Verbosity = number;

/** What happens on the way to the answer, line by line on standard error. */
export class Progress {
  readonly #stream: TextStream;
  readonly #sessionId: string;
  readonly #verbosity: Verbosity;
  /** Arguments of the calls under way. */
  readonly #calls = new Map<string, string>();
  #reasoning = "";

  constructor(stream: TextStream, sessionId: string, verbosity: Verbosity) {
    this.#stream = stream;
    this.#sessionId = sessionId;
    this.#verbosity = verbosity;
  }

  onEvent(event: BubEvent): void {
    if (event.session_id !== this.#sessionId) return;
    if (event.type !== "reasoning") this.#endReasoning();
    switch (event.type) {
      case "turn.start":
        return this.#line(1, `model ${event.model}`);
      case "reasoning":
        if (this.#verbosity >= 1) this.#reasoning += event.text;
        return;
      case "tool.start":
        return this.#toolStart(event);
      case "tool.end":
        return this.#toolEnd(event);
      case "retry":
        return this.#line(
          0,
          `${event.reason}; trying again in ${duration(event.delay_ms)} (${event.attempt})`,
          "yellow",
        );
      case "fallback":
        return this.#line(0, `${event.reason}; going on with ${event.model}`, "yellow");
      case "steering":
        return event.messages.forEach((message) => this.#line(0, `> ${message}`));
      case "step.end":
        return this.#stepEnd(event);
      case "subagent.started":
        return this.#line(0, `${taskLabel(event.task)} started`);
      case "subagent.output":
        return this.#subagent(event);
      case "subagent.finished":
        return this.#taskEnd(event);
      case "warning":
      case "waiting":
        return void complain(this.#stream, event.message, "yellow");
      default:
        return;
    }
  }

  #toolStart(event: EventOf<"tool.start">): void {
    const args = argumentSummary(event.arguments);
    this.#calls.set(event.call_id, args);
    this.#line(1, `${indentation(event)}${event.name} ${args} …`);
  }

  #toolEnd(event: EventOf<"tool.end">): void {
    const { call_id, name, status, elapsed_ms, output } = event;
    const args = this.#calls.get(call_id) ?? "";
    this.#calls.delete(call_id);
    if (this.#verbosity < 0) return;
    const stream = this.#stream;
    const head = `${stream.paint("cyan", stream.safe(name))} ${stream.safe(args)}`.trimEnd();
    const time = duration(elapsed_ms);
    const end = status === "ok"
      ? stream.paint("dim", `ok, ${time}`)
      : `${stream.paint("red", `failed, ${time}:`)} ${stream.safe(failureSummary(output))}`;
    void stream.write(`${indentation(event)}${head}  ${end}\n`);
    if (this.#verbosity >= 1) this.#block(output);
  }

  /** Of what a subagent does only its calls are told, and what went wrong. */
  #subagent({ task, event }: EventOf<"subagent.output">): void {
    if (event.type === "tool.start") {
      this.#line(1, `${task.task_id}: ${event.name} ${argumentSummary(event.arguments)}`);
    } else if (event.type === "warning") {
      void complain(this.#stream, `${task.task_id}: ${event.message}`, "yellow");
    }
  }

  #taskEnd({ task }: EventOf<"subagent.finished">): void {
    const style = task.status === "failed" ? "red" : "dim";
    this.#line(0, `${taskLabel(task)} ${taskEnd(task)}`, style);
  }

  #stepEnd({ step, elapsed_ms, usage }: EventOf<"step.end">): void {
    const tokens = usage === null ? "" : `, ${usageSummary(usage)}`;
    this.#line(1, `step ${step}: ${duration(elapsed_ms)}${tokens}`);
  }

  #endReasoning(): void {
    const text = this.#reasoning.trim();
    this.#reasoning = "";
    if (text !== "") this.#line(1, text);
  }

  #block(text: string): void {
    const lines = text.replace(/\n$/, "").split("\n");
    const shown = this.#verbosity >= 2 ? lines : lines.slice(0, SHOWN_LINES);
    for (const line of shown) this.#line(1, `  ${line}`);
    const left = lines.length - shown.length;
    if (left > 0) this.#line(1, `  … ${left} more line${left === 1 ? "" : "s"} (-vv shows all)`);
  }

  #line(from: Verbosity, text: string, style: Style = "dim"): void {
    const stream = this.#stream;
    if (this.#verbosity >= from) void stream.write(`${stream.paint(style, stream.safe(text))}\n`);
  }
}

/** Stands before the line of a call that code makes. */
export function indentation({ parent_call_id }: EventOf<"tool.start" | "tool.end">): string {
  return parent_call_id === undefined ? "" : "  ";
}

/** `1200 tokens in (900 cached), 80 out`. */
export function usageSummary(usage: Usage): string {
  const { prompt_tokens, completion_tokens, prompt_tokens_details: { cached_tokens } } = usage;
  const cached = cached_tokens > 0 ? ` (${cached_tokens} cached)` : "";
  const estimated = usage.estimated === true ? " (estimated)" : "";
  return `${prompt_tokens} tokens in${cached}, ${completion_tokens} out${estimated}`;
}
