/** What a scope can narrow, by Deno's names of its permissions (E3). */
export const SCOPE_ACCESSES = ["read", "write", "net", "run", "env"] as const;
export type ScopeAccess = typeof SCOPE_ACCESSES[number];

/** Everything, or the listed paths, hosts, programs or variables, in Deno's own grammar. */
export type ScopeRule = true | readonly string[];

/**
 * The bounds of a session's Environment. With any allow rule what is not allowed is denied; with
 * deny rules alone all else stays allowed. A deny rule wins over an allow rule.
 */
export interface Scope {
  /** Paths as they were given: relative ones start at the workspace. */
  readonly allow: Readonly<Partial<Record<ScopeAccess, ScopeRule>>>;
  readonly deny: Readonly<Partial<Record<ScopeAccess, ScopeRule>>>;
}
