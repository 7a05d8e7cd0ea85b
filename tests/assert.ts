import nodeAssert from "node:assert/strict";

/** A class of errors that a test expects to see thrown. */
export type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;

/** Fails unless `condition` is truthy; what follows may rely on it. */
export function assert(condition: unknown, message?: string): asserts condition {
  nodeAssert.ok(condition, message ?? `expected a truthy value, got ${String(condition)}`);
}

/** Fails unless both are deeply and strictly equal; the message shows the difference. */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  nodeAssert.deepStrictEqual(actual, expected, message);
}

/** Fails when both are deeply and strictly equal. */
export function assertNotEquals<T>(actual: T, unexpected: T, message?: string): void {
  nodeAssert.notDeepStrictEqual(actual, unexpected, message);
}

/** Fails unless `actual` matches `pattern`. */
export function assertMatch(actual: string, pattern: RegExp, message?: string): void {
  nodeAssert.match(actual, pattern, message);
}

/** Fails unless `actual` contains `part`. */
export function assertStringIncludes(actual: string, part: string, message?: string): void {
  if (actual.includes(part)) return;
  nodeAssert.fail(
    message ?? `expected ${JSON.stringify(actual)} to contain ${JSON.stringify(part)}`,
  );
}

/** Fails unless `run` throws an `errorClass` whose message contains `part`; returns the error. */
export function assertThrows<E extends Error>(
  run: () => unknown,
  errorClass: ErrorClass<E>,
  part?: string,
): E;
export function assertThrows(run: () => unknown): Error;
export function assertThrows(run: () => unknown, errorClass: ErrorClass<Error> = Error, part = "") {
  try {
    run();
  } catch (thrown) {
    return checkThrown(thrown, errorClass, part);
  }
  nodeAssert.fail(`expected ${errorClass.name} to be thrown, but nothing was`);
}

/** Fails unless `run` rejects with an `errorClass` whose message contains `part`; returns it. */
export function assertRejects<E extends Error>(
  run: () => PromiseLike<unknown>,
  errorClass: ErrorClass<E>,
  part?: string,
): Promise<E>;
export function assertRejects(run: () => PromiseLike<unknown>): Promise<Error>;
export async function assertRejects(
  run: () => PromiseLike<unknown>,
  errorClass: ErrorClass<Error> = Error,
  part = "",
) {
  let pending: PromiseLike<unknown>;
  try {
    pending = run();
  } catch (thrown) {
    nodeAssert.fail(`expected a rejection, but it was thrown before any promise: ${thrown}`);
  }
  try {
    await pending;
  } catch (thrown) {
    return checkThrown(thrown, errorClass, part);
  }
  nodeAssert.fail(`expected a rejection with ${errorClass.name}, but it resolved`);
}

function checkThrown<E extends Error>(thrown: unknown, errorClass: ErrorClass<E>, part: string): E {
  if (!(thrown instanceof errorClass)) {
    nodeAssert.fail(`expected ${errorClass.name}, got ${Deno.inspect(thrown)}`);
  }
  assertStringIncludes(thrown.message, part);
  return thrown;
}
