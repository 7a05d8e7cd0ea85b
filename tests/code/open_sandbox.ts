import { Isolates } from "../../lib/code/isolates.ts";
import type {
  SandboxCall,
  SandboxLimits,
  SandboxOutcome,
  SandboxRun,
} from "../../lib/code/sandbox.ts";

export type RunOptions = Partial<Omit<SandboxRun, "code">>;

/** A sandbox that is closed with the test. */
export interface OpenSandbox extends AsyncDisposable {
  readonly isolates: Isolates;
  /** Runs code; by default for half a minute at most, with the tools below. */
  run(code: string, options?: RunOptions): Promise<SandboxOutcome>;
}

const LIMITS: SandboxLimits = { memoryBytes: 128 * 2 ** 20, outputBytes: 64 * 2 ** 10 };

export function openSandbox(limits: Partial<SandboxLimits> = {}): OpenSandbox {
  const isolates = new Isolates({ ...LIMITS, ...limits });
  return {
    isolates,
    run: (code, options = {}) =>
      isolates.run({
        code,
        tools: ["echo", "fail", "wait"],
        timeoutMs: 30_000,
        signal: new AbortController().signal,
        call: answer,
        ...options,
      }),
    [Symbol.asyncDispose]: () => isolates.close(),
  };
}

/** `echo` answers with what it was given, `wait` when it is cancelled, anything else fails. */
export async function answer({ name, args }: SandboxCall, signal: AbortSignal) {
  if (name === "echo") return JSON.parse(args);
  if (name === "wait") await aborted(signal);
  throw new Error(`no tool is called ${name}`);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}
