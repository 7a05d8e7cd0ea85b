import { hideLogin } from "../../model/secret.ts";
import type { Section } from "./section.ts";

const VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"]
  .flatMap((name) => [name, name.toLowerCase()]);

/** The proxies that requests go through. */
export function networkSection(env: Readonly<Record<string, string>>): Section {
  const proxies = VARIABLES.flatMap((name) =>
    env[name] ? [`${name}=${hideLogin("", env[name])}`] : []
  );
  return { name: "network", facts: { proxies } };
}
