/** A value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; `undefined` members are left out when it is written. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Whether `value` is an object with members: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
