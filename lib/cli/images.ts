import { startFolder } from "../config/workspace.ts";
import { readPath, statPath } from "../environment/host_files.ts";
import { resolvePath } from "../environment/paths.ts";
import { toBubError } from "../errors.ts";
import type { FileReader } from "../tool/bounded_file.ts";
import { parseInbound } from "../tool/command_line.ts";
import { readImage } from "../tool/image_file.ts";
import type { InlineMedia } from "../tool/output.ts";
import { usage } from "./args.ts";

/** What images come with. */
export interface ImagePrompt {
  readonly message: string;
  readonly commandPrefix: string;
  /** The variables of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * The images of `--image`: the user's own files, so no Environment bounds them. Paths start at the
 * folder that the user stands in. Throws `config` for one that models cannot be shown (F2), and
 * where the message is a text command.
 */
export async function readImages(
  paths: readonly string[],
  { message, commandPrefix, env, signal }: ImagePrompt,
): Promise<readonly InlineMedia[]> {
  if (parseInbound(message, commandPrefix).kind === "command") {
    throw usage("--image goes with a message for the model, and this one is a text command");
  }
  const base = { workspace: startFolder(env), homeFolder: env.HOME || env.USERPROFILE };
  const files: FileReader = {
    stat: async (path) => await statPath(resolvePath(path, base), path),
    readFile: async (path, options) => await readPath(resolvePath(path, base), path, options),
  };
  const images: InlineMedia[] = [];
  for (const path of paths) images.push(await image(path, files, signal));
  return images;
}

async function image(path: string, files: FileReader, signal: AbortSignal): Promise<InlineMedia> {
  try {
    return await readImage(path, files, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    throw usage(`--image: ${toBubError(thrown).message}`);
  }
}
