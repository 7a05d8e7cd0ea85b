import type { JsonObject } from "../../json.ts";

/** What a look at one part of the program's surroundings found. */
export interface Section {
  /** The heading, and the key in JSON. */
  readonly name: string;
  /** Null: there is none. */
  readonly facts: JsonObject;
  /** What keeps a run from working: a sentence each, which says what would mend it. */
  readonly problems?: readonly string[];
  /** The same for what a run can do without. */
  readonly notes?: readonly string[];
}
