// Lists of records that meet one of several ways, and what such ways keep to themselves.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

const field = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
const KEY = field("id", { type: "integer" });
const PACKAGE = {
  resources: [
    { name: "teams", title: "Teams", label: ["name"], schema: { primaryKey: "id", fields: [KEY, field("name"), field("area")] } },
    {
      name: "people",
      title: "People",
      singular: "person",
      schema: {
        primaryKey: "id",
        fields: [
          KEY,
          field("name"),
          field("mail", { formerNames: ["email"] }),
          field("salary", { type: "integer" }),
          field("born", { type: "date" }),
          field("teamId", { type: "integer" }),
          field("or"),
        ],
        foreignKeys: [{ fields: "teamId", reference: { resource: "teams", fields: "id" }, as: "team" }],
      },
    },
  ],
};
const RIGHTS = "people:read teams:read";

let service: TestService;
let narrow: string;
let blind: string;
let teamless: string;
beforeAll(async () => {
  service = await openTestService(PACKAGE);
  await service.call("POST", "/v1/teams", [
    { id: 1, name: "Amber", area: "north" },
    { id: 2, name: "Beryl", area: "south" },
  ]);
  await service.call("POST", "/v1/people", [
    { id: 1, name: "Ada", mail: "ada@x.org", salary: 10, born: "1990-01-02", teamId: 1 },
    { id: 2, name: "Ben", mail: "ben@y.org", salary: 20, born: "1991-01-02", teamId: 1, or: "here" },
    { id: 3, name: "Cleo", mail: "cleo@x.org", salary: 30, born: "1992-01-02", teamId: 2 },
    { id: 4, name: "Dora", salary: 40 },
    { id: 5, name: "Émile", mail: "e%m@z.org", salary: 50, born: "1993-01-02", teamId: 2 },
  ]);
  const roleOf = async (name: string, scope: string, conditions: object) => {
    const { status, json } = await service.call("POST", "/v1/roles", { name, scope, conditions });
    expect([status, json.errors]).toEqual([201, undefined]);
    return (await service.newPerson(json.id)).token;
  };
  narrow = await roleOf("Narrow", RIGHTS, { teams: { read: { where: "area=north" } } });
  blind = await roleOf("Blind", RIGHTS, { people: { fields: { hidden: ["salary"] } } });
  teamless = await roleOf("Without teams", "people:read", { people: { read: { where: "id[lte]=4" } } });
});
afterAll(() => service.close());

const list = async (query: string, token?: string) => service.call("GET", `/v1/people?${query}`, undefined, bearer(token));
const bearer = (token?: string) => (token === undefined ? {} : { authorization: `Bearer ${token}` });
const ids = async (query: string, token?: string) => {
  const { status, json } = await list(query, token);
  return status === 200 ? json.people.map(({ id }: { id: number }) => id) : [status, json.errors];
};

