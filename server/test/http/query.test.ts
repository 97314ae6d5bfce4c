// Lists with filters, chosen fields, counts and CSV; and writes that are compressed, dry runs or deletions of many.

import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EMPLOYEES, NO_RATE_LIMIT, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
let staff: TestService;
const PEOPLE = [
  ["Zoë", "van 't Hoff", "A-1"],
  ["Åsa", "Ångström", "a-2"],
  [null, "Zola", "B,3"],
  ["Émile", "zola", "=1+1"],
  ["Bo", "Öberg", "007"],
] as const;
beforeAll(async () => {
  service = await openTestService();
  const records = PEOPLE.map(([firstName, lastName, accountID], i) => ({ objectId: i + 1, firstName, lastName, accountID }));
  await service.call("POST", "/v1/customers", records);
  staff = await openTestService(EMPLOYEES);
});
afterAll(() => Promise.all([service.close(), staff.close()]));

const list = (query: string, headers = {}) => service.call("GET", `/v1/customers?${query}`, undefined, headers);
const idsOf = (reply: { json: { customers: { objectId: number }[] } }) => reply.json.customers.map((row) => row.objectId);

test.each([
  ["lastName=Zola", [3]],
  ["lastName=zola", [4]],
  ["lastName[prefix]=zo", [3, 4]],
  ["filter[lastName]=Zola", [3]],
  ["filter[lastName]=Zola&filter[lastName]=zola", [3, 4]],
  ["filter[prefix][lastName]=zo", [3, 4]],
  ["filter[lastName][prefix]=zo", [3, 4]],
  ["filter[prefix][lastName]=zo&filter[gte][objectId]=4", [4]],
  ["filter[in][lastName][]=Zola&filter[in][lastName][]=zola", [3, 4]],
  ["filter[in][objectId]=5,1", [1, 5]],
  ["filter[null][firstName]=true", [3]],
  ["lastName[prefix]=O", [5]],
  ["lastName[prefix]=ång", [2]],
  ["lastName[in]=Zola,zola", [3, 4]],
  ['accountID[in]="B,3",007', [3, 5]],
  ["accountID=007", [5]],
  ["accountID=7", []],
  ["firstName=", [3]],
  ["objectId=4", [4]],
  ["objectId[gte]=2&objectId[lte]=3", [2, 3]],
  ["objectId[in]=5,1,5", [1, 5]],
  ["lastName[gte]=ober", [1, 3, 4, 5]],
  ["lastName[lte]=b", [2]],
  ["objectId[gt]=2&objectId[lt]=4", [3]],
  ["lastName[gt]=oberg", [1, 3, 4]],
  ["lastName[ne]=Zola", [1, 2, 4, 5]],
  ["firstName[ne]=Bo", [1, 2, 3, 4]],
  ["lastName[notIn]=Zola,zola", [1, 2, 5]],
  ["firstName.notIn=Bo,Zoë", [2, 3, 4]],
  ["filter[notIn][objectId][]=1&filter[notIn][objectId][]=4", [2, 3, 5]],
  ['accountID[notIn]="B,3"', [1, 2, 4, 5]],
  ["firstName[ne]=", [1, 2, 4, 5]],
  ["firstName[null]=true", [3]],
  ["firstName.null=false&objectId[gt]=1", [2, 4, 5]],
  ["lastName[contains]=OL", [3, 4]],
  ["lastName[contains]='t h", [1]],
  ["accountID[contains]=%25", []],
  ["lastName[contains]=o&sort=lastName", [2, 5, 1, 3, 4]],
  ["lastName[prefix]=zo&q=emile", [4]],
  ["lastName[prefix]=zo&sort=-objectId", [4, 3]],
  ["createdAt[gte]=2001-01-01T00:00:00Z&createdAt[lte]=2001-01-02T00:00:00Z", []],
  ["updatedAt[gte]=2001-01-01T00:00:00Z", [1, 2, 3, 4, 5]],
  ["updatedAt[gte]=today-7d&updatedAt[lt]=today%2B2d", [1, 2, 3, 4, 5]],
  ["updatedAt.gte=now-2h", [1, 2, 3, 4, 5]],
  ["updatedAt[lt]=year-1y&timeZone=Asia/Tokyo", []],
  ["updatedAt[in]=now-2h,month", []],
])("the filter %s finds %j and counts them, also over pages", async (query, ids) => {
  const reply = await list(`${query}&count=exact`);
  expect([reply.status, idsOf(reply), reply.json.total]).toEqual([200, ids, ids.length]);
  const paged: number[] = [];
  for (let path: string | undefined = `/v1/customers?${query}&limit=1`; path; ) {
    const page = await service.call("GET", path);
    paged.push(...idsOf(page));
    path = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? "")?.[1];
  }
  expect(paged).toEqual(ids);
});

