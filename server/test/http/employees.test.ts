// The service with another data package, which has all kinds, unique, pattern and enum.

import { afterAll, beforeAll, expect, test } from "vitest";
import { readDataPackage } from "../../../core/dictionary/collections.ts";
import employeesPackage from "../../../core/dictionary/employees.example.json" with { type: "json" };
import { KIND_NAMES, KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { FORMAT_NAMES } from "../../../core/dictionary/text-formats.ts";
import { EMPLOYEES, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(EMPLOYEES);
});
afterAll(() => service.close());

const lucia = {
  name: "Lucía D’Angelo",
  age: 41,
  hiredatetime: "2026-01-31T08:30:00+01:00",
  permanent: true,
  location: "Utrecht",
  birthday: "1985-06-30",
  workload: 0.8,
  salary: "4150.5",
  badge: "NL-0042",
  begins: "08:30:00",
  firstyear: 2019,
  contract: "part",
  email: "lucia@exämple.com",
  phone: "+31 (0)30 123 4567",
  profile: "https://example.com/staff/lucia",
  notes: "Speaks Dutch.\nAlso Spanish.",
  languages: ["nl", "es"],
  skills: ["first aid", 'says "yes", always'],
  rooms: [204, 101],
};
let next = 0;
const someone = (fields: object = {}) => ({ ...lucia, badge: `NL-${String(++next + 1000)}`, ...fields });
const post = (body: unknown, query = "") => service.call("POST", `/v1/employees${query}`, body);

test("the example has a field of every kind and format, and the employee of these tests a value of each", () => {
  const read = readDataPackage(employeesPackage);
  const fields = "collections" in read ? (read.collections[0]?.fields ?? []) : [];
  expect(new Set(fields.map(({ kind }) => kind))).toEqual(new Set(KIND_NAMES.filter((kind) => !KIND_TRAITS[kind].isFile))); // which is not sent along
  expect(new Set(fields.flatMap(({ format }) => format ?? []))).toEqual(new Set(FORMAT_NAMES));
  expect(Object.keys(lucia)).toEqual(fields.slice(1).map(({ name }) => name));
});

test("a value of every kind is stored and comes back unchanged", async () => {
  const { json } = await post({ employee: lucia });
  expect(json).toEqual({
    id: 1_000_000_001,
    ...lucia,
    hiredatetime: "2026-01-31T07:30:00.000Z",
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    createdBy: { type: "key", id: expect.any(String), name: expect.any(String) },
    updatedBy: { type: "key", id: expect.any(String), name: expect.any(String) },
    version: 1,
  });
  expect((await service.call("GET", `/v1/employees/${json.id}`)).json).toEqual(json);
});

test("a field without a value is null, whatever its kind", async () => {
  const { json } = await post({ name: "Bo", permanent: false });
  expect(json).toMatchObject({
    age: null,
    hiredatetime: null,
    permanent: false,
    location: null,
    birthday: null,
    workload: null,
    salary: null,
    badge: null,
    begins: null,
    firstyear: null,
    contract: null,
    email: null,
    phone: null,
    profile: null,
    notes: null,
    languages: null,
    skills: null,
    rooms: null,
  });
});

