import { join } from "@std/path";
import { runProcess } from "./process.ts";
import type { Row } from "./row.ts";

/** Programs that do what bub does, by the name of their command. */
const PEERS = ["codex", "claude", "pi", "opencode"];

export interface Peers {
  readonly rows: readonly Row[];
  /** Those that are not on `PATH`. */
  readonly missing: readonly string[];
}

/** A row for each peer on `PATH`, to read beside `version`. */
export function findPeers(path = Deno.env.get("PATH") ?? ""): Peers {
  const folders = path.split(Deno.build.os === "windows" ? ";" : ":");
  const isThere = (name: string) => folders.some((folder) => isFile(join(folder, name)));
  const here = PEERS.filter(isThere);
  return { rows: here.map(peerVersion), missing: PEERS.filter((name) => !here.includes(name)) };
}

/** The whole process of a peer's `--version`. Floor: `deno run` of an empty file. */
function peerVersion(program: string): Row {
  return {
    name: `${program}-version`,
    what: `${program} --version, whole process`,
    unit: "ms",
    warmUps: 1,
    rounds: 7,
    open: (bench) =>
      Promise.resolve(async () => {
        const { wallMs: floor } = await runProcess(bench.bare("empty.ts"));
        const { wallMs: value } = await runProcess(bench.other(program, "--version"));
        return { value, floor };
      }),
  };
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    // Missing, or in a folder that is closed to us: not to be run.
    return false;
  }
}