describe("a list by several ways", () => {
  test.each([
    ["by hand", "or[0].name=Ada&or[1].salary[gte]=40", [1, 4, 5]],
    ["without brackets", "or[0].name=Ada&or[1].salary.gte=40", [1, 4, 5]],
    ["as objects", "or[0][name]=Ada&or[1][gte][salary]=40", [1, 4, 5]],
    ["as objects, the field first", "or[0][name]=Ada&or[1][salary][gte]=40", [1, 4, 5]],
    ["with several filters in one", "or[7].salary[gt]=10&or[7].salary[lt]=40&or[3].id=5", [2, 3, 5]],
    ["with filters that hold for all", "salary[lte]=30&or[0].name=Ada&or[1].salary[gte]=30", [1, 3]],
    ["with one alone", "or[0].salary=10", [1]],
    ["with several values", "or[0].name=Ada&or[0].name=Ben&or[1].id[in]=4,5", [1, 2, 4, 5]],
    ["with numbered values", "or[0][name][0]=Ada&or[0][name][1]=Ben&or[1].id=4", [1, 2, 4]],
    ["through a parent", "or[0].team.area=south&or[1].id=4", [3, 4, 5]],
    ["through a parent, as objects", "or[0][team][area]=south&or[1][id]=4", [3, 4, 5]],
    ["without a value", "or[0].mail=&or[1].mail[suffix]=@x.org", [1, 3, 4]],
    ["with relative times", "or[0].born[lt]=today&or[1].id=4", [1, 2, 3, 4, 5]],
    ["beside a field with that name", "or=here&or[0].id=2&or[1].id=3", [2]],
    ["by a field with that name", "or[0].or=here&or[1].id=3", [2, 3]],
    ["by a former name", "or[0].email[prefix]=ben&or[1][email]=ada@x.org", [1, 2]],
  ])("finds what meets one of them: %s", async (_, query, found) => {
    expect(await ids(query)).toEqual(found);
  });

  test.each([
    ["mail[suffix]=@x.org", [1, 3]],
    ["mail[suffix]=X.ORG", [1, 3]],
    ["name[suffix]=ile", [5]],
    ["mail[notContains]=x.org", [2, 4, 5]],
    ["mail[notContains]=%25", [1, 2, 3, 4]],
    ["mail[suffix]=%25m@z.org", [5]],
  ])("finds parts of texts: %s", async (query, found) => {
    expect(await ids(query)).toEqual(found);
  });

  test("goes on with its own cursor, whatever the order of its parts", async () => {
    const { json } = await list("or[0].name=Ada&or[1].salary[gte]=40&limit=2");
    expect(json.people).toHaveLength(2);
    expect(await ids(`or[1].salary[gte]=40&or[0].name=Ada&limit=2&cursor=${json.next}`)).toEqual([5]);
    expect((await list(`or[0].name=Ben&or[1].salary[gte]=40&limit=2&cursor=${json.next}`)).status).toBe(400);
  });

  test("is counted, summed and exported alike", async () => {
    const query = "or[0].name=Ada&or[1].salary[gte]=40";
    expect((await list(`${query}&count=100&limit=1`)).json).toMatchObject({ total: 3 });
    const { json } = await service.call("GET", `/v1/people/summary?${query}&measure=count,sum:salary`);
    expect(json.total).toEqual({ count: 3, "sum:salary": "100" });
    const { text } = await service.call("GET", `/v1/people.csv?${query}&fields=id`);
    expect(text.trim().split(/\r?\n/).slice(1)).toEqual(["1", "4", "5"]);
    const { json: log } = await service.call("GET", "/v1/activity/exports");
    expect(log.exports[0]).toMatchObject({ filter: ["or[0].name", "or[1].salary[gte]"], query: expect.stringContaining("Ada") });
  });

  test.each([
    ["or[0].salry=1", "or[0].salry", "Did you mean salary?"],
    ["or[0][nme][gte]=Ada", "or[0][nme][gte]", "There is no parameter of this name here."],
    ["or[0].salary=much", "or[0].salary", "salary must be"],
    ["or[0].limit=3", "or[0].limit", "There is no parameter of this name here."],
    ["or[100].name=Ada", "or[100].name", "There is no parameter of this name here."],
  ])("is refused where a way is wrong: %s", async (query, parameter, detail) => {
    const { status, json } = await list(query);
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ parameter, code: "BAD_PARAMETER", detail: expect.stringContaining(detail) }]);
  });
});

describe("ways keep to themselves", () => {
  test("parents that are out of sight", async () => {
    expect(await ids("or[0].team.area=south&or[1].id=4", narrow)).toEqual([4]);
    expect(await ids("or[0].team.name[notContains]=zz&or[1].id=4", narrow)).toEqual([1, 2, 4]);
  });

  test("records that are out of sight", async () => {
    expect(await ids("or[0].id=5&or[1].id=4", teamless)).toEqual([4]);
  });

  test("hidden fields", async () => {
    expect((await list("or[0].salary=10&or[1].id=4", blind)).json.errors[0].parameter).toBe("or[0].salary");
    const { json } = await service.call("GET", "/v1/activity/exports", undefined, bearer(blind));
    expect(JSON.stringify(json)).not.toContain("salary");
  });

  test("parents that the caller may not read", async () => {
    expect((await list("or[0].team.area=south&or[1].id=4", teamless)).status).toBe(403);
    expect((await list("or[0][team][area]=south&or[1][id]=4", teamless)).status).toBe(403);
  });

  test("conditions of roles, which have one way each", async () => {
    const conditions = { people: { read: { where: "or[0].id=5&or[1].id=4" } } };
    const { status, json } = await service.call("POST", "/v1/roles", { name: "Two ways", scope: RIGHTS, conditions });
    expect([status, json.errors[0].detail]).toEqual([422, expect.stringContaining("second role")]);
  });
});
