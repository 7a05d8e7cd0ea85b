/** A process that has ended well. */
export interface Finished {
  /** From just before the start to the end, in milliseconds. */
  readonly wallMs: number;
  /** Just before the start, as `now()` tells it. */
  readonly startedAt: number;
  readonly stdout: string;
}

export interface ProcessOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All the variables it gets. */
  readonly env: Readonly<Record<string, string>>;
}

/** Milliseconds since 1970 with fractions: comparable between the processes of one machine. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Runs a process to its end. Throws when it fails: a broken run must not pass for a fast one. */
export async function runProcess(
  { program, args, cwd, env }: ProcessOptions,
  onStart: (pid: number) => void = () => {},
): Promise<Finished> {
  const command = new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { ...env },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
  const startedAt = now();
  const child = command.spawn();
  onStart(child.pid);
  const output = await child.output();
  const wallMs = now() - startedAt;
  const decoder = new TextDecoder();
  if (!output.success) {
    const complaint = decoder.decode(output.stderr);
    throw new Error(`${[program, ...args].join(" ")} ended with ${output.code}: ${complaint}`);
  }
  return { wallMs, startedAt, stdout: decoder.decode(output.stdout) };
}

/** Milliseconds between two looks at a process's memory. */
const LOOK_MS = 2;

/** Whether `peakMemory` works here: only Linux keeps a process's high-water mark in a file. */
export const MEMORY_IS_TOLD = Deno.build.os === "linux";

/**
 * Runs a process to its end and returns the most memory that was ever resident in it, in MiB, its
 * children not counted. The system keeps the mark; only a peak in the last 2 ms can be missed.
 */
export async function peakMemory(options: ProcessOptions): Promise<number> {
  let peak = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  try {
    await runProcess(options, (pid) => {
      timer = setInterval(() => peak = Math.max(peak, highWaterMark(pid)), LOOK_MS);
    });
  } finally {
    clearInterval(timer);
  }
  return peak / 1024;
}

/** In KiB; 0 for a process that is gone. */
function highWaterMark(pid: number): number {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0);
  } catch {
    // It ended, and we are about to be told.
    return 0;
  }
}
