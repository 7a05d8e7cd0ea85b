/** A host environment, or a scoped one, in a process of its own: does what its argument lists, prints what came out. */
import { HostEnvironment } from "../../lib/environment/host.ts";
// Loaded with the first shell, which here nothing may read by then.
import "../../lib/environment/shell_starter.ts";
import type { Scope } from "../../lib/environment/scope.ts";
import { ScopedEnvironment } from "../../lib/environment/scoped.ts";
import { toBubError } from "../../lib/errors.ts";
import type { Operation, Outcome } from "./child_host.ts";

const { workspace, operations, scope }: {
  workspace: string;
  operations: Operation[];
  scope?: Scope;
} = JSON.parse(Deno.args[0] ?? "");
const options = {
  workspace,
  homeFolder: undefined,
  outputFolder: `${workspace}/output`,
  env: {},
  envPass: [],
  providerKeys: [],
};
const environment = scope === undefined
  ? new HostEnvironment(options)
  : new ScopedEnvironment({ ...options, scope, ownFiles: [] });

async function perform([name, target, text = ""]: Operation): Promise<string> {
  const data = new TextEncoder().encode(text);
  switch (name) {
    case "read":
      return new TextDecoder().decode(await environment.readFile(target));
    case "write":
      await environment.writeFile(target, data);
      return "";
    case "update":
      await environment.updateFile(target, () => data);
      return "";
    case "fetch": {
      const signal = AbortSignal.timeout(10_000);
      const options = { headers: new Headers(), maxBytes: 1000, signal };
      return new TextDecoder().decode((await environment.fetch(target, options)).body);
    }
    case "run": {
      const shells = environment.createShells();
      const shell = await shells.start(target);
      await shell.ended;
      const { text } = await shell.output(0, null);
      await shells.stopAll();
      return text;
    }
  }
}

const outcomes: Outcome[] = [];
for (const operation of operations) {
  try {
    outcomes.push({ value: await perform(operation) });
  } catch (error) {
    outcomes.push({ error: toBubError(error).report() });
  }
}
if (environment instanceof ScopedEnvironment) environment[Symbol.dispose]();
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(outcomes)));
