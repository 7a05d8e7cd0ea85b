import { usage } from "../args.ts";
import type { CommandContext } from "../command.ts";

/**
 * Asks on the terminal and waits for a line: `y` or `yes` is a yes, anything else and the end of
 * the input a no. Throws `config` where there is no terminal: `command` then needs `--yes`.
 */
export async function confirm(
  question: string,
  command: string,
  { console: { stderr } }: CommandContext,
): Promise<boolean> {
  if (!Deno.stdin.isTerminal() || !stderr.isTerminal) {
    throw usage(`bub ${command} asks first, and there is no terminal to ask on; --yes answers it`);
  }
  await stderr.write(`${stderr.safe(question)} [y/N] `);
  return /^\s*y(?:es)?\s*$/i.test(await readLine());
}

/** A terminal hands over line by line. */
async function readLine(): Promise<string> {
  const buffer = new Uint8Array(1024);
  const count = await Deno.stdin.read(buffer);
  return new TextDecoder().decode(buffer.subarray(0, count ?? 0));
}
