import type { SubagentProfile } from "../config/settings.ts";
import { BubError } from "../errors.ts";
import type { TaskRequest } from "./port.ts";

/** The request with what it leaves open taken from the profile that it names (A2). */
export function withProfile(
  request: TaskRequest,
  profiles: Readonly<Record<string, SubagentProfile>>,
): TaskRequest {
  const { agent } = request;
  if (agent === null) return request;
  const profile = Object.hasOwn(profiles, agent) ? profiles[agent] : undefined;
  if (profile === undefined) throw unknownProfile(agent, Object.keys(profiles));
  const pick = <K extends keyof SubagentProfile & keyof TaskRequest>(key: K) =>
    request[key] ?? profile[key] ?? null;
  return {
    ...request,
    description: pick("description"),
    model: pick("model"),
    reasoning_effort: pick("reasoning_effort"),
    session: pick("session"),
    allowed_tools: pick("allowed_tools"),
    allowed_skills: pick("allowed_skills"),
    timeout_seconds: pick("timeout_seconds"),
  };
}

function unknownProfile(name: string, known: readonly string[]): BubError {
  const there = known.length === 0
    ? "none is configured (subagents in config.jsonc)"
    : `there are ${known.join(", ")}`;
  return new BubError(
    "invalid_input",
    `agent must be the name of a profile, got ${JSON.stringify(name)}; ${there}`,
  );
}
