import { BubError } from "../lib/errors.ts";
import type { SubagentPort, TaskRequest } from "../lib/subagent/port.ts";
import { defineTool, type Tool, type ToolContext } from "../lib/tool/tool.ts";

const start = defineTool({
  name: "subagent",
  description: "Starts a subagent and returns at once; its result comes as a message.",
  parameters: (z) => {
    const text = (what: string) => z.string().nullable().default(null).describe(what);
    const names = () => z.array(z.string()).nullable().default(null).describe("Default: yours");
    return z.object({
      prompt: z.union([z.string(), z.array(z.looseObject({}))]).describe("Its whole task"),
      agent: text("Profile"),
      description: text("Label"),
      model: text("provider:model"),
      reasoning_effort: text("Such as low"),
      session: text("temp (default), fork: knows this one, or a name to keep"),
      allowed_tools: names(),
      allowed_skills: names(),
      timeout_seconds: z.number().positive().nullable().default(null).describe("Limit"),
    });
  },
  run: ({ prompt, ...request }, context) =>
    // Arguments come from JSON: there is nothing in them that JSON does not have.
    port(context).start({ ...request, prompt: prompt as TaskRequest["prompt"] }),
});

const wait = defineTool({
  name: "subagent.wait",
  description: "Returns subagents once all have ended or time is up.",
  parameters: (z) =>
    z.object({
      task_ids: z.array(z.string()).nullable().default(null).describe("Default: all unread"),
      timeout_seconds: z.number().min(0).default(60).describe("0: only look"),
    }),
  run: ({ task_ids, timeout_seconds }, context) => port(context).wait(task_ids, timeout_seconds),
});

const send = defineTool({
  name: "subagent.send",
  description: "Tells a subagent more; one that ended goes on, if kept.",
  parameters: (z) =>
    z.object({ task_id: z.string().describe("Which"), message: z.string().describe("What") }),
  run: ({ task_id, message }, context) => port(context).send(task_id, message),
});

const cancel = defineTool({
  name: "subagent.cancel",
  description: "Ends a subagent.",
  parameters: (z) => z.object({ task_id: z.string().describe("Which") }),
  run: ({ task_id }, context) => port(context).cancel(task_id),
});

/** Work given to others. */
export const subagentTools: readonly Tool[] = [start, wait, send, cancel];

function port({ subagents }: ToolContext): SubagentPort {
  if (subagents !== undefined) return subagents;
  throw new BubError("permission", "a subagent cannot have subagents of its own");
}
