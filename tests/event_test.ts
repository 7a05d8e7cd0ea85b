import { EVENT_TYPES, EventBus } from "../lib/event.ts";
import { assert, assertEquals } from "./assert.ts";

const event = (message: string) => ({ type: "warning", session_id: "s", message }) as const;

Deno.test("A10 a listener that throws is told of, goes on listening, and harms nobody", () => {
  const failures: unknown[] = [];
  const bus = new EventBus((thrown, { type }) => failures.push([type, String(thrown)]));
  const seen: string[] = [];
  let calls = 0;
  bus.subscribe(() => {
    calls++;
    throw new Error(`failure ${calls}`);
  });
  bus.subscribe((each) => void seen.push(each.type));
  bus.emit(event("one"));
  bus.emit(event("two"));
  assertEquals(seen, ["warning", "warning"]);
  assertEquals(failures, [["warning", "Error: failure 1"], ["warning", "Error: failure 2"]]);
});

Deno.test("EventBus hands events on in order, until a listener stops", () => {
  const bus = new EventBus();
  const seen: string[] = [];
  const stop = bus.subscribe((each) => void seen.push(each.type === "warning" ? each.message : ""));
  bus.emit(event("one"));
  bus.emit(event("two"));
  stop();
  bus.emit(event("three"));
  assertEquals(seen, ["one", "two"]);
  assert(EVENT_TYPES.warning);
});
