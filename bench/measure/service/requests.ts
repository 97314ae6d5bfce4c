// Measures single requests to the service beside bare Fastify, in turns.

import { cpuOf } from "../../support/cpu.ts";
import { customerRows } from "../../support/customers.ts";
import { type Call, type Load, load } from "../../support/http-load.ts";
import type { Running, Service } from "../../support/service.ts";
import { median, round } from "../../support/table.ts";

const SOCKETS = 10;
const ASKED_AGAIN = 1_000; // records
const WRITES_OF_EACH = 5;

/** Medians of all rounds. */
export interface Side extends Load {
  /** µs of CPU for each request, all threads together: the least of all rounds, because other load only adds to it. */
  cpu: number;
}

export interface RequestFigures {
  what: string;
  ours: Side;
  bare: Side | undefined;
  /** Ours to bare: requests a second, and bare's CPU time to ours. */
  ratio: number | undefined;
  cpuRatio: number | undefined;
}

export interface Kind {
  what: string;
  /** Requests in a round. */
  count: number;
  ours(i: number): Call;
  bare?: (i: number) => Call;
}

export interface Place {
  service: Service;
  bare: Running;
  /** Says how many of the service's records, from the first on, bare Fastify has, too. */
  bareRecords: number;
  token: string;
  /** Stored, with the ids and names of customerRows. */
  records: number;
}

export async function measureRequests(place: Place, rounds: number): Promise<RequestFigures[]> {
  return measureAll(place, kindsOf(place), rounds);
}

/** Does as measureRequests, for bare Fastify that can read one record and no more. */
export async function measureOneByOne(place: Place, rounds: number): Promise<RequestFigures[]> {
  const kinds = kindsOf(place).filter(({ what }) => / one/.test(what));
  return measureAll(
    place,
    kinds.map(({ bare, ...kind }) => (bare && kind.what.startsWith("GET") ? { ...kind, bare } : kind)),
    rounds,
  );
}

/** Does as measureRequests, one request at a time and nothing beside it. */
export async function measureAlone(
  place: Omit<Place, "bare" | "bareRecords">,
): Promise<Omit<RequestFigures, "bare" | "ratio" | "cpuRatio">[]> {
  const figures = [];
  for (const { what, count, ours } of kindsOf({ ...place, bareRecords: 0 })) {
    if (/ one/.test(what)) figures.push({ what, ours: await once(place.service, count / 10, ours, 1) });
  }
  return figures;
}

/** Changes of single records by `writers` at once, each over a connection of its own. */
export async function measureWriters(place: Omit<Place, "bare" | "bareRecords">, writers: number): Promise<Side> {
  const patch = kindsOf({ ...place, bareRecords: 0 }).find(({ what }) => what.startsWith("PATCH")) as Kind;
  return once(place.service, WRITES_OF_EACH * writers, patch.ours, writers);
}

async function measureAll(place: Place, kinds: readonly Kind[], rounds: number): Promise<RequestFigures[]> {
  const figures: RequestFigures[] = [];
  for (const kind of kinds) figures.push(await measure(place, kind, rounds));
  return figures;
}

async function measure({ service, bare }: Place, kind: Kind, rounds: number): Promise<RequestFigures> {
  const sides = { ours: [] as Side[], bare: [] as Side[] };
  for (let i = -1; i < rounds; i++) {
    const ours = await once(service, kind.count, kind.ours);
    const floor = kind.bare && (await once(bare, kind.count, kind.bare));
    if (i < 0) continue; // the first round warms both
    sides.ours.push(ours);
    if (floor) sides.bare.push(floor);
  }
  const isCompared = sides.bare.length > 0;
  const [ours, floor] = [middle(sides.ours), isCompared ? middle(sides.bare) : undefined];
  const ratios = sides.bare.map(({ perSecond }, i) => (sides.ours[i] as Side).perSecond / perSecond);
  return {
    what: kind.what,
    ours,
    bare: floor,
    ratio: floor && round(median(ratios)),
    cpuRatio: floor && round(floor.cpu / ours.cpu),
  };
}

/** `count` requests to one service. */
export async function once({ origin, pid }: Running, count: number, callOf: (i: number) => Call, sockets = SOCKETS): Promise<Side> {
  const before = cpuOf(pid);
  const figures = await load(origin, count, sockets, callOf);
  return { ...figures, cpu: ((cpuOf(pid) - before) * 1_000) / count };
}

function middle(sides: readonly Side[]): Side {
  const of = (name: keyof Side) => round(median(sides.map((side) => side[name])));
  return { perSecond: Math.round(of("perSecond")), p50: of("p50"), p99: of("p99"), cpu: round(Math.min(...sides.map(({ cpu }) => cpu))) };
}

/** Returns what is asked of the service, and of bare Fastify where that can do it. */
export function kindsOf({ token, records, bareRecords }: Omit<Place, "bare">): Kind[] {
  const bearer = { Authorization: `Bearer ${token}` };
  const json = { ...bearer, "Content-Type": "application/json" };
  const bareJson = { "Content-Type": "application/json" };
  const ids = Array.from(customerRows(records), ([id]) => id);
  const idOf = (i: number, among: number) => ids[(i * 7_919) % Math.min(among, ids.length)];
  const get = (path: string): Call => ({ method: "GET", path, headers: bearer, status: 200 });
  const bareGet = (path: string): Call => ({ method: "GET", path, status: 200 });
  const getOne = (what: string, among: number): Kind => ({
    what,
    count: 20_000,
    ours: (i) => get(`/v1/customers/${idOf(i, among)}`),
    bare: (i) => bareGet(`/customers/${idOf(i, Math.min(among, bareRecords))}`),
  });
  const page = (limit: number): Kind => ({
    what: `GET a page of ${limit}`,
    count: 200_000 / limit,
    ours: () => get(`/v1/customers?limit=${limit}`),
    bare: () => bareGet(`/customers?limit=${limit}`),
  });
  let made = 0;
  const one = () => JSON.stringify({ objectId: 2_000_000_000 + made++, ...NEW });
  const many = () => JSON.stringify({ customers: Array.from({ length: 1_000 }, () => ({ objectId: 2_000_000_000 + made++, ...NEW })) });
  const post = (what: string, count: number, body: () => string): Kind => ({
    what,
    count,
    ours: () => ({ method: "POST", path: "/v1/customers", headers: json, body: body(), status: 201 }),
    bare: () => ({ method: "POST", path: "/customers", headers: bareJson, body: body(), status: 201 }),
  });
  return [
    getOne(`GET one, of ${ASKED_AGAIN.toLocaleString("en")} asked again`, ASKED_AGAIN),
    getOne("GET one, any", records),
    page(25),
    page(100),
    post("POST one, on disk", 1_000, one),
    post("POST of 1,000, on disk", 20, many),
    {
      what: "PATCH one, on disk",
      count: 1_000,
      ours: (i) => ({
        method: "PATCH",
        path: `/v1/customers/${idOf(i, records)}`,
        headers: json,
        body: `{"firstName":"Zoë ${made++}"}`,
        status: 200,
      }),
    },
  ];
}

const NEW = { firstName: "Märta", lastName: "Ångström", accountID: "00071-A" };
