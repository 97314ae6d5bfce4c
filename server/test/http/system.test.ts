// Everything besides records: home document, limits, rate limits, metrics, traces, backup, /docs.

import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { DEFAULT_LIMITS, InvalidLimit, readLimits } from "../../http/limits.ts";
import { NO_RATE_LIMIT, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
const logged: string[] = [];
beforeAll(async () => {
  service = await openTestService(undefined, { logLevel: "info", logTo: { write: (line) => void logged.push(line) } });
});
afterAll(() => service.close());

test("the home document's links all work", async () => {
  const { json } = await service.call("GET", "/v1/");
  for (const href of [...Object.values(json.links), json.collections.customers.href, json.collections.customers.template]) {
    expect([href, (await service.call("GET", String(href))).status]).toEqual([href, href === json.links.token ? 405 : 200]);
  }
  expect(json.limits).toEqual((await service.call("GET", "/v1/limits")).json);
});

test("limits come from the environment, and an invalid one is refused", async () => {
  expect(readLimits({})).toEqual(DEFAULT_LIMITS);
  expect(readLimits({ MAX_RECORDS: "7" }).recordsPerRequest).toBe(7);
  for (const text of ["0", "-1", "x", "1.5"]) expect(() => readLimits({ RATE_BURST: text })).toThrow(InvalidLimit);
});

test("a limit that is set is obeyed and published", async () => {
  const own = await openTestService(undefined, {
    limits: { ...NO_RATE_LIMIT, recordsPerRequest: 2, recordsPerPage: 1, recordBytes: 200, urlCharacters: 100 },
  });
  try {
    const record = { lastName: "A", accountID: "1" };
    expect((await own.call("POST", "/v1/customers", [record, record, record])).status).toBe(413);
    expect((await own.call("POST", "/v1/customers", [record, record])).status).toBe(201);
    expect((await own.call("GET", "/v1/customers?limit=5")).json.customers).toHaveLength(1);
    const large = await own.call("PUT", "/v1/customers/1", { ...record, lastName: "x".repeat(200) });
    expect([large.status, large.json.detail]).toEqual([413, "The body may have at most 200 bytes here."]);
    expect((await own.call("GET", `/v1/customers?q=${"x".repeat(100)}`)).status).toBe(414);
    expect((await own.call("GET", "/v1/limits")).json.recordsPerRequest).toBe(2);
  } finally {
    await own.close();
  }
});

test("a key over its rate must wait, another key need not; a write of many counts as one request", async () => {
  const own = await openTestService(undefined, { limits: { ...DEFAULT_LIMITS, requestsPerSecond: 1, requestBurst: 3 } });
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const token = await own.tokenFor("write");
    const send = (method: string, body?: unknown) => own.call(method, "/v1/customers", body, { authorization: `Bearer ${token}` });
    const record = { lastName: "A", accountID: "1" };
    const first = await send("POST", [record, record, record, record]);
    expect([first.status, first.headers["ratelimit-policy"], first.headers.ratelimit]).toEqual([201, '"key";q=3;w=3', '"key";r=2;t=1']);
    expect([(await send("HEAD")).status, (await send("GET")).status]).toEqual([200, 200]);
    const rejected = await send("GET");
    expect([rejected.status, rejected.json.code, rejected.headers["retry-after"]]).toEqual([429, "TOO_MANY_REQUESTS", "1"]);
    const other = { authorization: `Bearer ${await own.tokenFor("read")}` };
    expect((await own.raw("GET", "/v1/customers", other)).status).toBe(200);
    vi.advanceTimersByTime(1_000);
    expect([(await send("GET")).status, (await send("GET")).status]).toEqual([200, 429]);
  } finally {
    vi.useRealTimers();
    await own.close();
  }
});

