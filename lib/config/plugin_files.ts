import { fromFileUrl, isAbsolute, join, resolve } from "@std/path";

/** Where the plugins are named. */
export interface PluginNames {
  /** Paths in the configuration file, relative to its folder. */
  readonly configured: readonly string[];
  readonly configFolder: string;
  /** Paths on the command line, relative to the folder it was typed in. */
  readonly given: readonly string[];
  readonly startFolder: string;
  /** The folder of the user, for `~`; undefined: `~` stays. */
  readonly userFolder: string | undefined;
}

/** Absolute paths of the plugins, each once: those of the configuration, then those given. */
export function pluginFiles(names: PluginNames): readonly string[] {
  const { configured, configFolder, given, startFolder, userFolder } = names;
  return [
    ...new Set([
      ...configured.map((path) => absolutePath(path, configFolder, userFolder)),
      ...given.map((path) => absolutePath(path, startFolder, userFolder)),
    ]),
  ];
}

function absolutePath(path: string, folder: string, userFolder: string | undefined): string {
  if (/^file:/i.test(path)) return fromFileUrl(path);
  if (userFolder !== undefined && /^~(?=$|[/\\])/.test(path)) {
    return join(userFolder, path.slice(1));
  }
  return isAbsolute(path) ? path : resolve(folder, path);
}
