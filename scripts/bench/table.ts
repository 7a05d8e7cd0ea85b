import type { Budget, Measured, Row } from "./row.ts";

const HEAD = ["row", "median", "min", "floor", "ratio", "budget", "met"];

/** The results as columns of text, one row a line, with a line of heads. */
export function formatTable(measured: readonly Measured[]): string {
  const lines = [HEAD, ...measured.map(cells)];
  const widths = HEAD.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0))
  );
  return lines.map((line) => {
    const padded = line.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `${padded.join("  ").trimEnd()}\n`;
  }).join("");
}

function cells({ name, what, unit, median, min, floor, budget, met }: Measured): string[] {
  return [
    `${name}: ${what}`,
    formatValue(median, unit),
    formatValue(min, unit),
    floor === null ? "" : formatValue(floor, unit),
    floor === null ? "" : `${(median / floor).toFixed(2)}x`,
    budget === null ? "" : formatBudget(budget, unit),
    met === null ? "" : met ? "yes" : "NO",
  ];
}

function formatBudget(budget: Budget, unit: Row["unit"]): string {
  if ("timesFloor" in budget) return `<= ${budget.timesFloor}x`;
  if ("atMost" in budget) return `<= ${formatValue(budget.atMost, unit)}`;
  return `>= ${formatValue(budget.atLeast, unit)}`;
}

/** Three digits that say something, and the unit. */
function formatValue(value: number, unit: Row["unit"]): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const text = Number.isInteger(value) ? String(value) : value.toFixed(digits);
  return unit === "/s" ? `${text}/s` : `${text} ${unit}`;
}
