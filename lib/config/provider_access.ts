import { isJsonObject, type JsonValue } from "../json.ts";
import { isProviderName, providerFacts } from "../model/provider.ts";
import { providerKey, type ProviderSettingKey } from "./schema.ts";
import type { ProviderSettings } from "./settings.ts";

/**
 * A provider's key and base: its own setting, then the general one, then the provider's usual
 * variable. The general one as plain text serves `owner` alone, the provider of the configured
 * model, so that no key is ever sent to a stranger.
 *
 * @param value The setting in force under a configuration key.
 */
export function providerAccess(
  name: string,
  value: (key: string) => JsonValue | undefined,
  owner: string | undefined,
  env: Readonly<Record<string, string>>,
): ProviderSettings {
  const find = (setting: ProviderSettingKey): string | undefined => {
    const own = value(providerKey(name, setting));
    if (isFilled(own)) return own;
    const general = value(setting);
    if (isJsonObject(general)) {
      const named = general[name] ?? general[name.replaceAll("-", "_")];
      if (isFilled(named)) return named;
    } else if (isFilled(general) && name === owner) {
      return general;
    }
    if (!isProviderName(name)) return undefined;
    const { keyVariables, baseVariables } = providerFacts(name);
    const usual = setting === "api_key" ? keyVariables : baseVariables;
    return usual.map((variable) => env[variable]).find(isFilled);
  };
  return { apiKey: find("api_key"), apiBase: find("api_base") };
}

function isFilled(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value !== "";
}
