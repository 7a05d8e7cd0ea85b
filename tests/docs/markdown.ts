/** A heading and what stands below it, up to the next heading of any level. */
export interface Section {
  /** Without backticks and the like. */
  readonly title: string;
  readonly rows: readonly Row[];
}

/** A row of a table: its cells by the names of the columns. */
export type Row = Readonly<Record<string, string>>;

/** A fenced block. */
export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The sections of a page, in order; tables in fenced blocks do not count. */
export function sections(markdown: string): readonly Section[] {
  const found: { title: string; rows: Row[] }[] = [];
  let columns: readonly string[] | undefined;
  for (const line of withoutBlocks(markdown).split("\n")) {
    const title = /^#+ (.*)$/.exec(line)?.[1];
    if (title !== undefined) found.push({ title: plain(title), rows: [] });
    const cells = cellsOf(line);
    if (cells === undefined) columns = undefined;
    else if (columns === undefined) columns = cells;
    else if (!cells.every((cell) => /^:?-+:?$/.test(cell))) {
      const row = columns.map((name, index) => [name, cells[index] ?? ""] as const);
      found.at(-1)?.rows.push(Object.fromEntries(row));
    }
  }
  return found;
}

/** The fenced blocks of a page. */
export function blocks(markdown: string): readonly Block[] {
  const fences = markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms);
  return fences.map(([, language = "", text = ""]) => ({ language, text })).toArray();
}

/** Where the links of a page lead to, as they are written. */
export function links(markdown: string): readonly string[] {
  const found = withoutBlocks(markdown).matchAll(/\]\(([^)\s]+)\)/g);
  return found.map(([, target = ""]) => target).toArray();
}

/** The anchors that the headings of a page make, as GitHub names them. */
export function anchors(markdown: string): ReadonlySet<string> {
  const slug = (title: string) => title.toLowerCase().replaceAll(/[^\w\- ]/g, "");
  return new Set(sections(markdown).map(({ title }) => slug(title).replaceAll(" ", "-")));
}

/** The texts in backticks. */
export function codes(text: string): readonly string[] {
  return text.matchAll(/`([^`]+)`/g).map(([, code = ""]) => code).toArray();
}

function withoutBlocks(markdown: string): string {
  return markdown.replaceAll(/^```.*?^```$/gms, "");
}

function plain(title: string): string {
  return title.replaceAll("`", "");
}

function cellsOf(line: string): readonly string[] | undefined {
  if (!/^\|.*\|$/.test(line)) return undefined;
  return line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim());
}
