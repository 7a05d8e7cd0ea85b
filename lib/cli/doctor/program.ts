import { isGranted } from "../../environment/granted.ts";
import { missingAccess } from "../../errors.ts";
import { commit, VERSION } from "../../version.ts";
import type { Section } from "./section.ts";

/** Which program this is, and whether it can start itself, which `run_code` needs. */
export function programSection(): Section {
  const program = Deno.execPath();
  const startsItself = isGranted({ name: "run", command: program });
  return {
    name: "program",
    facts: {
      version: VERSION,
      commit: commit() ?? null,
      deno: Deno.version.deno,
      platform: `${Deno.build.os} ${Deno.build.arch}`,
      runs: origin(),
      run_code: startsItself,
    },
    notes: startsItself ? [] : [`run_code cannot run: ${missingAccess("run", program)}`],
  };
}

function origin(): string {
  if (Deno.build.standalone) return "compiled";
  const { protocol, host } = new URL(import.meta.url);
  return protocol === "file:" ? "from source" : `from ${host}`;
}
