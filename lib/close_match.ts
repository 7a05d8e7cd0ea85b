/**
 * How many single edits turn `a` into `b`: a letter added, dropped or changed, or two neighbours
 * swapped. Counts UTF-16 units, which is enough for names.
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

/**
 * The candidates that `word` was probably meant to be, best first, at most three: those within
 * one edit for every three letters (at least one), whatever the case.
 */
export function closeMatches(word: string, candidates: Iterable<string>): readonly string[] {
  const wanted = word.toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  const found: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > allowed) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= allowed) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance);
  return found.slice(0, 3).map(({ candidate }) => candidate);
}

/** `a`, `a or b`, `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}
