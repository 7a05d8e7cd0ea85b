import { join } from "@std/path";
import { type LoadOptions, loadPlugins, type PluginReport } from "../../lib/plugin/load.ts";
import type { PluginParts } from "../../lib/plugin/plugin.ts";

/** A folder for plugins written by a test; removed at the end. */
export class PluginFolder implements AsyncDisposable {
  #count = 0;

  private constructor(readonly path: string) {}

  static async make(): Promise<PluginFolder> {
    return new PluginFolder(await Deno.realPath(await Deno.makeTempDir({ prefix: "bub-plugin-" })));
  }

  /** Writes a module under a name of its own and returns its path. */
  async write(source: string, extension = "ts"): Promise<string> {
    const path = join(this.path, `plugin_${this.#count++}.${extension}`);
    await Deno.writeTextFile(path, source);
    return path;
  }

  /** Loads modules with these sources, without built-in tools unless the options have some. */
  async load(sources: readonly string[], options: Partial<LoadOptions> = {}) {
    const files: string[] = [];
    for (const source of sources) files.push(await this.write(source));
    return await loadPlugins(files, { tools: [], ...options });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}

/** What a report says is wrong; fails the test when nothing is. */
export function problemOf(report: PluginReport | undefined): string {
  if (report?.status === "broken") return report.problem;
  throw new Error(`expected a broken plugin, got ${Deno.inspect(report)}`);
}

/** What a plugin brings; fails the test when it is broken. */
export function partsOf(report: PluginReport | undefined): PluginParts {
  if (report?.status === "loaded") return report.parts;
  throw new Error(`expected a plugin, got ${Deno.inspect(report)}`);
}

/** An example of docs/plugins/, on disk. */
export function examplePath(name: string): string {
  return decodeURIComponent(new URL(`../../docs/plugins/${name}`, import.meta.url).pathname);
}
