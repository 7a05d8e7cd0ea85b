import type { ModuleGraph } from "./module_graph.ts";

/** The files that import each other's code in a ring, each ring as `a -> b -> a`. */
export function codeCycles(graph: ModuleGraph): string[] {
  return cycles(graph.filter(({ kind }) => kind !== "type").map(({ from, to }) => [from, to]));
}

/** The rings among folders by way of code; files that lie in no folder of `lib` are left out. */
export function folderCycles(graph: ModuleGraph): string[] {
  const arrows = graph.filter(({ kind }) => kind !== "type")
    .map(({ from, to }) => [folderOf(from), folderOf(to)] as const)
    .filter(([from, to]) => from !== to && from.includes("/") && to.includes("/"));
  return cycles(arrows);
}

/**
 * The rings of files by way of code or types that span more than one folder. Inside of one, types
 * may speak of each other.
 */
export function wideTypeCycles(graph: ModuleGraph): string[] {
  const rings = cycles(graph.map(({ from, to }) => [from, to]));
  return rings.filter((ring) => new Set(ring.split(" -> ").map(folderOf)).size > 1);
}

/** The noun that a file belongs to: `lib/cli` for `lib/cli/chat/keys.ts`, `lib` for `lib/app.ts`. */
function folderOf(path: string): string {
  return path.split("/").slice(0, -1).slice(0, 2).join("/");
}

/** One ring for every arrow that leads back to a node on the way to it. */
function cycles(arrows: readonly (readonly [from: string, to: string])[]): string[] {
  const next = Map.groupBy(arrows, ([from]) => from);
  const found = new Set<string>();
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (node: string) => {
    const at = way.indexOf(node);
    if (at !== -1) found.add([...way.slice(at), node].join(" -> "));
    if (at !== -1 || done.has(node)) return;
    way.push(node);
    for (const [, to] of next.get(node) ?? []) visit(to);
    way.pop();
    done.add(node);
  };
  for (const node of next.keys()) visit(node);
  return [...found];
}
