// Measures how long pages, searches, filters, counts and the CSV export of a stored collection take over HTTP.

import { customerRows } from "../../support/customers.ts";
import { type Call, load, request } from "../../support/http-load.ts";
import type { Service } from "../../support/service.ts";
import { median, round } from "../../support/table.ts";

const TIMES = 21; // requests of a kind
const TURNS = 9; // of early and late pages in turns, so that both have the same load
const LATE = 0.9; // of all records
const LARGEST_PAGE = 1_000;

export interface ListFigures {
  what: string;
  /** ms: the first request after others, then the median and the slowest. */
  first: number;
  p50: number;
  most: number;
  goal?: number; // ms
}

export interface ListsFigures {
  records: number;
  lists: ListFigures[];
  /** The time of a page of 100 late in the order, divided by that of the first page. */
  late: { byKey: number; byName: number };
  csvRowsPerSecond: number;
}

export async function measureLists(service: Service, token: string, records: number): Promise<ListsFigures> {
  const headers = { Authorization: `Bearer ${token}` };
  const get = (query: string): Call => ({
    method: "GET",
    path: `/v1/customers${query.startsWith("/") ? "" : "?"}${query}`,
    headers,
    status: 200,
  });
  const lists: ListFigures[] = [];
  const measure = async (what: string, query: string, goal?: number) => {
    const first = await load(service.origin, 1, 1, () => get(query));
    const all = await load(service.origin, TIMES, 1, () => get(query));
    lists.push({ what, first: round(first.p50), p50: round(all.p50), most: round(all.p99), ...(goal !== undefined && { goal }) });
  };
  const lateKey = await cursorAt(service, get, "", Math.floor(records * LATE));
  const lateName = await cursorAt(service, get, "sort=lastName&", Math.floor(records * LATE));
  const place = Math.floor(records * LATE).toLocaleString("en");
  for (const limit of [25, 100]) {
    await measure(`page of ${limit} by key, row 1`, `limit=${limit}`);
    await measure(`page of ${limit} by key, row ${place}`, `limit=${limit}&cursor=${lateKey}`);
    await measure(`page of ${limit} by name, row 1`, `limit=${limit}&sort=lastName`);
    await measure(`page of ${limit} by name, row ${place}`, `limit=${limit}&sort=lastName&cursor=${lateName}`);
  }
  const inTurns = async (early: string, late: string) => {
    const ratios: number[] = [];
    for (let i = 0; i < TURNS; i++) {
      const [first, second] = [
        await load(service.origin, TIMES, 1, () => get(early)),
        await load(service.origin, TIMES, 1, () => get(late)),
      ];
      ratios.push(second.p50 / first.p50);
    }
    return round(median(ratios));
  };
  const late = {
    byKey: await inTurns("limit=100", `limit=100&cursor=${lateKey}`),
    byName: await inTurns("limit=100&sort=lastName", `limit=100&sort=lastName&cursor=${lateName}`),
  };
  const rare = rareWord(records);
  for (const [order, sort] of Object.entries({ "by key": "", "by name": "&sort=lastName", "by name, descending": "&sort=-lastName" })) {
    await measure(`search a rare word ${order}`, `limit=25&q=${rare}${sort}`, 20);
    await measure(`search two words ${order}`, `limit=25&q=hoff+zo${sort}`);
    await measure(`search two frequent words ${order}`, `limit=25&q=smith+john${sort}`);
    for (const letter of ["m", "z"]) await measure(`search one letter, ${letter}, ${order}`, `limit=25&q=${letter}${sort}`, 50);
  }
  for (const [what, q] of Object.entries({
    "one letter wrong": "smiht",
    "two words, one wrong": "john+smiht",
    "nothing near": "donaudampf",
  })) {
    await measure(`search with hints, ${what}`, `limit=25&hints=true&q=${q}`, 50);
  }
  await measure("search with hints, a key", "limit=25&hints=true&q=100007", 50);
  await measure("filter: one account", `limit=25&accountID=${rare}`);
  await measure("filter: one last name", "limit=25&lastName=Smith");
  await measure("filter: last name begins with sm, by name", "limit=25&lastName[prefix]=sm&sort=lastName");
  await measure("count of all", "limit=1&count=exact");
  await measure("count of one letter, m", "limit=1&q=m&count=exact");
  await measure("count of one last name", "limit=1&lastName=Smith&count=exact");
  const month = "createdAt:month&timeZone=Europe/Berlin";
  await measure("summary: total", "/summary?measure=count,max:updatedAt");
  await measure("summary: by last name", "/summary?group=lastName&sort=-count");
  await measure("summary: by last name and month in a zone", `/summary?group=lastName,${month}`, 300);
  await measure("summary: of one last name, by month", `/summary?lastName=Smith&group=${month}`);
  return {
    records,
    lists,
    late,
    csvRowsPerSecond: Math.round(await exportAll(service, token)),
  };
}

/** The account of the record in the middle, which a few records share. */
function rareWord(records: number): string {
  let i = 0;
  for (const [, , , account] of customerRows(records)) if (i++ >= records / 2 && !account.includes("-")) return account;
  return "";
}

/** Goes there page by page, because a cursor cannot be made up. */
async function cursorAt(service: Service, get: (query: string) => Call, sort: string, row: number): Promise<string> {
  let cursor = "";
  for (let at = 0; at < row; at += LARGEST_PAGE) {
    const limit = Math.min(LARGEST_PAGE, row - at);
    const body = await request(service.origin, get(`${sort}limit=${limit}${cursor && `&cursor=${cursor}`}`));
    cursor = (JSON.parse(body) as { next: string }).next;
  }
  return cursor;
}

async function exportAll(service: Service, token: string): Promise<number> {
  const started = performance.now();
  const reply = await fetch(`${service.origin}/v1/customers`, { headers: { Authorization: `Bearer ${token}`, Accept: "text/csv" } });
  let lines = 0;
  for await (const bytes of reply.body as unknown as AsyncIterable<Uint8Array>) for (const byte of bytes) if (byte === 10) lines++;
  return (lines - 1) / ((performance.now() - started) / 1_000);
}