test("metrics have routes and statuses, and no address, name or token", async () => {
  await service.call("GET", "/v1/customers/424242?secret=Quetzal");
  await service.call("GET", "/nowhere/Quetzal");
  const { text, headers } = await service.raw("GET", "/metrics");
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/v1\/customers\/:id",status="4\d\d"\} \d+/);
  expect(text).not.toMatch(/Quetzal|424242|Bearer/);
  for (const line of text.trim().split("\n").filter(Boolean)) {
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)*\})? [0-9.]+(e-[0-9]+)?)$/);
  }
});

test("each app counts its own requests, in the buckets that dashboards use", async () => {
  const own = await openTestService();
  try {
    await own.raw("GET", "/livez");
    const { text } = await own.raw("GET", "/metrics");
    const bounds = [...text.matchAll(/^http_request_duration_seconds_bucket\{.*le="([^"]+)".*route="\/livez".*\} 1$/gm)].map(
      ([, le]) => le,
    );
    expect(["0.001", "0.005", "0.01", "0.05", "0.1", "0.5", "1", "5", "30", "+Inf"].slice(-bounds.length)).toEqual(bounds);
    expect(bounds).toContain("+Inf");
    expect(text).toMatch(/^http_request_duration_seconds_count\{method="GET",route="\/livez",status="200"\} 1$/m);
    expect(text).toMatch(/^process_uptime_seconds \d+$/m);
  } finally {
    await own.close();
  }
});

test("a valid traceparent is logged and sent back, an invalid one is ignored", async () => {
  const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  logged.length = 0;
  expect((await service.call("GET", "/v1/customers?q=Quetzal", undefined, { traceparent: trace })).headers.traceparent).toBe(trace);
  expect((await service.call("GET", "/v1/customers", undefined, { traceparent: "Quetzal" })).headers.traceparent).toBeUndefined();
  expect(logged).toHaveLength(2);
  const [line, other] = logged.map((one) => JSON.parse(one));
  expect(line).toMatchObject({ req: { method: "GET", route: "/v1/customers", trace: "4bf92f3577b34da6a3ce929d0e0e4736" }, status: 200 });
  expect(other.req.trace).toBeUndefined();
  expect(logged.join("")).not.toMatch(/Quetzal|Bearer/);
});

test("a backup is one SQLite file; with PostgreSQL the answer names pg_dump", async () => {
  const { status, headers, text, json } = await service.call("GET", "/v1/backup");
  if (inject("postgres")) return expect([status, json.detail]).toEqual([404, "The store is a PostgreSQL database: use pg_dump."]);
  expect([status, headers["content-type"], text.slice(0, 15)]).toEqual([200, "application/vnd.sqlite3", "SQLite format 3"]);
  expect(headers["content-disposition"]).toMatch(/^attachment; filename="intake-\d{8}T\d{6}Z\.db"$/);
  expect((await service.call("GET", "/v1/backup?table=keys")).status).toBe(400);
});

test("the Host header does not appear in the answer", async () => {
  await service.call("PUT", "/v1/customers/7", { lastName: "A", accountID: "1" });
  for (const host of ["evil.example", "127.0.0.1:1", "[::1]"]) {
    const list = await service.call("GET", "/v1/customers?limit=1", undefined, { host, "x-forwarded-host": "evil.example" });
    expect([list.status, `${JSON.stringify(list.headers)}${list.text}`.includes("evil.example")]).toEqual([200, false]);
  }
});

test("the page /docs has one script, which is the service's own, and loads nothing from elsewhere", async () => {
  const page = await service.raw("GET", "/docs");
  expect([page.status, page.headers["content-security-policy"]]).toEqual([200, expect.stringContaining("default-src 'none'")]);
  expect(page.text.match(/<script[^>]*>/g)).toEqual(['<script src="/docs.js" defer>']);
  expect(page.text).not.toMatch(/style="|\son\w+="|(?:src|href)="(?:https?:)?\/\//);
  expect((await service.raw("GET", "/docs.css")).headers["content-type"]).toBe("text/css; charset=utf-8");
});
