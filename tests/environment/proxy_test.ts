import { loopbackProxyNote } from "../../lib/environment/proxy.ts";
import { assertEquals } from "../assert.ts";

const PROXY = { HTTP_PROXY: "http://proxy.invalid:3128" };

Deno.test("W1 M3 loopbackProxyNote() names the proxy that catches this machine's own addresses", () => {
  const note = (address: string, env: Record<string, string>) =>
    loopbackProxyNote(new URL(address), env);
  assertEquals(
    note("http://127.0.0.1:8080/v1", PROXY),
    "; it went through the proxy of HTTP_PROXY, which NO_PROXY=127.0.0.1 prevents",
  );
  assertEquals(
    note("https://[::1]/", { all_proxy: "http://proxy.invalid" }),
    "; it went through the proxy of ALL_PROXY, which NO_PROXY=::1 prevents",
  );
  const none: [string, Record<string, string>][] = [
    ["http://example.org/", PROXY],
    ["http://localhost/", {}],
    ["http://localhost/", { HTTP_PROXY: "" }],
    ["https://localhost/", PROXY],
    ["http://localhost/", { ...PROXY, NO_PROXY: "example.org, localhost" }],
    ["http://a.localhost/", { ...PROXY, no_proxy: ".localhost" }],
    ["http://127.0.0.1/", { ...PROXY, NO_PROXY: "127.0.0.0/8" }],
    ["http://[::1]/", { ...PROXY, NO_PROXY: "::1" }],
    ["http://127.0.0.1/", { ...PROXY, NO_PROXY: "*" }],
  ];
  for (const [address, env] of none) assertEquals(note(address, env), "", address);
});
