import { ownStacks } from "./failure.mts";
import { denyImports, dropGlobals, hardenIntrinsics } from "./lockdown.mts";
import { getMember, parseJson } from "./primordials.mts";
import { Run } from "./run.mts";

/**
 * The module of the worker that code runs in. It takes everything away that code should not have
 * before it says that it is ready; one worker runs one code.
 */

/** As much of a worker's own names as is used: the compiler knows those of the main thread. */
interface Scope {
  postMessage(line: string, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as Scope;
const postMessage = scope.postMessage.bind(scope);
// Lines pass through a port that is known here alone: what listens to the worker's own messages
// stands on the global object, where code could call it or put itself in its place.
const { port1: port, port2: hostPort } = new MessageChannel();
const run = new Run((line) => port.postMessage(line));
let started = false;

port.onmessage = (event) => receive(getMember(event, "data"));
// The first timer loads the timers.
setTimeout(() => {}, 0);
denyImports();
ownStacks();
dropGlobals();
await run.install();
hardenIntrinsics();
postMessage('["ready"]', [hostPort]);

/** Takes a line of the host. */
function receive(line: string): void {
  const message = parseJson(line);
  if (message[0] === "answer") return run.answer(message[1], message[2]);
  if (message[0] === "failure") return run.fail(message[1], message[2], message[3], message[4]);
  if (message[0] !== "start" || started) return;
  started = true;
  run.start(message[1]);
}
