const encoder = new TextEncoder();

/** Prints one line on standard error: scripts keep standard output for the command they run. */
export function say(line: string): void {
  Deno.stderr.writeSync(encoder.encode(`${line}\n`));
}
