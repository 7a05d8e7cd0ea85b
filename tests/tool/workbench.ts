import { HostEnvironment } from "../../lib/environment/host.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import { SkillCatalog } from "../../lib/skill/catalog.ts";
import { Tape } from "../../lib/tape/tape.ts";
import { executeCall, type ExecuteOptions } from "../../lib/tool/execute.ts";
import type { ToolSet } from "../../lib/tool/registry.ts";
import type { ToolResult } from "../../lib/tool/result.ts";
import type { SessionControl, ToolContext } from "../../lib/tool/tool.ts";

/** Tools are called here without a session; what needs one is tested with an agent. */
const NO_SESSION: SessionControl = {
  change: () => Promise.reject(new Error("no session")),
  quit: () => Promise.reject(new Error("no session")),
};

/** A real environment in a folder of its own, in which tools can be called; dispose it after. */
export class Workbench implements AsyncDisposable {
  readonly context: ToolContext;
  readonly tools: ToolSet;

  private constructor(readonly folder: string, tools: ToolSet, given: Partial<ToolContext>) {
    const environment = new HostEnvironment({
      workspace: folder,
      homeFolder: undefined,
      outputFolder: `${folder}/.output`,
      env: Deno.env.toObject(),
      envPass: [],
      providerKeys: [],
    });
    this.tools = tools;
    this.context = {
      environment,
      shells: environment.createShells(),
      tape: new Tape(new MemoryTapeStore(), "0123456789abcdef__fedcba9876543210"),
      sessionId: "cli:local",
      session: NO_SESSION,
      tools,
      skills: new SkillCatalog(environment, []).open({ allowed: undefined, warn: () => {} }),
      caller: "model",
      callId: "call_1",
      commandPrefix: ",",
      signal: new AbortController().signal,
      ...given,
    };
  }

  static async open(tools: ToolSet, given: Partial<ToolContext> = {}): Promise<Workbench> {
    const folder = await Deno.realPath(await Deno.makeTempDir());
    return new Workbench(folder, tools, given);
  }

  /** Calls a tool as a model would: with the text of its arguments. */
  call(
    name: string,
    args: unknown,
    options: Partial<ExecuteOptions> = {},
  ): Promise<ToolResult> {
    const { callId } = this.context;
    const call = { id: callId, type: "function", function: { name, arguments: args as string } };
    return executeCall({ ...call, type: "function" }, {
      tools: this.tools,
      context: this.context,
      ...options,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.shells.stopAll();
    await Deno.remove(this.folder, { recursive: true });
  }
}
