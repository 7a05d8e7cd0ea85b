import { estimateRequestTokens, estimateTokens } from "../../lib/model/estimate.ts";
import { assert, assertEquals } from "../assert.ts";
import { requestOf } from "./ask.ts";

Deno.test("B37 four characters are taken for a token", () => {
  assertEquals(["", "a", "abcd", "abcde"].map(estimateTokens), [0, 1, 1, 2]);
});

Deno.test("B37 an image counts for what it shows, not for the length of its text", () => {
  const data = "A".repeat(1_000_000);
  const content = [{ type: "media", mediaType: "image/png", data }] as const;
  const tokens = estimateRequestTokens(requestOf({ messages: [{ role: "user", content }] }));
  assert(tokens > 1000 && tokens < 1200, String(tokens));
});
