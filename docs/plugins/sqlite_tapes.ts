/**
 * A plugin that keeps all tapes in one SQLite database, `<home>/tapes.sqlite`, in place of files.
 *
 * One row is one entry, as the JSON line that a tape file would have. Several processes may write at
 * once: SQLite lets one in after the other. Deno needs `--allow-read` and `--allow-write` for the
 * folder of the database.
 */
import type { DatabaseSync } from "node:sqlite";
import type {
  AppendOptions,
  EntryDraft,
  Plugin,
  TapeEntry,
  TapeOrder,
  TapeStore,
  TapeSummary,
} from "../../lib/plugin/mod.ts";

/** Ids start at 1 on every tape; `seq` grows for ever, so that a reader tells old rows from new. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    tape TEXT NOT NULL,
    id INTEGER NOT NULL,
    line TEXT NOT NULL,
    written INTEGER NOT NULL,
    UNIQUE (tape, id)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS archives (
    name TEXT PRIMARY KEY,
    lines TEXT NOT NULL
  ) STRICT;
`;

/** Milliseconds to wait for another process that writes. */
const BUSY_MS = 10_000;

/** Rows fetched at once. */
const PAGE = 256;

const plugin: Plugin = ({ BubError, tape: { archiveStamp, checkTapeName, numberDrafts } }) => {
  class SqliteTapeStore implements TapeStore {
    readonly #open: () => DatabaseSync;
    #db: DatabaseSync | undefined;

    constructor(open: () => DatabaseSync) {
      this.#open = open;
    }

    append(tape: string, drafts: readonly EntryDraft[], { start = [] }: AppendOptions = {}) {
      return this.#change(tape, (db) => {
        const last = lastId(db, tape);
        const opening = last === 0 ? start : [];
        return insert(db, tape, [...opening, ...drafts], last + 1).slice(opening.length);
      });
    }

    async *read(tape: string, order: TapeOrder): AsyncGenerator<TapeEntry, void, void> {
      const db = this.#database(tape);
      const [from, next] = order === "oldest"
        ? [0, "seq > ?"]
        : [Number.MAX_SAFE_INTEGER, "seq < ?"];
      const end = db.prepare("SELECT max(seq) AS seq FROM entries WHERE tape = ?").get(tape)?.seq;
      const page = `SELECT seq, line FROM entries WHERE tape = ? AND seq <= ? AND ${next}
        ORDER BY seq ${order === "oldest" ? "ASC" : "DESC"} LIMIT ${PAGE}`;
      for (let at = from;;) {
        const rows = this.#database(tape).prepare(page).all(tape, end ?? 0, at);
        for (const { line } of rows) yield JSON.parse(String(line));
        if (rows.length < PAGE) return;
        at = Number(rows.at(-1)?.seq);
      }
    }

    list(): Promise<readonly TapeSummary[]> {
      return this.#try((db) =>
        db.prepare(`SELECT tape, sum(octet_length(line) + 1) AS size, max(written) AS written
          FROM entries GROUP BY tape`).all().map(({ tape, size, written }) => ({
          name: String(tape),
          size: Number(size),
          modified: new Date(Number(written)),
        }))
      );
    }

    async remove(tape: string): Promise<void> {
      await this.#change(tape, (db) => void clear(db, tape));
    }

    reset(
      tape: string,
      drafts: readonly EntryDraft[],
      { archive = false }: { readonly archive?: boolean } = {},
    ): Promise<string | null> {
      return this.#change(tape, (db) => {
        const kept = archive ? keep(db, tape) : null;
        clear(db, tape);
        insert(db, tape, drafts, 1);
        return kept;
      });
    }

    close(): void {
      this.#db?.close();
      this.#db = undefined;
    }

    #database(tape: string): DatabaseSync {
      checkTapeName(tape);
      return this.#db ??= this.#open();
    }

    /** Runs `change` as one step, before or after whatever other processes change. */
    #change<T>(tape: string, change: (db: DatabaseSync) => T): Promise<T> {
      return this.#try((db) => {
        checkTapeName(tape);
        db.exec("BEGIN IMMEDIATE");
        try {
          const result = change(db);
          db.exec("COMMIT");
          return result;
        } catch (thrown) {
          db.exec("ROLLBACK");
          throw thrown;
        }
      });
    }

    #try<T>(work: (db: DatabaseSync) => T): Promise<T> {
      return Promise.try(() => work(this.#db ??= this.#open())).catch((cause) => {
        if (cause instanceof BubError) throw cause;
        throw new BubError("storage", `the database of tapes: ${cause.message}`, { cause });
      });
    }
  }

  return {
    name: "sqlite-tapes",
    hooks: {
      async provideTapeStore({ home }) {
        const { DatabaseSync } = await import("node:sqlite");
        return new SqliteTapeStore(() => {
          const file = `${home}/tapes.sqlite`;
          makePrivate(home, file);
          const db = new DatabaseSync(file, { timeout: BUSY_MS });
          db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${SCHEMA}`);
          return db;
        });
      },
    },
  };

  function insert(
    db: DatabaseSync,
    tape: string,
    drafts: readonly EntryDraft[],
    firstId: number,
  ): TapeEntry[] {
    const row = db.prepare("INSERT INTO entries (tape, id, line, written) VALUES (?, ?, ?, ?)");
    return numberDrafts(drafts, firstId).map((entry) => {
      const line = JSON.stringify(entry);
      row.run(tape, entry.id, line, Date.now());
      return JSON.parse(line);
    });
  }

  /** Copies a tape to a name that is never used again; null when there is nothing to copy. */
  function keep(db: DatabaseSync, tape: string): string | null {
    const rows = db.prepare("SELECT line FROM entries WHERE tape = ? ORDER BY seq").all(tape);
    if (rows.length === 0) return null;
    const stem = `${tape}.jsonl.${archiveStamp(new Date())}`;
    const taken = db.prepare("SELECT 1 FROM archives WHERE name = ?");
    let name = `${stem}.bak`;
    for (let n = 2; taken.get(name) !== undefined; n++) name = `${stem}-${n}.bak`;
    const lines = rows.map(({ line }) => `${line}\n`).join("");
    db.prepare("INSERT INTO archives (name, lines) VALUES (?, ?)").run(name, lines);
    return name;
  }
};

function lastId(db: DatabaseSync, tape: string): number {
  return Number(db.prepare("SELECT max(id) AS id FROM entries WHERE tape = ?").get(tape)?.id ?? 0);
}

function clear(db: DatabaseSync, tape: string): void {
  db.prepare("DELETE FROM entries WHERE tape = ?").run(tape);
}

/** The database, and what SQLite puts beside it with the same mode, is its owner's alone. */
function makePrivate(home: string, file: string): void {
  Deno.mkdirSync(home, { recursive: true, mode: 0o700 });
  Deno.openSync(file, { read: true, write: true, create: true, mode: 0o600 }).close();
}

export default plugin;
