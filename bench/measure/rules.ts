// Measures what 20 rules cost: the check of a file, and batches on SQLite and on PostgreSQL, beside the same without.

import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startPostgres } from "../../server/testing/postgres/postgres.ts";
import { post, prepareBatches } from "../floors/poster.ts";
import { cpuOf } from "../support/cpu.ts";
import { startService } from "../support/service.ts";
import { median, printTable, round } from "../support/table.ts";

const SEED = 1;
const PLAIN = "core/dictionary/datapackage.json";
const execute = promisify(execFile);
const SHAPES: readonly ((i: number) => { must: string; when?: string })[] = [
  (i) => ({ must: `size(lastName) >= 1 && size(lastName) < ${300 + i}` }),
  (i) => ({ must: `objectId > ${i}` }),
  (i) => ({ when: "!isEmpty(firstName)", must: `size(firstName) <= ${200 + i}` }),
  (i) => ({ must: `!accountID.contains("#${i}")` }),
  (i) => ({ must: `isEmpty(firstName) || size(firstName) + size(lastName) < ${400 + i}` }),
];
/** No generated customer breaks one, so that both ways store the same. */
const RULES = Array.from({ length: 20 }, (_, i) => ({
  name: `rule${i}`,
  message: `Rule ${i} is broken.`,
  ...SHAPES[i % SHAPES.length]?.(i),
}));

/** Medians of seconds, and of the processor's ms; a ratio is the median of those of the rounds. */
interface Cost {
  what: string;
  without: number;
  with: number;
  seconds: number;
  processor: number;
}

export interface RulesFigures {
  rows: number;
  records: number;
  costs: Cost[];
}

interface Took {
  seconds: number;
  processor: number;
}

/** `path`: a file of customers with so many rows. `records` and `postgres`: how many are posted in each round; 0 leaves it out. */
export async function measureRules(
  { records, postgres, rounds }: { records: number; postgres: number; rounds: number },
  path: string,
  rows: number,
): Promise<RulesFigures> {
  const plain = JSON.parse(await readFile(PLAIN, "utf8"));
  const ruled = { ...plain, resources: plain.resources.map((one: object, i: number) => (i === 0 ? { ...one, rules: RULES } : one)) };
  const dictionary = join(tmpdir(), `intake-bench-rules-${process.pid}.json`);
  await writeFile(dictionary, JSON.stringify(ruled));
  const bodies = prepareBatches(Math.max(records, postgres), SEED);
  const post = (hasRules: boolean, env: Record<string, string>) =>
    postOnce(bodies, { ...env, ...(hasRules && { DICTIONARY: dictionary }) });
  const costs: Cost[] = [];
  try {
    costs.push(await compare("check of the file", rounds, (hasRules) => checkOnce(hasRules ? dictionary : PLAIN, path, rows)));
    if (records > 0) costs.push(await compare("batches on SQLite", rounds, (hasRules) => post(hasRules, {})));
    if (postgres > 0)
      costs.push(
        await compare("batches on PostgreSQL", rounds, async (hasRules) => {
          const server = await startPostgres(["fsync=on", "synchronous_commit=on"]);
          return post(hasRules, { DATABASE_URL: server.url }).finally(() => server.stop());
        }),
      );
  } finally {
    await rm(dictionary);
  }
  return { rows, records: Math.max(records, postgres), costs };
}

/** In turns, so that other load on the machine affects both; the first turn of each warms up. */
async function compare(what: string, rounds: number, measure: (hasRules: boolean) => Promise<Took>): Promise<Cost> {
  const took: [without: Took, ruled: Took][] = [];
  for (let i = 0; i <= rounds; i++) {
    const first = i % 2 === 1;
    const one = await measure(first);
    const other = await measure(!first);
    if (i > 0) took.push(first ? [other, one] : [one, other]);
  }
  const ratio = (of: keyof Took) => round(median(took.map(([without, ruled]) => ruled[of] / without[of])));
  const seconds = (at: 0 | 1) => round(median(took.map((pair) => pair[at].seconds)));
  return { what, without: seconds(0), with: seconds(1), seconds: ratio("seconds"), processor: ratio("processor") };
}

async function checkOnce(dictionary: string, path: string, rows: number): Promise<Took> {
  const { stdout } = await execute(process.execPath, ["--import", "tsx", "bench/measure/check-once.ts", dictionary, path]);
  const { ready, ...took } = JSON.parse(stdout) as Took & { ready: number };
  if (ready !== rows) throw new Error(`${ready} rows of ${rows} are ready.`);
  return took;
}

async function postOnce(bodies: readonly string[], env: Record<string, string>): Promise<Took> {
  const service = await startService({ RATE_PER_SECOND: "1000000", RATE_BURST: "1000000", ...env });
  try {
    const before = cpuOf(service.pid);
    const seconds = await post(service, bodies);
    return { seconds, processor: cpuOf(service.pid) - before };
  } finally {
    await service.stop();
  }
}

export function printRules({ rows, records, costs }: RulesFigures): void {
  printTable(
    `20 rules: ${rows.toLocaleString("en")} rows checked, ${records.toLocaleString("en")} records posted, medians`,
    ["what", "s without", "s with", "× seconds", "× processor"],
    costs.map((one) => [one.what, one.without, one.with, one.seconds, one.processor]),
  );
}
