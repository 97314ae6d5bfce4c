export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Two decimals. */
export function round(n: number): number {
  return Math.round(n * 100) / 100;
}

/** Prints rows with columns of equal width; numbers stand to the right. */
export function printTable(title: string, head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const cells = [head, ...rows.map((row) => row.map((cell) => (typeof cell === "number" ? cell.toLocaleString("en") : cell)))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  const isNumber = head.map((_, column) => rows.every((row) => typeof row[column] === "number"));
  console.log(`\n${title}`);
  for (const [i, row] of cells.entries()) {
    const padded = row.map((cell, column) => (isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)));
    console.log(`  ${padded.join("  ").trimEnd()}`);
    if (i === 0) console.log(`  ${widths.map((width) => "-".repeat(width)).join("  ")}`);
  }
}