test.each([
  ["name", "B", "TOO_SHORT"],
  ["age", 13, "TOO_SMALL"],
  ["age", 121, "TOO_LARGE"],
  ["age", 41.5, "KIND"],
  ["age", "41", "KIND"],
  ["hiredatetime", "yesterday", "KIND"],
  ["permanent", "true", "KIND"],
  ["permanent", null, "REQUIRED"],
  ["location", "Oslo", "ENUM"],
  ["birthday", "1985-02-30", "KIND"],
  ["birthday", "1899-12-31", "TOO_SMALL"],
  ["workload", -1, "TOO_SMALL"],
  ["workload", "0.8", "KIND"],
  ["salary", -1, "TOO_SMALL"],
  ["salary", "4150,50", "KIND"],
  ["salary", "1.005", "TOO_PRECISE"],
  ["salary", 1.005, "TOO_PRECISE"],
  ["badge", "nl-0042", "PATTERN"],
  ["begins", "25:00", "KIND"],
  ["begins", "24:00:00", "KIND"],
  ["begins", "14:05:30.5", "KIND"],
  ["begins", "14:05:00Z", "KIND"],
  ["begins", 1405, "KIND"],
  ["begins", "04:59:59", "TOO_SMALL"],
  ["begins", "23:30:01", "TOO_LARGE"],
  ["firstyear", "2019", "KIND"],
  ["firstyear", 20190, "KIND"],
  ["firstyear", 2019.5, "KIND"],
  ["firstyear", 1949, "TOO_SMALL"],
  ["contract", "Part time", "ENUM"],
  ["email", "lucia@example", "PATTERN"],
  ["phone", "call me", "PATTERN"],
  ["profile", "javascript:alert(1)", "PATTERN"],
  ["notes", "a\u0000b", "CHARACTERS"],
  ["languages", "nl", "KIND"],
  ["languages", ["nl", "Dutch"], "ENUM"],
  ["languages", ["nl", "es", "nl"], "REPEATED"],
  ["skills", ["a", ""], "REQUIRED"],
  ["skills", ["a", 1], "KIND"],
  ["skills", Array.from({ length: 21 }, (_, i) => `skill ${i}`), "TOO_LONG"],
  ["rooms", [101, "204"], "KIND"],
])("the field %s with the value %j is refused with %s", async (field, value, code) => {
  const reply = await post(someone({ [field]: value }));
  expect(reply.status).toBe(422);
  expect(reply.json.errors).toEqual([expect.objectContaining({ pointer: `/${field}`, code })]);
});

test("a number that would lose digits is refused, and an exact one keeps them, however it is written", async () => {
  const token = await service.tokenFor("admin");
  const send = (workload: string, salary: string, method = "POST", path = "/v1/employees") =>
    service.raw(
      method,
      path,
      { authorization: `Bearer ${token}`, "content-type": "application/json" },
      `{"name":"Ex Act","permanent":true,"workload":${workload},"salary":${salary}}`,
    );
  const refused = await send("0.1234567890123456789", "1");
  expect(refused.status).toBe(422);
  expect(refused.json.errors).toEqual([
    { pointer: "/workload", code: "TOO_PRECISE", detail: "Workload has more digits than can be stored without rounding. Use at most 15." },
  ]);
  const exact = "100000069899999.93";
  for (const written of [exact, `"${exact}"`, `"${exact}000"`, "10000006989999993e-2"]) {
    const { status, json } = await send("0.5", written);
    expect([status, json.salary]).toEqual([201, exact]);
    expect((await service.call("GET", `/v1/employees/${json.id}`)).json.salary).toBe(exact);
  }
  const found = await service.call("GET", `/v1/employees?salary=${exact}&salary[gte]=${exact}&limit=10`);
  expect(found.json.employees).toHaveLength(4);
  expect((await service.call("GET", "/v1/employees?salary[gte]=100000069899999.94")).json.employees).toHaveLength(0);
  const id = found.json.employees[0].id;
  expect((await service.call("PATCH", `/v1/employees/${id}`, { salary: "-0.01" })).status).toBe(422);
  expect((await service.call("PATCH", `/v1/employees/${id}`, { salary: `${exact}0` })).json.version).toBe(1); // it is the same value
});

test("the OpenAPI document says how an exact number is written", async () => {
  const { schemas } = (await service.call("GET", "/v1/openapi.json")).json.components;
  const pattern = new RegExp(schemas.EmployeeRules.properties.salary.pattern);
  expect(["0", "4150.5", "-12", "4150.55"].filter((text) => !pattern.test(text))).toEqual([]);
  expect(["4150.555", "1e3", "01", "1.", "4150,5"].filter((text) => pattern.test(text))).toEqual([]);
});

