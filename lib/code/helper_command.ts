import { fromFileUrl } from "@std/path";
import { BubError, toBubError } from "../errors.ts";

/** The first argument that makes this program a helper; `main.ts` knows it too. */
export const HELPER_ARGUMENT = "--code-helper";

/** Variables that a helper gets: where Deno keeps what it has compiled, and what Windows needs. */
const KEPT_VARIABLES = [
  "DENO_DIR",
  "HOME",
  "XDG_CACHE_HOME",
  "USERPROFILE",
  "LOCALAPPDATA",
  "APPDATA",
  "SystemRoot",
  "TEMP",
  "TMP",
];

/** Starts a helper process. Throws `permission` where that is not allowed, else `tool`. */
export function spawnHelper(): Deno.ChildProcess {
  // A compiled program has no `deno run` in it, and its own modules inside.
  const args = Deno.build.standalone ? [HELPER_ARGUMENT] : fromSource();
  try {
    return new Deno.Command(Deno.execPath(), {
      args,
      clearEnv: true,
      env: { ...keptVariables(), DENO_NO_UPDATE_CHECK: "1" },
      // The folder of the user may be gone.
      ...(Deno.build.os === "windows" ? {} : { cwd: "/" }),
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
  } catch (thrown) {
    const { kind, message } = toBubError(thrown, "tool");
    throw new BubError(kind, `code runs in a process of its own: ${message}`, { cause: thrown });
  }
}

/** Arguments of `deno`, with the right to read what is loaded and no other. */
function fromSource(): string[] {
  const modules = fromFileUrl(new URL("./", import.meta.url)).replaceAll(",", ",,");
  const nothingElse = ["--no-prompt", "--no-config", "--no-lock", "--no-npm", "--no-remote"];
  const flags = [...nothingElse, "--quiet", "--no-check", "--unstable-worker-options"];
  const program = fromFileUrl(new URL("./helper_program.ts", import.meta.url));
  return ["run", ...flags, `--allow-read=${modules}`, program];
}

function keptVariables(): Record<string, string> {
  const kept = KEPT_VARIABLES.flatMap((name) => {
    const { state } = Deno.permissions.querySync({ name: "env", variable: name });
    const value = state === "granted" ? Deno.env.get(name) : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(kept);
}
