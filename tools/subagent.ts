import { BubError } from "../lib/errors.ts";
import type { SubagentPort, TaskRequest } from "../lib/subagent/port.ts";
import { defineTool, type Tool, type ToolContext } from "../lib/tool/tool.ts";

const start = defineTool({
  name: "subagent",
  description: "Starts a subagent on a task of its own and returns at once; its result comes to " +
    "you as a message when it ends. Independent tasks can run side by side.",
  parameters: (z) =>
    z.object({
      prompt: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))])
        .describe("The whole task: it sees no more, unless session is fork"),
      agent: z.string().nullable().default(null).describe("Profile"),
      description: z.string().nullable().default(null).describe("Label"),
      model: z.string().nullable().default(null).describe("provider:model"),
      reasoning_effort: z.string().nullable().default(null),
      session: z.string().trim().min(1).nullable().default(null)
        .describe("temp (default), fork: with this conversation, or a name to go on with later"),
      allowed_tools: z.array(z.string()).nullable().default(null).describe("Default: yours"),
      allowed_skills: z.array(z.string()).nullable().default(null),
      timeout_seconds: z.number().positive().nullable().default(null),
    }),
  run: ({ prompt, ...request }, context) =>
    // Arguments come from JSON: there is nothing in them that JSON does not have.
    port(context).start({ ...request, prompt: prompt as TaskRequest["prompt"] }),
});

const wait = defineTool({
  name: "subagent.wait",
  description: "Returns subagents once all have ended or the time is up; 0 s only looks.",
  parameters: (z) =>
    z.object({
      task_ids: z.array(z.string()).nullable().default(null).describe("Default: all unread"),
      timeout_seconds: z.number().min(0).default(60),
    }),
  run: ({ task_ids, timeout_seconds }, context) => port(context).wait(task_ids, timeout_seconds),
});

const send = defineTool({
  name: "subagent.send",
  description: "Tells a running subagent something, or has an ended one with a named session go " +
    "on, as a new task.",
  parameters: (z) => z.object({ task_id: z.string(), message: z.string().min(1) }),
  run: ({ task_id, message }, context) => port(context).send(task_id, message),
});

const cancel = defineTool({
  name: "subagent.cancel",
  description: "Ends a subagent.",
  parameters: (z) => z.object({ task_id: z.string() }),
  run: ({ task_id }, context) => port(context).cancel(task_id),
});

/** Work given to others. */
export const subagentTools: readonly Tool[] = [start, wait, send, cancel];

function port({ subagents }: ToolContext): SubagentPort {
  if (subagents !== undefined) return subagents;
  throw new BubError("permission", "a subagent cannot have subagents of its own");
}
