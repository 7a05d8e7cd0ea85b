import { toBubError } from "../errors.ts";
import type { Console } from "./console.ts";

/**
 * While it is not disposed of, an error that nobody handles (thrown by a timer of a plugin, or a
 * promise that nobody awaits) is told in one line on standard error, with its stack at `-v`, and
 * ends nothing: what runs goes on to its own end.
 */
export function watchUncaught(console: Console): Disposable {
  const tell = (thrown: unknown) => {
    void console.complain(`an error that nobody handled: ${sentence(thrown)}`);
    if (console.verbosity < 1) return;
    const { stderr } = console;
    const detail = stderr.safe(Deno.inspect(thrown));
    void stderr.write(`${stderr.paint("dim", detail)}\n`);
  };
  const onError = (event: ErrorEvent) => {
    event.preventDefault();
    tell(event.error);
  };
  const onRejection = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    tell(event.reason);
  };
  globalThis.addEventListener("error", onError);
  globalThis.addEventListener("unhandledrejection", onRejection);
  return {
    [Symbol.dispose]() {
      globalThis.removeEventListener("error", onError);
      globalThis.removeEventListener("unhandledrejection", onRejection);
    },
  };
}

/** The message in one line; an error without one has a name. */
function sentence(thrown: unknown): string {
  const { message } = toBubError(thrown);
  const line = message.split("\n").map((each) => each.trim()).find((each) => each !== "");
  return line ?? (thrown instanceof Error ? thrown.name : Deno.inspect(thrown));
}
