import { fromFileUrl } from "@std/path";
import { assertEquals, assertStringIncludes } from "../assert.ts";
import { resolveBounds } from "../../lib/environment/bounds.ts";
import { ProgramRules } from "../../lib/environment/program_rules.ts";
import type { Scope } from "../../lib/environment/scope.ts";
import { workerPermissions } from "../../lib/environment/scope_permissions.ts";
import { inChild, type Operation } from "./child_host.ts";
import { RawServer, respond } from "./raw_server.ts";
import { temporaryHost } from "./temporary_host.ts";

/** Of a process that is allowed little: its own source, which it loads as it goes. */
const SOURCE = fromFileUrl(new URL("../../", import.meta.url));

Deno.test("E3 workerPermissions() lists what is allowed, by both spellings, and nothing else", () => {
  const scope: Scope = {
    allow: {
      read: ["/usr"],
      net: ["a.test", "*.b.test:80", "10.0.0.0/8"],
      run: ["sh"],
      env: ["A*"],
    },
    deny: { write: ["/x"] },
  };
  const permissions = (scope: Scope) => {
    const bounds = resolveBounds(scope, "/");
    return workerPermissions(bounds, new ProgramRules(bounds.run, ""));
  };
  assertEquals<unknown>(permissions(scope), {
    read: ["/usr"],
    write: [],
    net: ["a.test", "*.b.test:80", "10.0.0.0/8"],
    run: ["sh"],
    env: ["A*"],
    sys: false,
    ffi: false,
    import: false,
  });
  const { read, write } = permissions({ allow: {}, deny: { read: ["/x"] } });
  assertEquals([read, write], ["inherit", "inherit"]);
});

Deno.test("E3 E4 in a process that is narrow itself, tools have what both allow", async () => {
  await using host = await temporaryHost();
  await using server = new RawServer(({ connection }) => respond(connection, "200 OK", [], "hi"));
  const { folder } = host;
  const { port } = new URL(server.url);
  for (const name of ["both", "process", "scope", "hidden"]) {
    await Deno.mkdir(`${folder}/${name}`);
    await Deno.writeTextFile(`${folder}/${name}/f`, name);
  }
  const permissions = [
    `--allow-read=${SOURCE},${folder}/both,${folder}/process`,
    `--deny-read=${folder}/both/hidden`,
    `--allow-write=${folder}/both`,
    `--allow-net=127.0.0.1:${port}`,
  ];
  await Deno.writeTextFile(`${folder}/both/hidden`, "hidden");
  const operations: Operation[] = [
    ["read", "both/f"],
    ["read", "both/hidden"],
    ["read", "process/f"],
    ["read", "scope/f"],
    ["write", "both/new", "x"],
    ["write", "scope/new", "x"],
    ["fetch", server.url],
    ["fetch", `http://localhost:${port}/`],
    ["run", "true"],
  ];
  const scope: Scope = {
    allow: {
      read: ["both", "scope"],
      write: ["both", "scope"],
      net: ["127.0.0.1", "*.test"],
      run: ["bash"],
    },
    deny: {},
  };
  const outcomes = await inChild(folder, operations, { permissions, scope });
  // Less than what a rule names is denied to the process.
  const partly = { permissions, scope: { allow: { read: ["both"] }, deny: {} } };
  const [whole, part] = await inChild(folder, operations.slice(0, 2), partly);
  assertEquals<unknown>([whole, part], outcomes.slice(0, 2));
  const told = outcomes.map((outcome) =>
    "value" in outcome ? outcome.value : `${outcome.error.kind}: ${outcome.error.message}`
  );
  const missing = (access: string, path: string) => {
    const target = `${folder}/${path}`;
    return `permission: ${access} access to "${target}" is not allowed; ` +
      `--allow-${access}="${target}" grants it`;
  };
  const net = `localhost:${port}`;
  assertEquals(told.slice(0, 8), [
    "both",
    `permission: read access to "${folder}/both/hidden" is denied by --deny-read of the process`,
    missing("read", "process/f"),
    missing("read", "scope/f"),
    "",
    missing("read", "scope/new"),
    "hi",
    `permission: net access to "${net}" is not allowed; --allow-net=${net} grants it`,
  ]);
  assertStringIncludes(told[8] ?? "", "permission: ");
  assertEquals(await Deno.readTextFile(`${folder}/both/new`), "x");
});

Deno.test("E4 without the right to read its own source the Worker fails, and says so", async () => {
  await using host = await temporaryHost();
  const scope: Scope = { allow: { read: true }, deny: {} };
  const permissions = [`--allow-read=${host.folder}`];
  const [first, second] = await inChild(host.folder, [["read", "a"], ["read", "b"]], {
    permissions,
    scope,
  });
  for (const outcome of [first, second]) {
    const error = outcome !== undefined && "error" in outcome ? outcome.error : undefined;
    assertEquals(error?.kind, "internal");
    assertStringIncludes(error?.message ?? "", "scope_worker.ts");
  }
});
