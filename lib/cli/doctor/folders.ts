import { join } from "@std/path";
import { findHome, homeProblem } from "../../config/home.ts";
import type { Configuration } from "../../config/resolve.ts";
import { isGranted } from "../../environment/granted.ts";
import { missingAccess } from "../../errors.ts";
import type { Section } from "./section.ts";

/** Where things are, and whether what a run records can be saved. */
export function foldersSection(
  { settings: { workspace, home, env }, configFile }: Configuration,
  envFile: string | undefined,
): Section {
  const place = findHome(env);
  const problem = homeProblem(place);
  const sentence = problem === undefined
    ? []
    : place.explicit
    ? [`BUB_HOME=${place.path} cannot be used: ${problem}`]
    : [`nothing would be saved: ${problem}; BUB_HOME can name another folder`];
  const unreadable = isGranted({ name: "read", path: workspace })
    ? []
    : [`tools cannot read the workspace: ${missingAccess("read", workspace)}`];
  return {
    name: "folders",
    facts: {
      workspace,
      home: home ?? null,
      home_is_writable: problem === undefined,
      config_file: configFile !== undefined && isFile(configFile) ? configFile : null,
      env_file: envFile ?? null,
      tapes: home === undefined ? null : join(home, "tapes"),
      media: home === undefined ? null : join(home, "media"),
    },
    problems: place.explicit ? sentence : [],
    notes: [...place.explicit ? [] : sentence, ...unreadable],
  };
}

function isFile(path: string): boolean {
  if (!isGranted({ name: "read", path })) return false;
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
