import { assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { BubError } from "../../lib/errors.ts";
import type { FetchOptions } from "../../lib/environment/environment.ts";
import type { Scope, ScopeRule } from "../../lib/environment/scope.ts";
import { RawServer, respond } from "./raw_server.ts";
import { temporaryScope } from "./temporary_scope.ts";

const scope = (allow: ScopeRule | undefined, deny: ScopeRule = []): Scope => ({
  allow: allow === undefined ? {} : { net: allow },
  deny: { net: deny },
});

function options(signal: AbortSignal = AbortSignal.timeout(10_000)): FetchOptions {
  return { headers: new Headers(), maxBytes: 1000, signal };
}

const greeter = () => new RawServer(({ connection }) => respond(connection, "200 OK", [], "hi"));

Deno.test("E3 E4 only allowed hosts are reached, at allowed ports, and each denial names the flag", async () => {
  await using server = greeter();
  const { port } = new URL(server.url);
  await using scoped = await temporaryScope(scope([`127.0.0.1:${port}`]));
  const { environment } = scoped;
  const { body } = await environment.fetch(server.url, options());
  assertEquals(new TextDecoder().decode(body), "hi");
  for (const target of [`localhost:${port}`, "127.0.0.1:1", `[::1]:${port}`]) {
    const { kind, message } = await assertRejects(
      () => environment.fetch(`http://${target}/`, options()),
      BubError,
    );
    assertEquals(kind, "permission");
    assertEquals(
      message,
      `net access to "${target}" is not allowed; --allow-net=${target} grants it`,
    );
  }
  assertEquals(server.requests.length, 1);
});

Deno.test("E3 B78 every hop of a redirect is checked before it is asked", async () => {
  await using target = greeter();
  await using server = new RawServer(({ connection }) =>
    respond(connection, "302 Found", [`Location: ${target.url}/`])
  );
  const [first, last] = [server, target].map(({ url }) => new URL(url).host);
  for (
    const rules of [
      scope([first ?? ""]),
      scope(undefined, [last ?? ""]),
      scope(["127.0.0.1"], [last ?? ""]),
    ]
  ) {
    await using scoped = await temporaryScope(rules);
    const { kind, message } = await assertRejects(
      () => scoped.environment.fetch(server.url, options()),
      BubError,
    );
    assertEquals(kind, "permission");
    assertStringIncludes(message, `net access to "${last}" is `);
  }
  assertEquals([server.requests.length, target.requests.length], [3, 0]);
});

Deno.test("E3 B78 a denied address is not reached in any spelling, nor by a name", async () => {
  await using server = greeter();
  const { port } = new URL(server.url);
  for (const rules of [scope(undefined, ["127.0.0.1"]), scope(true, ["127.0.0.0/8"])]) {
    await using scoped = await temporaryScope(rules);
    for (
      const host of ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0", "localhost"]
    ) {
      const { kind, message } = await assertRejects(
        () => scoped.environment.fetch(`http://${host}:${port}/`, options()),
        BubError,
      );
      assertEquals(kind, "permission", `${host} ${message}`);
      assertStringIncludes(message, "is denied by --deny-net=127.0.0.");
    }
  }
  assertEquals(server.requests.length, 0);
});

Deno.test("E3 a name nobody knows is no denial", async () => {
  await using scoped = await temporaryScope(scope(undefined, ["10.0.0.0/8"]));
  const { kind } = await assertRejects(
    () => scoped.environment.fetch("http://no-such-host.invalid/", options()),
    BubError,
  );
  assertEquals(kind, "tool");
});

Deno.test("W1 B77 a fetch that is aborted ends at once, with its connection", async () => {
  const hungUp = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await using server = new RawServer(async ({ connection }) => {
    asked.resolve();
    await connection.read(new Uint8Array(1)).catch(() => null);
    hungUp.resolve();
  });
  await using scoped = await temporaryScope(scope(["127.0.0.1"]));
  const controller = new AbortController();
  const fetching = scoped.environment.fetch(server.url, options(controller.signal));
  await asked.promise;
  const reason = new BubError("interrupted", "stop");
  controller.abort(reason);
  assertEquals(await assertRejects(() => fetching), reason);
  await hungUp.promise;
});

Deno.test("W1 a failed fetch keeps its kind and message on its way out of the Worker", async () => {
  await using scoped = await temporaryScope(scope(["127.0.0.1"]), {
    env: { HTTP_PROXY: "http://proxy.test" },
  });
  const failure = (url: string) =>
    assertRejects(() => scoped.environment.fetch(url, options()), BubError);
  const refused = await failure("http://127.0.0.1:1/");
  assertEquals(refused.kind, "tool");
  assertStringIncludes(refused.message, "cannot fetch http://127.0.0.1:1/");
  assertStringIncludes(refused.message, "it went through the proxy of HTTP_PROXY");
  assertEquals((await failure("file:///etc/passwd")).kind, "invalid_input");
});
