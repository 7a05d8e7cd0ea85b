import { assert, assertEquals } from "../assert.ts";
import { fromFileUrl } from "@std/path";
import { SECRET, temporaryScope } from "./temporary_scope.ts";

const text = (data: Uint8Array) => new TextDecoder().decode(data);
const data = new TextEncoder().encode("written");

/** How long swaps and operations go on, in milliseconds. */
const ATTACK_MS = 500;

/** Swaps a path with a link to `target` until it is disposed of. */
async function swapper(path: string, target: string): Promise<AsyncDisposable> {
  const script = fromFileUrl(import.meta.resolve("./link_swapper.ts"));
  const args = ["run", "-A", "--no-config", "--no-lock", "--no-check", script, path, target];
  const child = new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  assertEquals(text(value ?? new Uint8Array()), "swapping\n");
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await reader.cancel();
      await child.status;
    },
  };
}

Deno.test({
  name: "E3 a folder that is swapped with a link at full speed leaks nothing and changes nothing",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using scope = await temporaryScope((folder) => ({
      allow: { read: [folder], write: [folder] },
      deny: {},
    }));
    const { environment, folder, outside } = scope;
    await Deno.mkdir(`${folder}/d`);
    await Deno.writeTextFile(`${folder}/d/f`, "inside");
    await Deno.writeTextFile(`${outside}/f`, SECRET);
    const before = await contents(outside);
    {
      await using _swapper = await swapper(`${folder}/d`, "../outside");
      const end = performance.now() + ATTACK_MS;
      let inside = 0;
      // Where nothing ever succeeds it would not be the guard that nothing comes through.
      for (let i = 0; performance.now() < end || inside === 0; i++) {
        const settled = await Promise.allSettled([
          environment.readFile("d/f").then(text),
          environment.stat("d/secret"),
          environment.listFolder("d").then((entries) => entries.map(({ name }) => name).join()),
          environment.writeFile("d/f", data),
          environment.writeFile(`d/new ${i}`, data),
          environment.writeFile(`d/folder ${i}/new`, data),
          environment.updateFile("d/f", () => data),
        ]);
        const [read, stat, list] = settled;
        if (read.status === "fulfilled") {
          assert(["inside", "written"].includes(read.value), read.value);
        }
        assertEquals(stat.status, "rejected");
        if (list.status === "fulfilled") assert(!list.value.includes("secret"), list.value);
        inside += settled.filter(({ status }) => status === "fulfilled").length;
      }
    }
    assertEquals(await contents(outside), before);
  },
});

Deno.test({
  name: "E3 a file that is swapped with a link to a denied one leaks nothing and changes nothing",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using scope = await temporaryScope((_folder, root) => ({
      allow: {},
      deny: { read: [`${root}/outside`], write: [`${root}/outside`] },
    }));
    const { environment, folder, outside } = scope;
    await Deno.writeFile(`${folder}/f`, data);
    // Of two names, so that it is written in place.
    await Deno.link(`${folder}/f`, `${folder}/twin`);
    const before = await contents(outside);
    {
      await using _swapper = await swapper(`${folder}/f`, "../outside/secret");
      const end = performance.now() + ATTACK_MS;
      let inside = 0;
      // Where nothing ever succeeds it would not be the guard that nothing comes through.
      while (performance.now() < end || inside === 0) {
        const reading = Array.from({ length: 4 }, () => environment.readFile("f").then(text));
        const writing = environment.writeFile("f", data).then(() => "written");
        const settled = await Promise.allSettled([...reading, writing]);
        for (const outcome of settled) {
          if (outcome.status === "rejected") continue;
          assertEquals(outcome.value, "written");
        }
        inside += settled.filter(({ status }) => status === "fulfilled").length;
      }
    }
    assertEquals(await contents(outside), before);
  },
});

/**
 * What is in a folder, by name, less what is empty and of random name: where a swap comes between
 * the last look and the making of a temporary file, it may be made outside, and removing it may fail.
 */
async function contents(folder: string): Promise<Record<string, string>> {
  const entries = await Array.fromAsync(Deno.readDir(folder), async ({ name, isFile }) => {
    const content = isFile ? await Deno.readTextFile(`${folder}/${name}`) : "(a folder)";
    return [name, content] as const;
  });
  const isRemnant = ([name, content]: readonly [string, string]) =>
    /^\.bub-[-0-9a-f]{36}\.tmp$/.test(name) && ["", "(a folder)"].includes(content);
  return Object.fromEntries(entries.filter((entry) => !isRemnant(entry)).sort());
}
