import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { ROOT } from "../../scripts/import_map.ts";

/**
 * The fields of an event by its type, `type` and `session_id` left out; those that are false need
 * not be there.
 */
export type EventFields = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

/** The union of lib/event.ts as `deno doc` reads it, so that there is no second list to keep. */
export async function eventFields(): Promise<EventFields> {
  const doc = await documentation("lib/event.ts");
  const fields = new Map<string, Map<string, boolean>>();
  for (const members of memberLists(named(doc, "EventBody"))) {
    const type = members.find(({ name }) => name === "type");
    if (!isJsonObject(type?.tsType)) continue;
    fields.set(String(type.tsType.repr), new Map(members.map(field)));
  }
  const [result = []] = memberLists(named(doc, "TurnResult"));
  for (const member of result) fields.get("result")?.set(...field(member));
  for (const names of fields.values()) ["type", "session_id"].forEach((name) => names.delete(name));
  return fields;
}

function field({ name, optional }: JsonObject): [name: string, required: boolean] {
  return [String(name), optional !== true];
}

async function documentation(module: string): Promise<JsonValue> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", "--no-lock", module],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** What is exported as `name`. */
function named(value: JsonValue, name: string): JsonObject {
  const found = objects(value).find((object) => object.name === name);
  if (found === undefined) throw new Error(`lib/event.ts does not export ${name}`);
  return found;
}

/** The members of every object type inside. */
function memberLists(value: JsonValue): readonly (readonly JsonObject[])[] {
  return objects(value).flatMap(({ properties }) =>
    Array.isArray(properties) ? [properties.filter(isJsonObject)] : []
  ).toArray();
}

function* objects(value: JsonValue | undefined): Generator<JsonObject> {
  if (Array.isArray(value)) { for (const inner of value) yield* objects(inner); }
  if (!isJsonObject(value)) return;
  yield value;
  for (const inner of Object.values(value)) yield* objects(inner);
}
