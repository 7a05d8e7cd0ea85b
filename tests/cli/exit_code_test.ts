import { exitCode } from "../../lib/cli/exit_code.ts";
import type { TurnResult } from "../../lib/event.ts";
import { NO_USAGE } from "../../lib/model/usage.ts";
import { assertEquals } from "../assert.ts";

Deno.test("L3 every way a turn ends has its exit code", () => {
  const code = (status: TurnResult["status"], kind: string, signal?: number) =>
    exitCode({
      session_id: "s",
      output: "",
      status,
      steps: 0,
      usage: NO_USAGE,
      tasks: [],
      error: status === "ok" ? null : { kind, message: "" },
    }, signal);
  assertEquals(code("ok", ""), 0);
  assertEquals(code("ok", "", 130), 0, "a signal that came too late");
  assertEquals(code("error", "auth"), 1);
  assertEquals(code("error", "config"), 2);
  assertEquals(code("timeout", "timeout"), 124);
  assertEquals(code("interrupted", "interrupted", 143), 143);
  assertEquals(code("interrupted", "interrupted"), 130);
});
