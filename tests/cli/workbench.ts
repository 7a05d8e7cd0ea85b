import { join } from "@std/path";

/** A home, a workspace and a recorded model for one test; removed at the end. */
export interface Workbench extends AsyncDisposable {
  /** Everything is in here. */
  readonly root: string;
  readonly workspace: string;
  /** Variables that make the program use this home. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes a recording of these answers and returns `replay:<file>`. */
  record(...answers: readonly RecordedStep[]): Promise<string>;
}

/** One answer of the recorded model. */
export interface RecordedStep {
  readonly text?: string;
  /** Tool alias and arguments. */
  readonly calls?: readonly (readonly [name: string, args: Record<string, unknown>])[];
}

export async function openWorkbench(): Promise<Workbench> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "bub-cli-" }));
  const workspace = join(root, "work");
  await Deno.mkdir(workspace);
  let recordings = 0;
  return {
    root,
    workspace,
    env: { BUB_HOME: join(root, "home") },
    async record(...answers) {
      const path = join(root, `recording-${recordings++}.jsonl`);
      await Deno.writeTextFile(path, answers.map(recordedLine).join(""));
      return `replay:${path}`;
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

function recordedLine({ text = "", calls = [] }: RecordedStep, index: number): string {
  const toolCalls = calls.map(([name, args], place) => ({
    id: `call_${index}_${place}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const entry = calls.length === 0
    ? { kind: "message", payload: { role: "assistant", content: text } }
    : { kind: "tool_call", payload: { calls: toolCalls, content: text } };
  const meta = { session: 0, run_id: `0-${index}` };
  return `${JSON.stringify({ id: index + 1, ...entry, meta, date: "2026-01-01T00:00:00Z" })}\n`;
}
