const UNITS = ["KiB", "MiB", "GiB", "TiB"] as const;

/** Bytes for people: `512 B`, `1.2 MiB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let value = bytes / 1024;
  let unit = 0;
  // Not 1024: what would be shown as 1024.0 is one of the next unit.
  for (; value >= 1023.95 && unit < UNITS.length - 1; unit++) value /= 1024;
  return `${value.toFixed(1)} ${UNITS[unit]}`;
}