test("a day of a record is compared with today where the clocks of the caller are", async () => {
  const dayIn = (timeZone: string, days: number) => new Date(Date.now() + days * 86_400_000).toLocaleDateString("sv", { timeZone });
  const far = "Pacific/Kiritimati"; // UTC+14: never the day of UTC-11
  const near = "Pacific/Pago_Pago";
  const people = [
    { id: 901, name: "Far", badge: "NL-9001", permanent: true, birthday: dayIn(far, 0) },
    { id: 902, name: "Near", badge: "NL-9002", permanent: true, birthday: dayIn(near, 0) },
  ];
  const made = await staff.call("POST", "/v1/employees", people);
  expect(made.status, JSON.stringify(made.json)).toBe(201);
  const found = async (query: string) =>
    (await staff.call("GET", `/v1/employees?id[gte]=901&${query}`)).json.employees.map((row: { id: number }) => row.id);
  expect(await found(`birthday=today&timeZone=${far}`)).toEqual([901]);
  expect(await found(`birthday=today&timeZone=${near}`)).toEqual([902]);
  expect(await found(`birthday[lt]=today&timeZone=${far}`)).toEqual([902]);
});

test.each([
  "colour=red",
  "lastName[like]=x",
  "objectId[prefix]=1",
  "objectId=007",
  "objectId[gte]=",
  "objectId[in]=1,x",
  'lastName[in]="a',
  "lastName[prefix]=",
  "lastName[contains]=",
  "objectId[contains]=1",
  "firstName[null]=yes",
  "objectId[lt]=",
  "createdAt[gte]=yesterday",
  "createdAt[gte]=today-7s",
  "timeZone=Nowhere",
  "lastName[notIn]=",
  "version=1",
  "count=many",
  "fields=secret",
  "fields=lastName,lastName",
  "lastName[ne]=a&lastName[ne]=b",
  "lastName[prefix]=z&lastName[prefix][]=o",
  "lastName[contains]=o&lastName.contains=l",
  "lastName[gte]=a&lastName[gte]=b",
  `lastName=${"x".repeat(1001)}`,
])("the query %s is refused, naming the parameter", async (query) => {
  const reply = await list(query);
  expect([reply.status, reply.json.code, reply.json.errors[0].parameter]).toEqual([
    400,
    "BAD_PARAMETER",
    query.slice(0, query.indexOf("=")),
  ]);
});

test.each(["filter[limit]=1", "filter[cursor]=x", "filter[deleted]=true", "filter[q]=x", "filter[__proto__]=x", "filter[sort]=lastName"])(
  "%s is no filter",
  async (query) => {
    const { status, json } = await service.call("GET", `/v1/customers?${query}`);
    expect([status, json.errors[0].parameter]).toEqual([400, query.split("=")[0]]);
  },
);

test("the next page has its place alone, however that of the first was written", async () => {
  const first = await list("sort=objectId&limit=2");
  for (const place of ["offset[0]=2", "offset[]=2", `cursor[]=${first.json.next}`, `cursor[0]=${first.json.next}`]) {
    const reply = await list(`sort=objectId&limit=2&${place}`);
    expect([place, idsOf(reply)]).toEqual([place, [3, 4]]);
    const next = await service.call("GET", /<([^>]+)>; rel="next"/.exec(reply.headers.link ?? "")?.[1] ?? "");
    expect([place, next.status, idsOf(next)]).toEqual([place, 200, [5]]);
  }
});

