// Counts and sums of lists, in groups. What SQL says is compared with the same sums made here, one record at a time.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";

const field = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
const PACKAGE = {
  name: "sales",
  resources: [
    {
      name: "towns",
      title: "Towns",
      label: ["name"],
      schema: { primaryKey: "id", fields: [field("id", { type: "integer" }), field("name"), field("country")] },
    },
    {
      name: "sales",
      title: "Sales",
      schema: {
        primaryKey: "id",
        fields: [
          field("id", { type: "integer" }),
          field("region"),
          field("amount", { type: "number", decimals: 2 }),
          field("tiny", { type: "number", decimals: 10 }),
          field("units", { type: "integer" }),
          field("share", { type: "number" }),
          field("paid", { type: "boolean" }),
          field("day", { type: "date" }),
          field("at", { type: "datetime" }),
          field("since", { type: "year" }),
          field("townId", { type: "integer" }),
        ],
        foreignKeys: [{ fields: "townId", reference: { resource: "towns", fields: "id" } }],
      },
    },
  ],
};

type Row = Record<string, string | number | boolean | null>;

/** The same values in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function sales(): Row[] {
  const next = random(7);
  const one = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(next() * 10)).join("");
  return Array.from({ length: 400 }, (_, i) => {
    const at = new Date(Date.UTC(2025, 9, 20) + Math.floor(next() * 400) * 3_600_000 * 17).toISOString();
    return {
      id: i + 1,
      region: one(["north", "North", "Süd", "süd", "o'clock", null]),
      amount: one([
        null,
        `${one(["", "-"])}${1 + Math.floor(next() * 9)}${digits(Math.floor(next() * 25))}.${digits(1)}${1 + Math.floor(next() * 9)}`,
      ]),
      tiny: `-0.${digits(9)}7`,
      units: one([null, 9_007_199_254_740_991, -9_007_199_254_740_991, Math.floor(next() * 100), -3]),
      share: one([null, 0.25, 1.5]),
      paid: one([true, false, null]),
      day: one([at.slice(0, 10), null, "0000-02-29", "2024-12-30"]),
      at: one([
        at,
        at,
        at,
        null,
        "0001-01-01T00:30:00.000Z",
        "2026-03-28T23:30:00.000Z",
        "2026-10-24T22:30:00.000Z",
        "1950-12-31T23:30:00.000Z",
      ]),
      since: one([1999, 2026, null]),
      townId: one([1, 2, null]),
    };
  });
}

const ROWS = sales();
let service: LivingService;
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
  const towns = [
    { id: 1, name: "Bonn", country: "DE" },
    { id: 2, name: "Linz", country: "AT" },
  ];
  expect((await send("POST", "/v1/towns", towns)).status).toBe(201);
  expect((await send("POST", "/v1/sales", ROWS)).status).toBe(201);
});
afterAll(() => service.close());

const send = (...args: Parameters<LivingService["send"]>) => service.send(...args);
async function read(query: string, headers = {}) {
  const { status, json } = await send("GET", `/v1/sales/summary?${query}`, undefined, headers);
  expect([status, json.errors]).toEqual([200, undefined]);
  return json;
}
const refused = async (query: string, headers = {}) => {
  const { status, json } = await send("GET", `/v1/sales/summary?${query}`, undefined, headers);
  return [status, json.errors?.[0]?.parameter ?? json.code];
};

function scaled(text: string): bigint {
  const [whole = "", behind = ""] = text.split(".");
  return BigInt(whole + behind.padEnd(10, "0"));
}
/** Reads a sum of the answer, so that zeros at its end do not count. */
const asScaled = (sum: string | null) => (sum === null ? null : scaled(sum));

function sumOf(rows: readonly Row[], name: string): bigint | null {
  const values = rows.flatMap((row) => (row[name] === null ? [] : [scaled(String(row[name]))]));
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0n);
}

