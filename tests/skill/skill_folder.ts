import { dirname, join } from "@std/path";
import type { HostEnvironment } from "../../lib/environment/host.ts";
import { discoverSkills, type Discovery } from "../../lib/skill/discovery.ts";
import type { Skill } from "../../lib/skill/skill.ts";
import { temporaryHost } from "../environment/temporary_host.ts";

/** A workspace and a home with skills in them, on the real file system; both go with it. */
export class SkillFolder implements AsyncDisposable {
  private constructor(
    readonly environment: HostEnvironment,
    /** Absolute and real. */
    readonly workspace: string,
    readonly home: string,
    private readonly remove: () => PromiseLike<void>,
  ) {}

  static async open(): Promise<SkillFolder> {
    const host = await temporaryHost();
    const home = host.environment.resolve("~");
    return new SkillFolder(host.environment, host.folder, home, () => host[Symbol.asyncDispose]());
  }

  /** Writes `.agents/skills/<path>` of the workspace; the answer is its absolute path. */
  async write(path: string, content: string | Uint8Array): Promise<string> {
    const file = this.path(path);
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeFile(
      file,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
    return file;
  }

  path(path: string): string {
    return join(this.workspace, ".agents/skills", path);
  }

  discover(builtIn: readonly Skill[] = []): Promise<Discovery> {
    return discoverSkills(this.environment, builtIn);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.remove();
  }
}

/** The text of a skill. */
export function skillText(name: string, description = `About ${name}.`, body = "Do it.\n"): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;
}
