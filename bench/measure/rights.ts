// Measures the cost of rights for records and fields: pages of a person who sees 1 %, and reads beside one who sees all.

import { startPostgres } from "../../server/testing/postgres/postgres.ts";
import { post } from "../floors/poster.ts";
import { customerRows } from "../support/customers.ts";
import { type Call, load, request } from "../support/http-load.ts";
import { type Service, startService } from "../support/service.ts";
import { median, printTable, round } from "../support/table.ts";
import { once } from "./service/requests.ts";

const SEED = 1;
const BATCH = 1_000; // records
const BRANCHES = 100; // by account, of the same size
const TIMES = 21; // requests of a kind, one after the other
const PAGE_GOAL = 20; // ms
const LATER_IDS = 1_000_000_000; // of records that somebody has made after all others
const UNBOUNDED = { RATE_PER_SECOND: "1000000", RATE_BURST: "1000000" };

/** Fields as a role leaves them out, and the condition of its reads. */
const ROLES = {
  all: undefined,
  "1 %, their own": { read: { where: "createdBy={me}" } },
  "1 %": { read: { where: "accountID=A07" } },
  "1 %, a field hidden": { read: { where: "accountID=A07" }, fields: { hidden: ["firstName"] } },
  "50 %, a field hidden": { read: { where: "accountID[lt]=A50" }, fields: { hidden: ["firstName"] } },
  "a field hidden": { fields: { hidden: ["firstName"] } },
  "a field masked": { fields: { masked: ["firstName"] } },
};
type RoleName = keyof typeof ROLES;

const LISTS = {
  "by key": "limit=25",
  "by name": "limit=25&sort=lastName",
  "by name, descending": "limit=25&sort=-lastName",
  "latest change first": "limit=25&sort=-updatedAt",
  "oldest change first": "limit=25&sort=updatedAt",
  "counted to 1,000": "limit=25&count=1000",
  counted: "limit=25&count=exact",
  "a rare word": "limit=25&q=hoff",
  "a letter": "limit=25&q=m",
  "a last name": "limit=25&lastName=Smith",
};

interface PageFigures {
  engine: string;
  role: RoleName;
  list: string;
  /** ms: the first request, then the median and the slowest of those after it. */
  first: number;
  p50: number;
  most: number;
}

interface CostFigures {
  engine: string;
  role: RoleName;
  what: string;
  /** Requests a second, the median of all rounds, and the median of their ratios to those of a role that leaves nothing out. */
  perSecond: number;
  ratio: number;
  /** The same of the CPU time of one request, of which the least of all rounds counts: other load only adds to it. */
  cpuRatio: number;
}

export interface RightsFigures {
  records: number;
  pages: PageFigures[];
  costs: CostFigures[];
}

export async function measureRights(asked: { records: number; postgres: number; rounds: number }): Promise<RightsFigures[]> {
  const { records, postgres, rounds } = asked;
  const figures: RightsFigures[] = [];
  if (records > 0) figures.push(await measureEngine("SQLite", records, rounds, {}));
  if (postgres === 0) return figures;
  const server = await startPostgres(["fsync=on", "synchronous_commit=on"]);
  figures.push(await measureEngine("PostgreSQL", postgres, rounds, { DATABASE_URL: server.url }).finally(() => server.stop()));
  return figures;
}

async function measureEngine(engine: string, records: number, rounds: number, env: Readonly<Record<string, string>>) {
  const service = await startService({ ...UNBOUNDED, ...env });
  try {
    const own = Math.round(records / BRANCHES);
    await post(service, batches(records - own));
    const tokens = await makeKeys(service);
    await post({ ...service, signIn: async () => tokens["1 %, their own"] }, batches(own, LATER_IDS));
    console.log(`${engine}: ${records} records are stored.`);
    return { records, pages: await measurePages(engine, service, tokens), costs: await measureCosts(engine, service, tokens, rounds) };
  } finally {
    await service.stop();
  }
}

/** As the files of the bench, but with a branch in place of the account. */
function* batches(records: number, from = 0): Generator<string> {
  let customers: object[] = [];
  for (const [number, firstName, lastName] of customerRows(records, SEED)) {
    const id = from + Number(number);
    customers.push({ objectId: id, ...(firstName && { firstName }), lastName, accountID: branchOf(id) });
    if (customers.length < BATCH) continue;
    yield JSON.stringify({ customers });
    customers = [];
  }
  if (customers.length > 0) yield JSON.stringify({ customers });
}