test("a cursor works only with the filters, order and search that it was made for", async () => {
  const { json } = await list("lastName[prefix]=zo&limit=1");
  expect((await list(`lastName[prefix]=zo&cursor=${json.next}`)).status).toBe(200);
  for (const other of ["", "lastName[prefix]=z&", "lastName[prefix]=zo&objectId[gte]=1&"]) {
    expect((await list(`${other}cursor=${json.next}`)).json.code).toBe("BAD_CURSOR");
  }
});

test("fields of every kind can be filtered", async () => {
  const one = { name: "Ann", age: 30, hiredatetime: "2020-01-01T00:00:00Z", permanent: true, location: "Utrecht" };
  await staff.call("POST", "/v1/employees", [one, { ...one, name: "Ben", age: 40, permanent: false }]);
  for (const query of ["age[gte]=35", "permanent=false", "name[prefix]=b", "age[in]=40,41", "hiredatetime=2020-01-01T00:00:00Z&age=40"]) {
    const reply = await staff.call("GET", `/v1/employees?${query}`);
    expect([query, reply.json.employees?.map((row: { name: string }) => row.name)]).toEqual([query, ["Ben"]]);
  }
});

const hintsOf = async (query: string) => {
  const { json } = await list(`${query}&hints=true`);
  return [idsOf({ json: { customers: json.exact ?? [] } }), json.didYouMean ?? []];
};

test.each([
  ["q=5", [5], []],
  ["q=007", [5], []],
  ["q=A-2", [2], []],
  ["q=99", [], []],
  ["q=5&accountID=x", [], []],
  ["q=Zolaa", [], ["Zola"]],
  ["q=vantHoff", [], []],
  ["q=van tHoff", [], ["van t Hoff"]],
  ["q=Angstroem", [], ["Ångström"]],
  ["q=Zolaa&accountID=x", [], []],
  ["q=zola", [], []],
  ["q=!!", [], []],
  ["q=%C5%89x 5%22", [], []],
  [`q=${"x".repeat(99)} ${"y".repeat(99)}`, [], []],
  ["", [], []],
])("with hints, the search %s names the exact hits %j and the searches %j", async (query, exact, near) => {
  expect(await hintsOf(query)).toEqual([exact, near]);
});

test("hints stand on the first page only, with the fields that are requested, and not without being asked for", async () => {
  const { json } = await list("q=zola&limit=1&hints=true");
  expect(json.exact).toBeUndefined();
  expect((await list(`q=zola&limit=1&hints=true&cursor=${json.next}`)).json.didYouMean).toBeUndefined();
  expect((await list("q=5&hints=true&fields=lastName")).json).toEqual({ customers: [], exact: [{ lastName: "Öberg" }] });
  expect((await list("q=5")).json).toEqual({ customers: [] });
});

test("a list has only the fields that are requested, in that order", async () => {
  const reply = await list("fields=lastName,version&objectId=1");
  expect(reply.text).toBe('{"customers":[{"lastName":"van \'t Hoff","version":1}]}');
});

