import type { TaskView } from "./port.ts";

/** The user message that hands the parent the result of a task (A6). */
export function notification({ task_id, status, output, errors }: TaskView): string {
  const said = [...errors, ...(output === "" ? [] : [output])].join("\n");
  return [
    `<subagent-notification task_id="${task_id}" status="${status}">`,
    escapeText(said || "(empty)"),
    "</subagent-notification>",
  ].join("\n");
}

/** Text that no reader can take for the end of the notification. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
