import { hideLogin, maskKeys } from "../../lib/model/secret.ts";
import { assertEquals } from "../assert.ts";

Deno.test("L5 maskKeys() hides the given keys and what looks like one", () => {
  assertEquals(maskKeys("key k3y-of-mine!", ["k3y-of-mine", ""]), "key [key]!");
  assertEquals(maskKeys("got sk-ant-api03-AbC_123, gsk_0123456789", []), "got [key], [key]");
  assertEquals(maskKeys("Authorization: Bearer abc.def-123", []), "Authorization: Bearer [key]");
  assertEquals(maskKeys("AIzaSyA-1234567890abc", []), "[key]");
});

Deno.test("L5 maskKeys() leaves ordinary words alone", () => {
  const text = "the task-runner asks for a basic description of the risk-free bearer";
  assertEquals(maskKeys(text, ["the"]), text);
});

Deno.test("L5 hideLogin() hides who logs in at an address, in all spellings that are one", () => {
  for (
    const [text, shown] of [
      ["http://u:p@h/v1", "http://(hidden)@h/v1"],
      ["HTTPS:\\\\u:p@q@h:1/v1?a=@b", "HTTPS:\\\\(hidden)@h:1/v1?a=@b"],
      [" http:token@h", " http:(hidden)@h"],
      ["ftp://u@h", "ftp://(hidden)@h"],
      ["http://h/@scope", "http://h/@scope"],
      ["openai:gpt@5", "openai:gpt@5"],
    ]
  ) {
    assertEquals(JSON.parse(JSON.stringify([text], hideLogin)), [shown]);
  }
});
