// Names that people cannot tell apart: the second one is refused, and the first one named.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestService, type Reply, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const RECIPE = { headings: ["Nr"], content: {} };
const VIEW = { isShared: true, search: {} };
const KINDS: [what: string, path: string, method: "PATCH" | "PUT", made: object, change: object][] = [
  ["a role", "/v1/roles", "PATCH", { scope: "read" }, {}],
  ["a recipe", "/v1/recipes", "PUT", { collection: "customers", ...RECIPE }, RECIPE],
  ["a view for all", "/v1/views", "PUT", { collection: "customers", ...VIEW }, VIEW],
  ["a view of one's own", "/v1/views", "PUT", { collection: "customers", ...VIEW, isShared: false }, { ...VIEW, isShared: false }],
];
const refusedFor = (other: string) => [
  409,
  "NAME_CONFUSABLE",
  `This name looks like “${other}”, which is there already. Choose another name.`,
];
const outcomeOf = ({ status, json }: Reply) => [status, json.code, json.detail];

describe.each(KINDS)("the name of %s", (_, path, method, made, change) => {
  const create = (name: string) => service.call("POST", path, { ...made, name });

  test("that looks like another's is refused, when it is made and when it is changed", async () => {
    const { json: first } = await create("Reception");
    for (const name of ["Recepti\u043en", "R\u0435ception", "RECEPTI\u041eN", "Recept\u0131\u03bfn"])
      expect([name, ...outcomeOf(await create(name))]).toEqual([name, ...refusedFor("Reception")]);
    const { json: other, status } = await create("Billing");
    expect(status).toBe(201);
    const rename = (id: string, name: string) => service.call(method, `${path}/${id}`, { ...change, name });
    expect(outcomeOf(await rename(other.id, "Recepti\u043en"))).toEqual(refusedFor("Reception"));
    expect((await rename(other.id, "Bi11ing")).json.name).toBe("Bi11ing"); // it may look like itself
    expect(outcomeOf(await create("Billing"))).toEqual(refusedFor("Bi11ing"));
    expect((await rename(other.id, "Sales")).status).toBe(200);
    expect((await create("Billing")).status).toBe(201);
    expect((await service.call("GET", `${path}/${first.id}`)).json.name).toBe("Reception");
  });

  test("is there once, of many that look alike and come at once", async () => {
    const names = ["Archive", "\u0410rchive", "Arch\u0456ve", "Archiv\u0435", "\u0410rch\u0456ve", "Ar\u0441hive"];
    const outcomes = await Promise.all([...names, ...names].map(create));
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 409 || status === 422)).toHaveLength(11);
  });
});

test("no role looks like one that is built in, in any language", async () => {
  for (const name of ["Administrat\u043er", "V\u0456ewer", "\u0415dit\u043er", "c\u03bfntributor", "L\u0435sen"])
    expect([name, (await service.call("POST", "/v1/roles", { name, scope: "read" })).json.code]).toEqual([name, "NAME_CONFUSABLE"]);
  const { json: role } = await service.call("POST", "/v1/roles", { name: "Night shift", scope: "read" });
  const changed = await service.call("PATCH", `/v1/roles/${role.id}`, { name: "Administrat\u043er" });
  expect([changed.status, changed.json.code]).toEqual([409, "NAME_CONFUSABLE"]);
});

test("views of two people may look alike: each sees their own", async () => {
  const [one, other] = [await service.newPerson("viewer"), await service.newPerson("viewer")];
  const create = (name: string, token: string) =>
    service.call("POST", "/v1/views", { collection: "customers", ...VIEW, isShared: false, name }, { authorization: `Bearer ${token}` });
  expect((await create("Mine", one.token)).status).toBe(201);
  expect((await create("M\u0456ne", other.token)).status).toBe(201);
  expect((await create("M\u0456ne", one.token)).status).toBe(409);
});
