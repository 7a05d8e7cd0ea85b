import { fromFileUrl } from "@std/path";
import { assertEquals, assertStringIncludes } from "../assert.ts";
import { type BubError, toBubError } from "../../lib/errors.ts";
import type { Scope } from "../../lib/environment/scope.ts";
import { inChild, type Operation } from "./child_host.ts";
import { RawServer, respond } from "./raw_server.ts";
import { temporaryHost } from "./temporary_host.ts";

/** The messages of the errors, and the values of the rest. */
async function outcomes(
  folder: string,
  operations: Operation[],
  permissions: string[],
  scope?: Scope,
) {
  const all = await inChild(folder, operations, { permissions, ...(scope && { scope }) });
  return all.map((outcome) => {
    if ("value" in outcome) return outcome.value;
    return `${outcome.error.kind}: ${outcome.error.message}`;
  });
}

Deno.test("E4 a denied operation names the access and the flag, and the rest goes on", async () => {
  await using host = await temporaryHost();
  await using server = new RawServer(({ connection }) => respond(connection, "200 OK", [], "hi"));
  const { folder } = host;
  const { port } = new URL(server.url);
  await Deno.writeTextFile(`${folder}/seen`, "content");
  const operations: Operation[] = [
    ["read", "seen"],
    ["read", "/etc/hosts"],
    ["write", "seen", "x"],
    ["fetch", `${server.url}/`],
    ["fetch", `http://localhost:${port}/`],
    ["run", "true"],
  ];
  const permissions = [`--allow-read=${folder}`, `--allow-net=127.0.0.1:${port}`];
  const [read, hosts, write, fetched, other, run] = await outcomes(folder, operations, permissions);
  assertEquals(read, "content");
  assertEquals(
    hosts,
    'permission: read access to "/etc/hosts" is not allowed; --allow-read=/etc/hosts grants it',
  );
  assertEquals(
    write,
    `permission: write access to "${folder}/seen" is not allowed; ` +
      `--allow-write="${folder}/seen" grants it`,
  );
  assertEquals(fetched, "hi");
  assertEquals(
    other,
    `permission: net access to "localhost:${port}" is not allowed; ` +
      `--allow-net=localhost:${port} grants it`,
  );
  assertStringIncludes(run ?? "", "permission: ");
  assertEquals(await Deno.readTextFile(`${folder}/seen`), "content");
});

Deno.test("E4 B78 a redirect to a host that is not allowed is denied like the host itself", async () => {
  await using host = await temporaryHost();
  await using target = new RawServer(({ connection }) => respond(connection, "200 OK", [], "hi"));
  await using server = new RawServer(({ connection }) =>
    respond(connection, "302 Found", [`Location: ${target.url}/`])
  );
  const [first] = await outcomes(host.folder, [["fetch", server.url]], [
    `--allow-net=${new URL(server.url).host}`,
  ]);
  const inner = new URL(target.url).host;
  assertEquals(
    first,
    `permission: net access to "${inner}" is not allowed; --allow-net=${inner} grants it`,
  );
  assertEquals(target.requests.length, 0);
});

Deno.test("E4 an address that is denied to the process is denied behind a name too", async () => {
  await using host = await temporaryHost();
  await using server = new RawServer(({ connection }) => respond(connection, "200 OK", [], "hi"));
  const { port } = new URL(server.url);
  const [outcome] = await outcomes(host.folder, [["fetch", `http://localhost:${port}/`]], [
    "--allow-net",
    "--deny-net=127.0.0.1,[::1]",
  ]);
  assertStringIncludes(outcome ?? "", `permission: net access to "`);
  assertEquals(server.requests.length, 0);
});

/** The program's own source: a scope's Worker is loaded from it. */
const SOURCE = fromFileUrl(new URL("../../", import.meta.url));

for (
  const [how, scope] of [["", undefined], [" with real paths", { allow: {}, deny: {} }]] as const
) {
  Deno.test(`E4 F3 the right to one file is enough to write and change just that${how}`, async () => {
    await using host = await temporaryHost();
    const { folder } = host;
    await Deno.writeTextFile(`${folder}/old`, "before, and longer");
    const one = [
      `--allow-read=${SOURCE},${folder}/old,${folder}/new`,
      `--allow-write=${folder}/old,${folder}/new`,
    ];
    const operations: Operation[] = [
      ["write", "old", "one"],
      ["update", "old", "two"],
      ["write", "new", "three"],
      ["write", "other", "four"],
    ];
    const results = await outcomes(folder, operations, one, scope);
    assertEquals(results.slice(0, 3), ["", "", ""]);
    assertStringIncludes(results[3] ?? "", `permission: read access to "${folder}/other"`);
    assertEquals(await Deno.readTextFile(`${folder}/old`), "two");
    assertEquals(await Deno.readTextFile(`${folder}/new`), "three");
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    assertEquals(names.sort(), ["new", "old"]);
  });
}

Deno.test("E4 toBubError() finds access and flag in every form of Deno's sentence", () => {
  const compiled = "specify the required permissions during compilation using `deno compile ";
  const sentences = [
    [
      'Requires env access to "HOME", run again with the --allow-env flag',
      'env access to "HOME" is not allowed; --allow-env=HOME grants it',
    ],
    [
      "Requires env access, run again with the --allow-env flag",
      "env access is not allowed; --allow-env grants it",
    ],
    [
      'Requires all access to "/proc/self/environ", run again with the --allow-all flag',
      'all access to "/proc/self/environ" is not allowed; --allow-all grants it',
    ],
    [
      'Requires read access to "/a, b,c", run again with the --allow-read flag',
      'read access to "/a, b,c" is not allowed; --allow-read="/a,, b,,c" grants it',
    ],
    [
      `Requires run access to "ls", ${compiled}--allow-run\``,
      'run access to "ls" is not allowed; --allow-run=ls grants it',
    ],
    ["something new", "something new"],
  ] as const;
  for (const [sentence, message] of sentences) {
    const error: BubError = toBubError(new Deno.errors.NotCapable(sentence));
    assertEquals([error.kind, error.message], ["permission", message]);
  }
});
