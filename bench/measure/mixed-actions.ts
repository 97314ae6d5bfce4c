// Measures how fast the batch command loads files of one action, and files whose action changes with every record.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ADMIN_KEY, type Service, startService } from "../support/service.ts";
import { median, printTable, round } from "../support/table.ts";

/** Records a second of the second pass, medians. */
export interface ActionFigures {
  rows: number;
  adds: number;
  changes: number;
  deletes: number;
  /** Adds, changes and deletes of different records in turn. */
  mixed: number;
  /** Each record is added, changed and deleted, one after the other. */
  inTurn: number;
}

type Rates = Omit<ActionFigures, "rows">;

const LAYOUT = {
  kind: "delimited",
  collection: "customers",
  headingLine: 0,
  columns: [null, "objectId", "firstName", "lastName", "accountID"],
  action: { column: 1, add: "A", change: "C", delete: "D" },
};

export async function measureActions(rows: number, rounds: number): Promise<ActionFigures> {
  const runs: Rates[] = [];
  for (let i = 0; i < rounds; i++) runs.push(await runOnce(rows));
  const of = (name: keyof Rates) => Math.round(median(runs.map((run) => run[name])));
  return { rows, adds: of("adds"), changes: of("changes"), deletes: of("deletes"), mixed: of("mixed"), inTurn: of("inTurn") };
}

export function printActions({ rows, adds, changes, deletes, mixed, inTurn }: ActionFigures): void {
  const one = 3 / (1 / adds + 1 / changes + 1 / deletes); // the same records, each action by itself
  printTable(
    `Actions in batch files: ${rows.toLocaleString("en")} records each, the second pass, medians`,
    ["the file has", "records/s", "to one action"],
    [
      ["adds alone", adds, ""],
      ["changes alone", changes, ""],
      ["deletes alone", deletes, ""],
      ["the three as files of one action", Math.round(one), 1],
      ["add, change, delete of different records in turn", mixed, round(mixed / one)],
      ["add, change, delete of each record in turn", inTurn, round(inTurn / one)],
    ],
  );
}

const line = (action: string, id: number) =>
  `${action},${id},Märta,${action === "C" ? "Changed" : "Ångström"},${String(id).padStart(8, "0")}\n`;

async function runOnce(rows: number): Promise<Rates> {
  const service = await startService();
  const folder = await mkdtemp(join(tmpdir(), "intake-bench-actions-"));
  try {
    await writeFile(join(folder, "layout.json"), JSON.stringify(LAYOUT));
    const load = (name: string, lines: readonly string[]) => loadFile(service, folder, name, lines);
    const ids = (from: number) => Array.from({ length: rows }, (_, i) => from + i);
    const third = Math.floor(rows / 3);
    const adds = await load("adds", ids(1).map((id) => line("A", id))); // biome-ignore format: one file a line
    const changes = await load("changes", ids(1).map((id) => line("C", id))); // biome-ignore format: one file a line
    const fresh = rows + 1; // new records beside those that are changed and deleted
    const triples = ids(0).slice(0, third);
    const mixed = await load("mixed", triples.flatMap((i) => [line("A", fresh + i), line("C", 1 + i).replace("Changed", "Again"), line("D", 1 + third + i)])); // biome-ignore format: one file a line
    await load("back", triples.map((i) => line("A", 1 + third + i))); // biome-ignore format: one file a line
    const deletes = await load("deletes", ids(1).map((id) => line("D", id))); // biome-ignore format: one file a line
    const inTurn = await load("in-turn", triples.flatMap((i) => ["A", "C", "D"].map((action) => line(action, 10 * rows + i)))); // biome-ignore format: one file a line
    return { adds, changes, deletes, mixed, inTurn };
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function loadFile(service: Service, folder: string, name: string, lines: readonly string[]): Promise<number> {
  const file = join(folder, `${name}.csv`);
  await writeFile(file, lines.join(""));
  const env = { ...process.env, INTAKE_URL: service.origin, INTAKE_KEY: ADMIN_KEY };
  const command = ["dist/node/intake-batch.js", "run", file, "--layout", join(folder, "layout.json")];
  const child = spawn(process.execPath, command, { env, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = (await once(child, "exit")) as [number | null];
  const report = JSON.parse(await readFile(`${file}.report.json`, "utf8")) as {
    seconds: number;
    outcomes: { created: number; updated: number };
  };
  const { created, updated } = report.outcomes;
  if (code !== 0 || created + updated !== lines.length) throw new Error(`${name} ended with ${code} and ${JSON.stringify(report)}.`);
  return lines.length / report.seconds;
}
