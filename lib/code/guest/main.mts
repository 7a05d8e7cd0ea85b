import { ownStacks } from "./failure.mts";
import { denyImports, dropGlobals } from "./lockdown.mts";
import { getMember, NOTHING_TO_TRANSFER, parseJson } from "./primordials.mts";
import { Run } from "./run.mts";

/**
 * The module of the worker that code runs in. It takes everything away that code should not have
 * before it says that it is ready; one worker runs one code.
 */

/** As much of a worker's own names as is used: the compiler knows those of the main thread. */
interface Scope extends EventTarget {
  postMessage(line: string, options: object): void;
}

const scope = globalThis as unknown as Scope;
const postMessage = scope.postMessage.bind(scope);
const run = new Run((line) => postMessage(line, NOTHING_TO_TRANSFER));
let started = false;

scope.addEventListener("message", (event) => receive(getMember(event, "data")));
scope.addEventListener("unhandledrejection", (event) => uncaught(event, "reason"));
scope.addEventListener("error", (event) => uncaught(event, "error"));
// The first timer loads the timers.
setTimeout(() => {}, 0);
denyImports();
ownStacks();
dropGlobals();
await run.install();
postMessage('["ready"]', NOTHING_TO_TRANSFER);

/** Takes a line of the host. */
function receive(line: string): void {
  const message = parseJson(line);
  if (message[0] === "answer") return run.answer(message[1], message[2]);
  if (message[0] === "failure") return run.fail(message[1], message[2], message[3], message[4]);
  if (message[0] !== "start" || started) return;
  started = true;
  run.start(message[1]);
}

function uncaught(event: Event, member: "reason" | "error"): void {
  event.preventDefault();
  run.uncaught(getMember(event, member));
}
