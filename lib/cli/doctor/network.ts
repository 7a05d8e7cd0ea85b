import { proxyVariables } from "../../environment/proxy.ts";
import { hideLogin } from "../../model/secret.ts";
import type { Section } from "./section.ts";

/** The proxies that requests go through. */
export function networkSection(env: Readonly<Record<string, string>>): Section {
  const proxies = Object.entries(proxyVariables(env)).filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${hideLogin("", value)}`);
  return { name: "network", facts: { proxies } };
}
