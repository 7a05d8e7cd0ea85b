/** What prints to standard output, which belongs to results. */
const PRINTING = ["log", "info", "debug", "dir", "dirxml", "table"] as const;

/**
 * While it is not disposed of, what plugins and packages print with `console.log` and its like goes
 * to standard error.
 */
export function printToStderr(console = globalThis.console): Disposable {
  const before = Object.fromEntries(PRINTING.map((name) => [name, console[name]]));
  const print = (...values: unknown[]) => console.error(...values);
  Object.assign(console, Object.fromEntries(PRINTING.map((name) => [name, print])));
  return { [Symbol.dispose]: () => void Object.assign(console, before) };
}