test("text of several lines, a number and an address come back from a CSV export, and are found by filters", async () => {
  const { json } = await post(someone({ notes: 'first\r\nsecond; "third"', phone: "+49 (0)30 5551234", email: "csv@example.com" }));
  expect(json.notes).toBe('first\nsecond; "third"');
  const fields = "fields=phone,profile,notes";
  const csv = await service.call("GET", `/v1/employees?id=${json.id}&${fields}`, undefined, { accept: "text/csv" });
  expect(csv.text).toBe(`\uFEFFphone,profile,notes\r\n'+49 (0)30 5551234,https://example.com/staff/lucia,"first\nsecond; ""third"""\r\n`);
  const filters = {
    email: "csv@example.com",
    "phone[prefix]": "+49 (0)30 555",
    notes: json.notes,
    "notes[prefix]": "FIRST",
    "email[in]": "x,csv@example.com",
  };
  for (const [name, value] of Object.entries(filters)) {
    const found = await service.call("GET", `/v1/employees?${new URLSearchParams({ [name]: value })}`);
    expect([name, found.json.employees?.map(({ id }: { id: number }) => id)]).toEqual([name, [json.id]]);
  }
  expect((await service.call("GET", "/v1/employees?email=no-address")).json.employees).toEqual([]); // no error: nobody has it
});

test("a filter takes the value or the label of a category in any language, and the document has both", async () => {
  const { json } = await post(someone({ contract: "temp" }));
  for (const text of ["temp", "Temporary", "befristet"]) {
    const found = await service.call("GET", `/v1/employees?id=${json.id}&contract=${text}`);
    expect([text, found.json.employees.length]).toEqual([text, 1]);
  }
  expect((await service.call("GET", `/v1/employees?id=${json.id}&contract[in]=full,Teilzeit`)).json.employees).toEqual([]);
  const { schemas } = (await service.call("GET", "/v1/openapi.json")).json.components;
  expect(schemas.EmployeeRules.properties.contract).toMatchObject({
    enum: ["full", "part", "temp", null],
    oneOf: [
      { const: "full", title: "Full time" },
      { const: "part", title: "Part time" },
      { const: "temp", title: "Temporary" },
      { type: "null" },
    ],
  });
});

test("the OpenAPI document names the formats of text", async () => {
  const { schemas } = (await service.call("GET", "/v1/openapi.json")).json.components;
  const { email, profile, phone, notes } = schemas.EmployeeRules.properties;
  expect([email, profile].map(({ format }) => format)).toEqual(["idn-email", "iri"]);
  expect([phone, notes].map(({ description }) => description)).toEqual([
    "A phone number, as people write it.",
    "Text that may have several lines, separated by \\n.",
  ]);
});

test("a value that must be unique is refused when another record has it", async () => {
  const first = (await post(someone())).json;
  const reply = await post(someone({ badge: first.badge }));
  expect(reply.status).toBe(422);
  expect(reply.json).toMatchObject({ code: "VALIDATION", errors: [{ pointer: "/badge", code: "UNIQUE" }] });
  const other = (await post(someone())).json;
  expect((await service.call("PATCH", `/v1/employees/${other.id}`, { badge: first.badge })).json.errors[0].code).toBe("UNIQUE");
  expect((await service.call("PUT", `/v1/employees/${first.id}`, first)).status).toBe(200);
});

test("two records of one request cannot share a unique value", async () => {
  const atomic = await post([someone({ badge: "PL-0001" }), someone({ badge: "PL-0001" })]);
  expect(atomic.json.errors).toEqual([expect.objectContaining({ pointer: "/1/badge", code: "UNIQUE" })]);
  const each = await post([someone({ badge: "PL-0001" }), someone({ badge: "PL-0001" })], "?onError=continue");
  expect(each.json.summary).toMatchObject({ created: 1, failed: 1 });
});

test("several records may have no value in a unique field", async () => {
  expect((await post([someone({ badge: null }), someone({ badge: null })])).status).toBe(201);
});

