import type { Edge, ModuleGraph } from "./module_graph.ts";

interface Layer {
  readonly name: string;
  /** Files, and folders with a slash at the end; of several that fit the longest counts. */
  readonly paths: readonly string[];
  /** Instead of everything below: the layers and folders that may be imported. */
  readonly only?: readonly string[];
}

/** The house, from the ground up: a module imports from its own layer and from those before it. */
export const LAYERS: readonly Layer[] = [
  {
    name: "ground",
    paths: [
      "deno.json",
      "lib/alarm.ts",
      "lib/errors.ts",
      "lib/json.ts",
      "lib/process_denial.ts",
      "lib/settled.ts",
      "lib/version.ts",
      "lib/close_match.ts",
      "lib/content/",
    ],
  },
  {
    name: "contracts",
    paths: [
      "lib/event.ts",
      "lib/tape/entry.ts",
      "lib/tape/store.ts",
      "lib/tool/tool.ts",
      "lib/tool/output.ts",
      "lib/model/model.ts",
      "lib/environment/environment.ts",
      "lib/environment/scope.ts",
      "lib/config/settings.ts",
      "lib/code/sandbox.ts",
      "lib/tool/code_port.ts",
      "lib/skill/skill.ts",
      "lib/subagent/port.ts",
    ],
  },
  {
    name: "implementations",
    paths: ["lib/tape/", "lib/tool/", "lib/model/", "lib/environment/", "lib/config/"],
  },
  {
    name: "features",
    paths: [
      "lib/code/",
      "lib/subagent/",
      "lib/skill/",
      "lib/hook/",
      "lib/plugin/",
      "lib/spill/",
    ],
  },
  { name: "kernel", paths: ["lib/kernel/"] },
  { name: "app", paths: ["lib/app.ts", "lib/recordings.ts"] },
  { name: "cli", paths: ["lib/cli/"] },
  {
    name: "tools",
    paths: ["tools/"],
    only: ["ground", "contracts", "lib/tool/", "features", "tools"],
  },
  { name: "main", paths: ["main.ts"] },
];

/** The sentences about edges that the layers do not allow. */
export function checkLayers(graph: ModuleGraph): string[] {
  return graph.flatMap((edge) => checkEdge(edge) ?? []);
}

function checkEdge(edge: Edge): string | undefined {
  const from = layerOf(edge.from);
  if (from === undefined) {
    return /^(lib|tools)\//.test(edge.from) ? `${edge.from} is in no layer` : undefined;
  }
  if (!isOwn(edge.to)) return undefined;
  const to = layerOf(edge.to);
  if (to === undefined) return `${edge.from} imports ${edge.to}, which is in no layer`;
  if (allows(from, to, edge)) return undefined;
  return `${edge.from} (${from.name}) must not import ${edge.to} (${to.name})`;
}

function allows(from: Layer, to: Layer, edge: Edge): boolean {
  if (from.only !== undefined) {
    return from.only.some((name) => name === to.name || edge.to.startsWith(name));
  }
  // Contracts speak of each other's surroundings; types alone tie nothing together.
  if (edge.kind === "type" && from.name === "contracts" && to.name === "implementations") {
    return true;
  }
  return LAYERS.indexOf(to) <= LAYERS.indexOf(from);
}

function layerOf(path: string): Layer | undefined {
  let best: { layer: Layer; length: number } | undefined;
  for (const layer of LAYERS) {
    for (const prefix of layer.paths) {
      const fits = prefix.endsWith("/") ? path.startsWith(prefix) : path === prefix;
      if (fits && prefix.length > (best?.length ?? 0)) best = { layer, length: prefix.length };
    }
  }
  return best?.layer;
}

function isOwn(path: string): boolean {
  return !path.startsWith("@std/") && !/^\w+:/.test(path);
}
