/** Characters that terminals show two cells wide. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** Cells that one character, as people count them, takes on a terminal. */
export function characterWidth(character: string): number {
  if (/^[\p{M}\u200b-\u200f\ufeff]*$/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Where the end of a text comes to stand. */
export interface Layout {
  /** The rows as they are shown, without line breaks. */
  readonly rows: readonly string[];
  /** Cells of the last row that are taken. */
  readonly column: number;
}

/** Breaks a text into rows of less than `columns` cells, so that no terminal wraps by itself. */
export function layOut(text: string, columns: number): Layout {
  const limit = Math.max(2, columns - 1);
  const rows = [""];
  let column = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const width = segment === "\n" ? 0 : characterWidth(segment);
    if (segment === "\n" || column + width > limit) {
      rows.push("");
      column = 0;
    }
    if (segment === "\n") continue;
    rows[rows.length - 1] += segment;
    column += width;
  }
  return { rows, column };
}
