import { assertEquals } from "../assert.ts";
import { HostRules, type Lookup } from "../../lib/environment/host_rules.ts";

const nobody: Lookup = () => Promise.resolve([]);

/** The message for an address under rules; empty where it is within bounds. */
async function judged(
  url: string,
  { allow = true, deny = [] }: { allow?: true | string[]; deny?: true | string[] },
  lookup = nobody,
): Promise<string> {
  const outside = await new HostRules({ allow, deny }).judge(new URL(url), lookup);
  return outside?.message ?? "";
}

/** What Deno says of these addresses in a Worker that has this rule. */
async function allowedByDeno(rule: string, urls: readonly string[]): Promise<boolean[]> {
  const hosts = urls.map((url) => {
    const { hostname, port, protocol } = new URL(url);
    return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  });
  const code = `postMessage(${JSON.stringify(hosts)}.map((host) =>
    Deno.permissions.querySync({ name: "net", host }).state === "granted"))`;
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(code)}`, {
    type: "module",
    deno: { permissions: { net: [rule] } },
  });
  const { data } = await new Promise<MessageEvent<boolean[]>>((resolve) => {
    worker.onmessage = resolve;
  });
  worker.terminate();
  return data;
}

Deno.test("E3 HostRules allows names, addresses, ports, wildcards and networks as Deno does", async () => {
  const table: [rule: string, allowed: string[], refused: string[]][] = [
    ["example.com", ["http://example.com/", "https://EXAMPLE.com.:81/"], [
      "http://a.example.com/",
      "http://example.com.evil.test/",
      "http://badexample.com/",
    ]],
    ["example.com:80", ["http://example.com/x", "https://example.com:80/"], [
      "https://example.com/",
      "http://example.com:8080/",
    ]],
    ["*.example.com", ["http://example.com/", "http://a.b.example.com:81/"], [
      "http://badexample.com/",
    ]],
    ["10.0.0.0/8", ["http://10.1.2.3:81/", "http://167838211/"], ["http://11.0.0.1/"]],
    ["10.0.0.0/8:80", ["http://10.255.255.255/"], ["http://10.1.2.3:81/"]],
    ["192.168.4.7/30", ["http://192.168.4.4/", "http://192.168.4.7/"], ["http://192.168.4.8/"]],
    ["0.0.0.0/0", ["http://255.255.255.255/"], ["http://name.test/", "http://[::1]/"]],
    ["[::1]", ["http://[::1]/", "http://[0:0:0:0:0:0:0:1]:9/"], ["http://127.0.0.1/"]],
    ["[::ffff:1.2.3.4]:80", ["http://1.2.3.4/", "http://[::ffff:102:304]/"], ["http://1.2.3.5/"]],
    // A name of a rule is no spelling of an address: Deno does not take it for one either.
    ["127.1", [], ["http://127.0.0.1/", "http://127.1/"]],
    ["localhost", ["http://localhost/"], ["http://127.0.0.1/", "http://[::1]/"]],
  ];
  for (const [rule, allowed, refused] of table) {
    const expected = [...allowed.map(() => true), ...refused.map(() => false)];
    assertEquals(await allowedByDeno(rule, [...allowed, ...refused]), expected, `Deno: ${rule}`);
    for (const url of allowed) assertEquals(await judged(url, { allow: [rule] }), "", url);
    for (const url of refused) {
      const { hostname, port, protocol } = new URL(url);
      const target = `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
      assertEquals(
        await judged(url, { allow: [rule] }),
        `net access to "${target}" is not allowed; --allow-net=${target} grants it`,
      );
    }
  }
});

Deno.test("E3 B78 HostRules denies an address in every spelling, over any allow rule", async () => {
  const spellings = [
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://127.0.0.1./",
    // Connections to no certain address go to this machine.
    "http://0/",
    "http://[::]/",
  ];
  for (const url of spellings) {
    for (const rule of ["127.0.0.1", "127.0.0.0/8", "127.0.0.1:80"]) {
      for (const allow of [true, ["127.0.0.1", "0.0.0.0", "[::]"]] as const) {
        const message = await judged(url, {
          allow: allow === true ? true : [...allow],
          deny: [rule],
        });
        assertEquals(
          message.endsWith(` is denied by --deny-net=${rule}`),
          true,
          `${url} ${message}`,
        );
      }
    }
  }
  assertEquals(await judged("http://127.0.0.1:81/", { deny: ["127.0.0.1:80"] }), "");
  assertEquals(
    await judged("http://a.test/", { allow: ["a.test"], deny: true }),
    'net access to "a.test:80" is denied by --deny-net',
  );
});

Deno.test("E3 B78 HostRules denies names that lead to denied addresses, and asks only then", async () => {
  const asked: string[] = [];
  const lookup = (name: string) => {
    asked.push(name);
    return Promise.resolve(["93.184.216.34", "::ffff:10.1.2.3", "fe80::1%eth0"]);
  };
  for (const rule of ["10.0.0.0/8", "[fe80::1]", "93.184.216.34:80"]) {
    const message = await judged("http://inner.test/", { deny: [rule] }, lookup);
    assertEquals(message, `net access to "inner.test:80" is denied by --deny-net=${rule}`);
  }
  assertEquals(asked, ["inner.test", "inner.test", "inner.test"]);
  assertEquals(await judged("http://inner.test:81/", { deny: ["93.184.216.34:80"] }, lookup), "");
  assertEquals(await judged("http://inner.test/", { deny: ["192.168.0.0/16"] }, lookup), "");
  asked.length = 0;
  await judged("http://inner.test/", { deny: ["other.test", "*.test"] }, lookup);
  await judged("http://inner.test/", { allow: ["a.test"], deny: ["10.0.0.0/8"] }, lookup);
  await judged("http://10.1.2.3/", { deny: ["10.0.0.0/8"] }, lookup);
  assertEquals(asked, []);
});