function branchOf(id: number): string {
  return `A${String((id * 31) % BRANCHES).padStart(2, "0")}`;
}

type Tokens = Record<RoleName, string>;

/** An API key for each role. */
async function makeKeys({ origin, signIn }: Service): Promise<Tokens> {
  const headers = { Authorization: `Bearer ${await signIn()}`, "Content-Type": "application/json" };
  const make = async (path: string, body: object) =>
    JSON.parse(await request(origin, { method: "POST", path, headers, body: JSON.stringify(body), status: 201 }));
  const tokens: [string, string][] = [];
  for (const [i, [role, own]] of Object.entries(ROLES).entries()) {
    const name = `Reader ${"abcdefgh"[i]}`;
    const conditions = own ? { conditions: { customers: own } } : {};
    const { id } = await make("/v1/roles", { name, scope: "customers:read customers:create", ...conditions });
    tokens.push([role, (await make("/v1/keys", { name, roles: [id] })).key]);
  }
  return Object.fromEntries(tokens) as Tokens;
}

const getOf = (tokens: Tokens, role: RoleName, path: string): Call => ({
  method: "GET",
  path,
  headers: { Authorization: `Bearer ${tokens[role]}` },
  status: 200,
});

async function measurePages(engine: string, { origin }: Service, tokens: Tokens): Promise<PageFigures[]> {
  const figures: PageFigures[] = [];
  for (const role of ["all", "1 %, a field hidden", "1 %, their own"] as const) {
    for (const [list, query] of Object.entries(LISTS)) {
      const get = () => getOf(tokens, role, `/v1/customers?${query}`);
      const first = await load(origin, 1, 1, get);
      const all = await load(origin, TIMES, 1, get);
      figures.push({ engine, role, list, first: round(first.p50), p50: round(all.p50), most: round(all.p99) });
    }
  }
  return figures;
}

/** Reads of one and of a page, in turns with those of a role that leaves nothing out. */
async function measureCosts(engine: string, service: Service, tokens: Tokens, rounds: number): Promise<CostFigures[]> {
  const page = JSON.parse(await request(service.origin, getOf(tokens, "1 %", "/v1/customers?limit=1000")));
  const ids = page.customers.map(({ objectId }: { objectId: number }) => objectId);
  const kinds = {
    "GET one": { count: 2_000, path: (i: number) => `/v1/customers/${ids[(i * 7_919) % ids.length]}` },
    "a page of 25": { count: 500, path: () => "/v1/customers?limit=25" },
    "a page of 25 by name": { count: 300, path: () => "/v1/customers?limit=25&sort=lastName" },
  };
  const figures: CostFigures[] = [];
  for (const [what, { count, path }] of Object.entries(kinds)) {
    for (const role of (Object.keys(ROLES) as RoleName[]).filter((one) => one !== "1 %, their own")) {
      const [own, ratios, cpu, floorCpu] = [[], [], [], []] as [number[], number[], number[], number[]];
      for (let i = -1; i < rounds; i++) {
        const [floor, ours] = [
          await once(service, count, (i) => getOf(tokens, "all", path(i))),
          await once(service, count, (i) => getOf(tokens, role, path(i))),
        ];
        if (i < 0) continue; // the first round warms both
        own.push(ours.perSecond);
        ratios.push(ours.perSecond / floor.perSecond);
        cpu.push(ours.cpu);
        floorCpu.push(floor.cpu);
      }
      const cpuRatio = round(Math.min(...floorCpu) / Math.min(...cpu));
      figures.push({ engine, role, what, perSecond: Math.round(median(own)), ratio: round(median(ratios)), cpuRatio });
    }
  }
  return figures;
}

export function printRights(all: readonly RightsFigures[]): void {
  for (const { records, pages, costs } of all) {
    printTable(
      `Pages of ${records.toLocaleString("en")} records, ms; the goal is ${PAGE_GOAL}`,
      ["engine", "the role sees", "list", "first", "median", "slowest"],
      pages.map(({ engine, role, list, first, p50, most }) => [engine, role, list, first, p50, most]),
    );
    printTable(
      "Requests a second, beside a role that leaves nothing out",
      ["engine", "what", "the role sees", "a second", "ratio", "ratio of CPU"],
      costs.map(({ engine, role, what, perSecond, ratio, cpuRatio }) => [engine, what, role, perSecond, ratio, cpuRatio]),
    );
  }
}