function grouped(rows: readonly Row[], keysOf: (row: Row) => readonly unknown[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify(keysOf(row));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

test("sums and counts are those of the records, to the last digit", async () => {
  const measures = [
    "count",
    "sum:amount",
    "sum:tiny",
    "sum:units",
    "sum:share",
    "min:day",
    "max:amount",
    "distinct:region",
    "distinct:units",
  ];
  const json = await read(`group=region,paid&measure=${measures.join(",")}&limit=1000`);
  const expected = grouped(ROWS, ({ region, paid }) => [region, paid]);
  const found = new Map(json.groups.map((group: Row) => [JSON.stringify([group.region, group.paid]), group]));
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [key, rows] of [...expected, ["total", ROWS] as const]) {
    const group = (key === "total" ? json.total : found.get(key)) as Record<string, string>;
    const days = rows.flatMap(({ day }) => (day === null ? [] : [String(day)])).sort();
    const largest = rows.flatMap(({ amount }) => (amount === null ? [] : [scaled(String(amount))])).sort((a, b) => (a < b ? 1 : -1));
    const different = (name: string) => new Set(rows.flatMap((row) => row[name] ?? [])).size;
    expect([key, group.count, group["min:day"], group["distinct:region"], group["distinct:units"]]).toEqual([
      key,
      rows.length,
      days[0] ?? null,
      different("region"),
      different("units"),
    ]);
    for (const name of ["amount", "tiny", "units", "share"])
      expect([key, name, asScaled(group[`sum:${name}`] as string)]).toEqual([key, name, sumOf(rows, name)]);
    expect([key, asScaled(group["max:amount"] as string)]).toEqual([key, largest[0] ?? null]);
  }
});

test("sums have the decimals of their field, and averages are rounded half away from zero", async () => {
  const rows = [
    { id: 901, region: "avg", amount: "1.10", units: 1 },
    { id: 902, region: "avg", amount: "1.40", units: 1 },
    { id: 903, region: "avg", amount: null, units: -4 },
  ];
  expect((await send("POST", "/v1/sales", rows)).status).toBe(201);
  const { groups, total } = await read("region=avg&measure=sum:amount,avg:amount,avg:units,sum:units,avg:share,sum:share");
  expect([groups, total]).toEqual([
    [],
    { "sum:amount": "2.50", "avg:amount": "1.25", "avg:units": "-0.6666666667", "sum:units": "-2", "avg:share": null, "sum:share": null },
  ]);
  expect(
    (
      await send(
        "POST",
        "/v1/sales/deletions",
        rows.map(({ id }) => ({ id })),
      )
    ).status,
  ).toBe(200);
});

/** The day in a zone, as the platform's own calendar has it. */
function dayIn(zone: string, at: string): string {
  return new Date(at).toLocaleDateString("sv-SE", { timeZone: zone });
}

test.each(["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu"])(
  "days, weeks, months, quarters and years are those of the clocks in %s",
  async (zone) => {
    const periods: Record<string, (day: string) => string> = {
      day: (day) => day,
      week(day) {
        const date = new Date(`${day}T00:00:00Z`);
        return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10);
      },
      month: (day) => day.slice(0, 7),
      quarter: (day) => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`,
      year: (day) => day.slice(0, 4),
    };
    // In year 1 the clocks of a zone are nobody's, and Monday of its first week is in the year before.
    const rows = ROWS.filter(({ at }) => at !== null && String(at) > "1900");
    for (const [period, cut] of Object.entries(periods)) {
      const { groups } = await read(`group=at:${period}&at[gte]=1900-01-01T00:00:00Z&timeZone=${zone}&limit=1000`);
      const expected = grouped(rows, ({ at }) => [cut(dayIn(zone, String(at)))]);
      expect([period, groups.map((group: Row) => [group.at, group.count])]).toEqual([
        period,
        [...expected].map(([key, all]) => [...JSON.parse(key), all.length]).sort(),
      ]);
    }
    const created = await read(`group=createdAt:day,updatedAt:month&timeZone=${zone}`);
    const stored = (await send("GET", "/v1/sales?limit=1000")).json.sales as Row[];
    const days = grouped(stored, ({ createdAt, updatedAt }) => [
      dayIn(zone, String(createdAt)),
      dayIn(zone, String(updatedAt)).slice(0, 7),
    ]);
    expect(created.groups.map((group: Row) => [JSON.stringify([group.createdAt, group.updatedAt]), group.count])).toEqual(
      [...days].map(([key, all]) => [key, all.length]),
    );
  },
);

test("days without a time of day are in no zone, also in year 0", async () => {
  for (const zone of ["UTC", "Asia/Tokyo"]) {
    const { groups } = await read(`group=day:month&measure=count&timeZone=${zone}&limit=1000&sort=day`);
    const expected = grouped(ROWS, ({ day }) => [day === null ? null : String(day).slice(0, 7)]);
    expect(groups.map((group: Row) => [group.day, group.count])).toEqual(
      [...expected]
        .map(([key, all]) => [...JSON.parse(key), all.length])
        .sort(([a], [b]) => (a === null ? -1 : b === null ? 1 : a < b ? -1 : 1)),
    );
  }
});

test("weeks of days long ago are refused by no engine", async () => {
  const { groups } = await read("group=day:week&limit=1000");
  expect(groups.map(({ day }: Row) => day)).toEqual(expect.arrayContaining([null, "0000-02-29", "2024-12-30"]));
});

test("filters, words, parents and relative days choose as in the list", async () => {
  const count = async (query: string) => (await read(query)).total.count;
  const listed = async (query: string) => (await send("GET", `/v1/sales?${query}&count=exact&limit=1`)).json.total;
  for (const query of [
    "region[prefix]=no",
    "q=sud",
    "townId=1&paid=true",
    "town.country=AT",
    "day[lt]=today-7d",
    "q=%2B",
    "units[null]=true&q=north",
  ])
    expect([query, await count(query)]).toEqual([query, await listed(query)]);
});

test("the order is by groups or measures, and pages go on where they ended, also while others write", async () => {
  const all = (await read("group=region&sort=-count,region&limit=100")).groups as Row[];
  const counts = all.map(({ count }) => Number(count));
  expect(counts).toEqual([...counts].sort((a, b) => b - a));
  const sums = ((await read("group=since&measure=sum:amount&sort=-sum:amount")).groups as Row[]).map((group) =>
    asScaled(group["sum:amount"] as string),
  );
  const size = (sum: bigint | null) => sum ?? -(10n ** 99n); // no value comes last in a descending order
  expect(sums).toEqual([...sums].sort((a, b) => (size(b) < size(a) ? -1 : 1)));
  const paged: Row[] = [];
  let next: string | undefined;
  do {
    const page = await read(`group=region&sort=-count,region&limit=2${next ? `&cursor=${next}` : ""}`);
    paged.push(...page.groups);
    next = page.next;
    // A new first group is before the place, and moves nothing.
    if (paged.length === 2)
      expect(
        (
          await send(
            "POST",
            "/v1/sales",
            Array.from({ length: 500 }, () => ({ region: "first" })),
          )
        ).status,
      ).toBe(201);
  } while (next);
  expect(paged).toEqual(all);
  const other = await read("group=region&sort=region&limit=2");
  expect(await refused(`group=region&sort=-region&limit=2&cursor=${other.next}`)).toEqual([400, "cursor"]);
  const { json } = await send("GET", "/v1/sales?region=first&limit=1000");
  expect(
    (
      await send(
        "POST",
        "/v1/sales/deletions",
        json.sales.map(({ id }: Row) => ({ id })),
      )
    ).status,
  ).toBe(200);
});

test("what cannot be grouped or measured is refused in a sentence", async () => {
  expect(await refused("group=nothing")).toEqual([400, "group"]);
  expect(await refused("group=region:month")).toEqual([400, "group"]);
  expect(await refused("group=region,region")).toEqual([400, "group"]);
  expect(await refused("group=at:month,at:year")).toEqual([400, "group"]);
  expect(await refused("group=at:century")).toEqual([400, "group"]);
  expect(await refused("measure=sum:region")).toEqual([400, "measure"]);
  expect(await refused("measure=min:region")).toEqual([400, "measure"]);
  expect(await refused("measure=count:id")).toEqual([400, "measure"]);
  expect(await refused("measure=count,count")).toEqual([400, "measure"]);
  expect(await refused("sort=amount")).toEqual([400, "sort"]);
  expect(await refused("fields=id")).toEqual([400, "fields"]);
});

test("who sees some records or fields counts those alone", async () => {
  const key = async (conditions: object, scope = "sales:read") => {
    const role = await send("POST", "/v1/roles", { name: `Role ${JSON.stringify(conditions).length}`, scope, conditions }, { as: "admin" });
    const made = await send("POST", "/v1/keys", { name: "Key", roles: [role.json.id] }, { as: "admin" });
    return { authorization: `Bearer ${made.json.key}` };
  };
  const north = await key({ sales: { read: { where: "region=north" } } });
  const own = ROWS.filter(({ region }) => region === "north");
  const { groups, total } = await read("group=region&measure=count,sum:amount", north);
  expect([groups.length, groups[0].region, total.count, asScaled(total["sum:amount"])]).toEqual([
    1,
    "north",
    own.length,
    sumOf(own, "amount"),
  ]);
  expect(await refused("town.country=AT", north)).toEqual([403, "INSUFFICIENT_SCOPE"]);
  const hidden = await key({ sales: { fields: { hidden: ["region"], masked: ["amount"] } } });
  for (const query of [
    "group=region",
    "measure=distinct:region",
    "group=amount",
    "measure=sum:amount",
    "measure=max:amount",
    "measure=distinct:amount",
    "region=north",
  ])
    expect([query, (await refused(query, hidden))[0]]).toEqual([query, 400]);
  expect((await read("q=north", hidden)).total.count).toBe(0);
  expect((await read("q=north")).total.count).toBe(ROWS.filter(({ region }) => region === "north" || region === "North").length);
  const stranger = await key({}, "towns:read");
  expect(await refused("measure=count", stranger)).toEqual([403, "INSUFFICIENT_SCOPE"]);
});
