import { join } from "@std/path";
import type { Environment } from "../../lib/environment/environment.ts";
import { HostEnvironment } from "../../lib/environment/host.ts";
import { ScopedEnvironment } from "../../lib/environment/scoped.ts";
import type { Bench } from "./bench.ts";
import type { Row } from "./row.ts";

/** An operation, and how often it is done for one sample. */
interface Operation {
  readonly name: string;
  readonly what: string;
  readonly times: number;
  readonly operate: (environment: Environment) => Promise<unknown>;
}

const data = new Uint8Array(1000);

/** What operations cost in a scope, one after the other. Floor: the same on the host itself. */
export const scopedOperations: readonly Row[] = [
  row({
    name: "scoped-stat",
    what: "stat of a file in a scope",
    times: 500,
    operate: (environment) => environment.stat("file"),
  }),
  row({
    name: "scoped-read",
    what: "reading 1 kB in a scope",
    times: 500,
    operate: (environment) => environment.readFile("file"),
  }),
  row({
    name: "scoped-write",
    what: "writing 1 kB in a scope",
    times: 200,
    operate: (environment) => environment.writeFile("file", data),
  }),
  row({
    name: "scoped-shell",
    what: "a shell that does nothing, in a scope",
    times: 20,
    operate: async (environment) => {
      const shells = environment.createShells();
      await (await shells.start("true")).ended;
      await shells.stopAll();
    },
  }),
];

function row({ name, what, times, operate }: Operation): Row {
  return {
    name,
    what,
    unit: "µs",
    warmUps: 1,
    rounds: 9,
    open: async (bench) => {
      const { host, scoped } = await environments(bench, name);
      return async () => {
        const floor = await cost(() => operate(host), times);
        return { floor, value: await cost(() => operate(scoped), times) };
      };
    },
  };
}

async function environments(bench: Bench, name: string) {
  const folder = join(await Deno.realPath(bench.folder), name);
  await Deno.mkdir(folder);
  await Deno.writeFile(join(folder, "file"), data);
  const options = {
    workspace: folder,
    homeFolder: undefined,
    outputFolder: join(folder, "output"),
    env: Deno.env.toObject(),
    envPass: [],
    providerKeys: [],
  };
  const scope = { allow: { read: ["."], write: ["."], run: ["bash"] }, deny: {} };
  const scoped = new ScopedEnvironment({ ...options, scope, ownFiles: [] });
  bench.resources.use(scoped);
  return { host: new HostEnvironment(options), scoped };
}

/** Microseconds that `operate` takes. */
async function cost(operate: () => Promise<unknown>, times: number): Promise<number> {
  const start = performance.now();
  for (let n = 0; n < times; n++) await operate();
  return (performance.now() - start) / times * 1000;
}