test("a unique value can be used again after it was changed or deleted", async () => {
  const { id } = (await post(someone({ badge: "KR-0001" }))).json;
  await service.call("PATCH", `/v1/employees/${id}`, { badge: "KR-0002" });
  expect((await post(someone({ badge: "KR-0001" }))).status).toBe(201);
  await service.call("DELETE", `/v1/employees/${id}`);
  expect((await post(someone({ badge: "KR-0002" }))).status).toBe(201);
  const passedOn = await post(
    [
      { id: id + 1, badge: "KR-0009" },
      { ...someone(), badge: "KR-0001" },
    ],
    "?onConflict=update&onError=continue",
  );
  expect(passedOn.json.results.map((r: { outcome: string }) => r.outcome)).toEqual(["updated", "created"]);
});

test("a list can be sorted by every field, both ways, over pages, with missing values first", async () => {
  const own = await openTestService(EMPLOYEES);
  try {
    const people = [
      { id: 1, name: "Cy", permanent: true, age: 30, workload: 0.5, salary: "2.5", birthday: "2000-01-01" },
      { id: 2, name: "al", permanent: false, workload: 1, salary: 10 },
      { id: 3, name: "Bo", permanent: true, age: 30, birthday: "1999-12-31", hiredatetime: "2020-01-01T00:00:00Z" },
      { id: 4, name: "Di", permanent: false, age: 20, hiredatetime: "2020-01-01T00:00:00+02:00", badge: "NL-0001" },
    ];
    expect((await own.call("POST", "/v1/employees", people)).status).toBe(201);
    const read = async (sort: string, limit: number) => {
      const ids: number[] = [];
      for (let cursor = ""; ; ) {
        const { json } = await own.call("GET", `/v1/employees?sort=${sort}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
        ids.push(...json.employees.map((row: { id: number }) => row.id));
        if (!json.next) return ids;
        cursor = json.next;
      }
    };
    const orders: Record<string, number[]> = {
      name: [2, 3, 1, 4],
      age: [2, 4, 1, 3],
      "-age": [3, 1, 4, 2],
      "-age,id": [1, 3, 4, 2],
      workload: [3, 4, 1, 2],
      salary: [3, 4, 1, 2],
      "-salary": [2, 1, 4, 3],
      permanent: [2, 4, 1, 3],
      "-permanent,-age": [3, 1, 4, 2],
      birthday: [2, 4, 3, 1],
      "-hiredatetime": [3, 4, 2, 1],
      "-badge": [4, 3, 2, 1],
    };
    for (const [sort, ids] of Object.entries(orders)) {
      for (const limit of [1, 2, 3, 10]) expect([sort, limit, await read(sort, limit)]).toEqual([sort, limit, ids]);
    }
  } finally {
    await own.close();
  }
});

test("the dictionary and the CSV template are those of the data package", async () => {
  expect((await service.call("GET", "/v1/dictionary")).json.name).toBe("staff");
  const reply = await service.call("GET", "/v1/employees/template.csv");
  expect(reply.text).toBe(
    "\uFEFFid,name,age,hiredatetime,permanent,location,birthday,workload,salary,badge,begins,firstyear,contract,email,phone,profile,notes,languages,skills,rooms\r\n",
  );
});

test("problem texts name employees", async () => {
  expect((await service.call("GET", "/v1/employees/5")).json.detail).toBe("There is no employee with this ID.");
  expect((await service.call("GET", "/v1/customers")).status).toBe(404);
});

test("a number with more digits than a double keeps is a value, never a record", async () => {
  const long = "12345678901234567890";
  const path = `/v1/employees/${(await post(someone())).json.id}`;
  for (const [method, at] of [
    ["PATCH", path],
    ["PUT", path],
    ["POST", "/v1/employees"],
  ] as const)
    for (const body of [long, `[${long}]`, `{"employee":${long}}`])
      expect([method, body, (await service.call(method, at, body)).json]).toMatchObject([method, body, { errors: [{ code: "FORM" }] }]);
});
