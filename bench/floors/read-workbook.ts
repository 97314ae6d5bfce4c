// Reads one workbook in a process of its own, by our reader or a peer, and prints rows, seconds and memory as JSON.

import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";

const [, , reader = "", path = ""] = process.argv;

/** Each counts the rows below the heading. Peers are fetched by npm exec, not installed with the project. */
const READERS: Record<string, () => Promise<number>> = {
  async ours() {
    const { readContainer } = await import("../../pipeline/containers/open-container.ts");
    const file = new File([await openAsBlob(path)], "book.xlsx");
    const dialect = { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 1, sheet: "Customers" } as const;
    let rows = 0;
    for await (const block of readContainer(file, dialect)) rows += block.rows.length;
    return rows;
  },
  async "read-excel-file"() {
    const { readSheet } = await import(/* @vite-ignore */ peer("read-excel-file", "node/index.js"));
    return (await readSheet(path)).length - 1;
  },
  async SheetJS() {
    const { default: xlsx } = await import(/* @vite-ignore */ peer("xlsx", "xlsx.js"));
    const workbook = xlsx.read(await readFile(path), { type: "buffer", dense: true });
    return xlsx.utils.sheet_to_json(workbook.Sheets.Customers, { header: 1 }).length - 1;
  },
};

/** `npm exec` puts the folder of the package's commands first on the path. */
function peer(name: string, file: string): string {
  const folder = (process.env.PATH ?? "").split(":").find((part) => part.includes("_npx")) ?? "";
  return `${folder.replace(/\.bin$/, "")}${name}/${file}`;
}

const started = performance.now();
const rows = await READERS[reader]?.();
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ rows, seconds, megabytes: Math.round(process.resourceUsage().maxRSS / 1024) }));
