import { fromFileUrl, join } from "@std/path";
import { ROOT } from "../import_map.ts";
import { programFlags } from "../program_flags.ts";
import { chooseRegistry, flagsFor } from "../registry.ts";
import { BenchModel } from "./model.ts";
import type { Job } from "./model_server.ts";
import type { ProcessOptions } from "./process.ts";

/** What all rows share: a temporary folder, the model server, and how to start a program. */
export class Bench implements AsyncDisposable {
  /** A temporary folder that goes with the bench. */
  readonly folder: string;
  readonly model: BenchModel;
  /** Released, last first, when the bench ends. */
  readonly resources: AsyncDisposableStack;
  /** `deno` and its arguments, or the program that `BUB_BIN` names. */
  readonly #bub: readonly [program: string, ...args: string[]];
  readonly #env: Readonly<Record<string, string>>;
  #sessions = 0;

  private constructor(
    folder: string,
    model: BenchModel,
    resources: AsyncDisposableStack,
    flags: readonly string[],
  ) {
    this.folder = folder;
    this.model = model;
    this.resources = resources;
    const binary = Deno.env.get("BUB_BIN");
    this.#bub = binary ? [binary] : [
      Deno.execPath(),
      "run",
      ...programFlags(),
      ...flags,
      fromFileUrl(new URL("main.ts", ROOT)),
    ];
    this.#env = benchVariables(folder, model.base);
  }

  static async open(): Promise<Bench> {
    await using resources = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir({ prefix: "bub-bench-" });
    resources.defer(() => Deno.remove(folder, { recursive: true }));
    for (const name of ["home", "workspace"]) await Deno.mkdir(join(folder, name));
    const { registry } = await chooseRegistry();
    const flags = flagsFor(registry);
    const model = resources.use(await BenchModel.start(flags));
    return new Bench(folder, model, resources.move(), flags);
  }

  /** How bub is started here, for the head of the table. */
  get program(): string {
    return this.#bub.join(" ");
  }

  /** bub with these arguments, in an empty workspace. */
  bub(...args: string[]): ProcessOptions {
    const [program, ...first] = this.#bub;
    return this.#process(program, [...first, ...args]);
  }

  /** `bub run` of a job for the bench's model, in a session of its own. */
  run(job: Job): ProcessOptions {
    return this.#run(job, "text");
  }

  /** The same with the json result. */
  runJson(job: Job): ProcessOptions {
    return this.#run(job, "json");
  }

  /** `deno run` of a script beside this file, with neither configuration nor lock file. */
  bare(script: string, ...args: string[]): ProcessOptions {
    const path = fromFileUrl(new URL(script, import.meta.url));
    const flags = ["run", "-q", "-A", "--no-config", "--no-lock", "--no-check"];
    return this.#process(Deno.execPath(), [...flags, path, ...args]);
  }

  /** Another program, as the rows run it. */
  other(program: string, ...args: string[]): ProcessOptions {
    return this.#process(program, args);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.resources.disposeAsync();
  }

  #run(job: Job, output: string): ProcessOptions {
    const session = `bench:${++this.#sessions}`;
    const text = JSON.stringify(job);
    return this.bub("run", "-q", "--output", output, "--session-id", session, text);
  }

  #process(program: string, args: readonly string[]): ProcessOptions {
    return { program, args, cwd: join(this.folder, "workspace"), env: this.#env };
  }
}

/** The user's variables, less bub's own, of which only these are set. */
function benchVariables(folder: string, base: string): Record<string, string> {
  const own = Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("BUB_"));
  return {
    ...Object.fromEntries(own),
    BUB_HOME: join(folder, "home"),
    BUB_MODEL: "openai-compatible:bench",
    BUB_API_BASE: base,
    NO_PROXY: "127.0.0.1",
  };
}
