import { join, toFileUrl } from "@std/path";
import { GENERATED, ROOT } from "../../scripts/import_map.ts";
import { chooseRegistry, flagsFor } from "../../scripts/registry.ts";

/** How one module needs another: for its code, for its code when it gets there, or for types. */
export const EDGE_KINDS = ["code", "dynamic", "type"] as const;
export type EdgeKind = typeof EDGE_KINDS[number];

export interface Edge {
  readonly from: string;
  /** A path like `from`, or an address such as `npm:zod@4.6.7` for what lies outside. */
  readonly to: string;
  readonly kind: EdgeKind;
}

/** Who imports whom; modules of this repository are paths from its root with forward slashes. */
export type ModuleGraph = readonly Edge[];

/** What is used here of the output of `deno info --json`. */
interface Info {
  readonly modules: readonly {
    readonly specifier: string;
    readonly error?: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: { readonly specifier?: string; readonly error?: string };
      readonly type?: { readonly specifier?: string; readonly error?: string };
      readonly isDynamic?: boolean;
    }[];
  }[];
}

/** The paths of all modules in a folder and below it. */
export async function listModules(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(new URL(folder, ROOT))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await listModules(path));
    else if (/\.m?tsx?$/.test(entry.name)) found.push(path);
  }
  return found.sort();
}

/** The graph of the modules given and all they lead to, as `deno info` sees it. */
export async function readGraph(modules: readonly string[]): Promise<ModuleGraph> {
  await Deno.mkdir(GENERATED, { recursive: true });
  await using folder = await temporaryFolder();
  const entry = toFileUrl(join(folder.path, "entry.ts"));
  const imports = modules.map((path) => `import ${JSON.stringify(new URL(path, ROOT).href)};`);
  await Deno.writeTextFile(entry, imports.join("\n"));
  const { registry } = await chooseRegistry();
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", ...flagsFor(registry), entry.href],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  const graph = toGraph(JSON.parse(new TextDecoder().decode(stdout)));
  return graph.filter(({ from }) => from !== pathOf(entry.href));
}

function toGraph(info: Info): ModuleGraph {
  const edges: Edge[] = [];
  for (const module of info.modules) {
    if (module.error !== undefined) throw new Error(`${module.specifier}: ${module.error}`);
    if (!module.specifier.startsWith(ROOT.href)) continue;
    for (const { specifier, code, type, isDynamic } of module.dependencies ?? []) {
      const found = code ?? type;
      if (found?.specifier === undefined) {
        throw new Error(`${module.specifier}: ${specifier}: ${found?.error ?? "not resolved"}`);
      }
      edges.push({
        from: pathOf(module.specifier),
        // The bare name stays: what a registry puts in its place is not this house's.
        to: specifier.startsWith("@std/") ? specifier : pathOf(found.specifier),
        kind: code === undefined ? "type" : isDynamic ? "dynamic" : "code",
      });
    }
  }
  return edges;
}

function pathOf(specifier: string): string {
  return specifier.startsWith(ROOT.href)
    ? decodeURIComponent(specifier.slice(ROOT.href.length))
    : specifier;
}

async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ dir: decodeURIComponent(GENERATED.pathname) });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
