import { defineProperty, getPrototypeOf } from "./primordials.mts";

/** Where in a script an error is, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

const { reportError } = globalThis;
const { prototype: errorEvents } = ErrorEvent;
const { prototype: rejectionEvents } = PromiseRejectionEvent;

/** Who is told what nothing in the code handles. */
export interface Reader {
  /** An error that was thrown where nothing could catch it. */
  thrown(error: unknown): void;
  rejected(promise: object, reason: unknown): void;
  /** A promise that was told as rejected is handled after all. */
  handled(promise: object): void;
}

/**
 * Takes the errors and rejections that nothing handles, for good. The runtime reports them by the
 * method `dispatchEvent` of the global object. Code can call it too, but has no way to an event of
 * the kinds that are taken.
 */
export function takeReports(reader: Reader): void {
  const value = (event: Event): boolean => {
    const kind = getPrototypeOf(event);
    if (kind !== errorEvents && kind !== rejectionEvents) return true;
    event.preventDefault();
    if (kind === errorEvents) reader.thrown((event as ErrorEvent).error);
    else takeRejection(event as PromiseRejectionEvent, reader);
    return false;
  };
  defineProperty(globalThis, "dispatchEvent", { value });
}

function takeRejection({ type, promise, reason }: PromiseRejectionEvent, reader: Reader): void {
  if (type === "unhandledrejection") reader.rejected(promise, reason);
  else reader.handled(promise);
}

/**
 * Where V8 met the mistake in a text that it refused with `error`, which it tells where errors are
 * reported and nowhere else: the text must have a name from its start on, and `error` no frames.
 * For use before `takeReports`.
 */
export function placeOf(error: unknown): Place | undefined {
  let place: Place | undefined;
  const value = ({ lineno, colno }: ErrorEvent): boolean => {
    if (lineno > 0) place = { line: lineno, column: colno };
    return false;
  };
  defineProperty(globalThis, "dispatchEvent", { value, configurable: true });
  reportError(error);
  Reflect.deleteProperty(globalThis, "dispatchEvent");
  return place;
}