test("the list as CSV has the same rows, with a BOM and guarded against formulas", async () => {
  const reply = await list("sort=-objectId&objectId[gte]=3", { accept: "text/csv" });
  expect([reply.status, reply.headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8; header=present"]);
  expect(reply.text).toBe(`\uFEFFobjectId,firstName,lastName,accountID\r\n5,Bo,Öberg,007\r\n4,Émile,zola,'=1+1\r\n3,,Zola,"B,3"\r\n`);
  expect((await list("fields=lastName&limit=1&q=!!", { accept: "text/csv" })).text).toBe("\uFEFFlastName\r\n");
  expect((await list("fields=lastName&limit=1", { accept: "text/csv, application/json;q=0.5" })).text).toBe(
    "\uFEFFlastName\r\nvan 't Hoff\r\n",
  );
  expect((await list("", { accept: "text/csv, application/json" })).headers["content-type"]).toBe("application/json");
  const head = await service.call("HEAD", "/v1/customers", undefined, { accept: "text/csv" });
  expect([head.status, head.text, head.headers["content-type"]]).toEqual([200, "", "text/csv; charset=utf-8; header=present"]);
});

test("the file at its own address is that list, for programs as it is stored, and takes no parameter of a page", async () => {
  const file = async (query: string, headers = {}) => service.call("GET", `/v1/customers.csv?${query}`, undefined, headers);
  const [asList, asFile] = [await list("sort=-objectId", { accept: "text/csv" }), await file("sort=-objectId", { accept: "*/*" })];
  expect([asFile.status, asFile.text, asFile.headers["content-disposition"]]).toEqual([
    200,
    asList.text,
    'attachment; filename="customers.csv"',
  ]);
  expect((await file("objectId=4&fields=accountID&guard=off")).text).toBe("\uFEFFaccountID\r\n=1+1\r\n");
  expect((await list("objectId=4&fields=accountID&guard=off", { accept: "text/csv" })).text).toBe("\uFEFFaccountID\r\n=1+1\r\n");
  for (const query of ["offset=1", "count=exact", "hints=true", "deleted=true", "guard=on"]) {
    expect([query, (await file(query)).json.errors?.[0].parameter]).toEqual([query, query.split("=")[0]]);
  }
  expect((await file("", { accept: "application/json" })).status).toBe(406);
  const head = await service.call("HEAD", "/v1/customers.csv");
  expect([head.status, head.text, head.headers.allow]).toEqual([200, "", "GET, HEAD, OPTIONS"]);
});

test("counting ends with the limit, and the answer says that there are more", async () => {
  const own = await openTestService(undefined, { limits: { ...NO_RATE_LIMIT, countedRecords: 3 } });
  try {
    const records = Array.from({ length: 5 }, (_, i) => ({ objectId: i + 1, lastName: i < 3 ? "Few" : "Other", accountID: "1" }));
    await own.call("POST", "/v1/customers", records);
    for (const [query, total, isMore] of [
      ["", 3, true],
      ["q=few", 3, undefined],
      ["accountID=1", 3, true],
      ["accountID=1&q=few", 3, undefined],
      ["accountID=1&q=o", 2, undefined],
      ["q=!!", 0, undefined],
    ] as const) {
      const { json } = await own.call("GET", `/v1/customers?count=exact&limit=1&${query}`);
      expect([query, json.total, json.totalIsAtLeast]).toEqual([query, total, isMore]);
    }
  } finally {
    await own.close();
  }
});

test("an export over many pages of the store has every row exactly once", async () => {
  const own = await openTestService();
  try {
    const records = Array.from({ length: 2_500 }, (_, i) => ({ objectId: i + 1, lastName: `N${i % 7}`, accountID: "1" }));
    expect((await own.call("POST", "/v1/customers", records)).status).toBe(201);
    const { text } = await own.call("GET", "/v1/customers?sort=lastName&fields=objectId", undefined, { accept: "text/csv" });
    const ids = text.trim().split("\r\n").slice(1).map(Number);
    expect(ids.sort((a, b) => a - b)).toEqual(records.map(({ objectId }) => objectId));
  } finally {
    await own.close();
  }
});

test("a gzip body is read; one that is not gzip, incomplete or too large is refused", async () => {
  const token = await service.tokenFor("write");
  const send = (payload: Buffer, encoding = "gzip") =>
    service.raw(
      "POST",
      "/v1/customers?dryRun=true",
      { authorization: `Bearer ${token}`, "content-type": "application/json", "content-encoding": encoding },
      payload,
    );
  const body = gzipSync('[{"lastName":"Zip","accountID":"1"}]');
  expect((await send(body)).json.customers[0].lastName).toBe("Zip");
  expect((await send(body.subarray(0, 20))).status).toBe(400);
  expect((await send(Buffer.from("plain"))).status).toBe(400);
  expect((await send(body, "br")).status).toBe(415);
  expect((await send(gzipSync(Buffer.alloc(200_000_000, 32), { level: 9 }))).status).toBe(413);
});

test("a dry run answers like the write and writes nothing", async () => {
  const body = [{ objectId: 1, lastName: "Other" }, { lastName: "New", accountID: "1" }, { accountID: "1" }];
  const query = "onError=continue&onConflict=update";
  const dry = await service.call("POST", `/v1/customers?${query}&dryRun=true`, body, { "idempotency-key": "dry" });
  expect(dry.json.summary).toEqual({ total: 3, created: 1, updated: 1, unchanged: 0, skipped: 0, failed: 1 });
  expect(dry.json.results[0].changes).toEqual({ lastName: ["van 't Hoff", "Other"] });
  expect((await service.call("GET", "/v1/customers/1")).json.version).toBe(1);
  expect((await list("count=exact")).json.total).toBe(5);
});

test("counting ends where the request says", async () => {
  const totals = async (count: string) => {
    const { total, totalIsAtLeast } = (await list(`count=${count}&limit=1`)).json;
    return [total, totalIsAtLeast];
  };
  expect(await totals("5")).toEqual([5, undefined]);
  expect(await totals("4")).toEqual([4, true]);
  expect(await totals("99999999999999999999")).toEqual([5, undefined]);
  for (const wrong of ["0", "-1", "1.5", "all"]) expect((await list(`count=${wrong}`)).status).toBe(400);
});

test("with match=version a record that was changed meanwhile is not overwritten", async () => {
  await service.call("PUT", "/v1/customers/60", { lastName: "A", accountID: "1" });
  const write = (record: object) => service.call("POST", "/v1/customers?onConflict=update&onError=continue&match=version", [record]);
  expect((await write({ objectId: 60, lastName: "B", version: 1 })).json.results[0]).toMatchObject({ outcome: "updated", version: 2 });
  expect((await write({ objectId: 60, lastName: "C", version: 1 })).json.results[0]).toMatchObject({ outcome: "failed", status: 412 });
  expect((await write({ objectId: 60, lastName: "C" })).json.results[0].problem.errors[0].pointer).toBe("/0/version");
  await service.call("DELETE", "/v1/customers/60");
});

test("many records can be deleted in one request, each on its own or all or none", async () => {
  const fill = () =>
    service.call(
      "POST",
      "/v1/customers?onConflict=skip",
      [70, 71].map((objectId) => ({ objectId, lastName: "D", accountID: "1" })),
    );
  await fill();
  const remove = (query: string, body: unknown, headers = {}) => service.call("POST", `/v1/customers/deletions?${query}`, body, headers);
  const atomic = await remove("", [{ objectId: 70 }, { objectId: 999_999 }]);
  expect([atomic.status, (await service.call("GET", "/v1/customers/70")).status]).toEqual([404, 200]);
  expect(atomic.json.errors).toEqual([expect.objectContaining({ pointer: "/1/objectId", code: "NOT_FOUND" })]);
  const mixed = await remove("", [{ objectId: 999_999 }, { objectId: "x" }, { objectId: 70 }]);
  expect([mixed.status, mixed.json.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
    422,
    ["/0/objectId", "/1/objectId"],
  ]);
  const dry = await remove("dryRun=true", [{ objectId: 70 }]);
  expect([dry.status, dry.json.results[0].outcome, (await service.call("GET", "/v1/customers/70")).status]).toEqual([200, "deleted", 200]);
  const stale = await remove("match=version&onError=continue", [
    { objectId: 70, version: 9 },
    { objectId: 71, version: 1 },
    { objectId: 5 },
    7,
  ]);
  expect([stale.status, stale.json.results.map((r: { status: number }) => r.status)]).toEqual([207, [412, 200, 422, 422]]);
  const each = await remove("onError=continue", {
    customers: [{ objectId: 70 }, { objectId: 71 }, { objectId: 888_888 }, { objectId: 70 }, { objectId: "1" }],
  });
  expect(each.json.summary).toEqual({ total: 5, deleted: 1, unchanged: 1, failed: 3 });
  expect(each.json.results[0]).toEqual({ index: 0, outcome: "deleted", status: 200, objectId: 70, version: 1 });
  await fill();
  const key = { "idempotency-key": "del-1" };
  const first = await remove("", [{ objectId: 70 }, { objectId: 71 }], key);
  const again = await remove("", [{ objectId: 70 }, { objectId: 71 }], key);
  expect([first.status, again.text, again.headers["idempotent-replayed"]]).toEqual([200, first.text, "true"]);
});

const namesOf = async (query: string) => {
  const { status, json } = await list(query);
  return [status, json.customers?.map((one: { lastName: string }) => one.lastName)];
};

test.each([
  ["a value twice", "accountID=007&accountID=B,3", 'accountID[in]=007,"B,3"'],
  ["a value with brackets", "lastName[]=Zola&lastName[]=zola", "lastName[in]=Zola,zola"],
  ["one value with brackets", "lastName[]=Zola", "lastName=Zola"],
  ["numbered brackets", "objectId[0]=1&objectId[1]=3", "objectId[in]=1,3"],
  ["an operator twice", "objectId[in]=1,2&objectId[in]=3", "objectId[in]=1,2,3"],
  ["an operator with brackets", "objectId[in][]=1&objectId[in][]=3", "objectId[in]=1,3"],
  ["an operator after a point", "objectId.gte=2&objectId.lte=4", "objectId[gte]=2&objectId[lte]=4"],
  ["an order in parts", "sort=lastName&sort=-objectId", "sort=lastName,-objectId"],
  ["an order in brackets", "sort[]=lastName&sort[]=-objectId", "sort=lastName,-objectId"],
])("%s means the list with commas", async (_, liberal, exact) => {
  const found = await namesOf(exact);
  expect(found[0]).toBe(200);
  expect(await namesOf(liberal)).toEqual(found);
});

test.each(["limit=1&limit=2", "count=exact&count=exact", "objectId[gte]=1&objectId.gte=2", "lastName.like=x", "lastName[prefix]."])(
  "%s means no list and is refused",
  async (query) => {
    expect((await list(query)).json.code).toBe("BAD_PARAMETER");
  },
);

test("a token that may only create cannot ask for updates in another spelling", async () => {
  const headers = { authorization: `Bearer ${await service.tokenFor("customers:create")}`, "content-type": "application/json" };
  for (const query of ["onConflict=update", "onConflict[]=update", "onConflict[0]=update"]) {
    const reply = await service.raw("POST", `/v1/customers?dryRun=true&${query}`, headers, '{"objectId":1,"lastName":"A","accountID":"1"}');
    expect([query, reply.status]).toEqual([query, 403]);
  }
});

test.each(["", "&sort=-lastName", "&lastName[prefix]=z", "&q=z&sort=lastName", "&lastName[prefix]=z&sort=accountID"])(
  "a page at an offset has the records that stand there%s",
  async (query) => {
    const all = (await list(`limit=1000${query}`)).json.customers;
    expect(all.length).toBeGreaterThan(1);
    for (let offset = 0; offset <= all.length + 1; offset++) {
      const { json, headers } = await list(`limit=2&offset=${offset}${query}`);
      expect([offset, json.customers]).toEqual([offset, all.slice(offset, offset + 2)]);
      expect(headers.link).not.toContain("offset");
      if (json.next) expect((await list(`limit=2&cursor=${json.next}${query}`)).json.customers).toEqual(all.slice(offset + 2, offset + 4));
      if (offset > 1 && json.prev)
        expect((await list(`limit=2&cursor=${json.prev}${query}`)).json.customers).toEqual(all.slice(offset - 2, offset));
    }
  },
);

test("an offset that is too large, or goes with a cursor or a file, is refused", async () => {
  const { json } = await list("limit=1");
  expect((await list("offset=10000")).json.customers).toEqual([]);
  for (const query of ["offset=10001", "offset=-1", "offset=x", `limit=1&offset=1&cursor=${json.next}`]) {
    expect([query, (await list(query)).json.errors?.[0].parameter]).toEqual([query, "offset"]);
  }
  expect((await list("offset=1", { accept: "text/csv" })).status).toBe(400);
});
