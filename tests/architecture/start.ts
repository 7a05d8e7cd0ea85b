import type { ModuleGraph } from "./module_graph.ts";

/**
 * Packages that take milliseconds to load, and what only plugins or code mode need; they are
 * imported where and when they are used.
 */
const HEAVY =
  /^(npm:\/?(zod|@ai-sdk\/|fuse\.js|js-yaml)|lib\/(hook|plugin)\/|lib\/code\/(?!lazy_sandbox\.ts))/;

/** The heavy packages that starting at `entry` loads, each with the way to it. */
export function heavyAtStart(graph: ModuleGraph, entry: string): string[] {
  const code = graph.filter(({ kind }) => kind === "code");
  const next = Map.groupBy(code, ({ from }) => from);
  const ways = new Map([[entry, entry]]);
  for (const [node, way] of ways) {
    for (const { to } of next.get(node) ?? []) {
      if (!ways.has(to)) ways.set(to, `${way} -> ${to}`);
    }
  }
  return [...ways].filter(([node]) => HEAVY.test(node)).map(([, way]) => way);
}
